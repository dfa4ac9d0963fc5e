// Canaries of `run`: it must find planted bugs in algorithms, and exit with 1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../model/fault.hpp"
#include "../run.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

using ::testing::HasSubstr;

/// The catalog's sum, in which the tests plant bugs.
AlgorithmEntry sum() {
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    if (entry.name == "sum") return entry;
  }
  throw std::logic_error("the catalog has no sum");
}

Integers one_too_many(const Task& task, const Inputs<std::uint64_t>& inputs) {
  Integers expected = sum().expected(task, inputs);
  ++expected.at(0);
  return expected;
}

Outcome<std::uint64_t> fails(const Task& /*task*/, const Conditions& /*conditions*/,
                             const Inputs<std::uint64_t>& /*inputs*/,
                             std::span<Observer* const> /*observers*/) {
  throw fault::impossible(FaultKind::race, "two threads write a[3]");
}

struct Ending {
  int exit_code;
  std::string report;
};

/// The outcome of `run sum` with this entry in place of the catalog's sum.
Ending run_planted(const AlgorithmEntry& planted, const TemporaryFolder& folder) {
  CLI::App app;
  Ending ending{-1, ""};
  add_run(app, ending.exit_code, std::span(&planted, 1));
  const std::string report = folder / "report.json";
  const std::vector<std::string> words = {"run",  "sum", "--size", "n=8",      "--format",
                                          "json", "-o",  report,   "--output", folder / "sum.npy"};
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  std::ifstream file(report);
  ending.report.assign(std::istreambuf_iterator<char>(file), {});
  return ending;
}

}  // namespace

TEST(RunFindings, the_catalogs_sum_is_clean) {
  const TemporaryFolder folder;
  const Ending ending = run_planted(sum(), folder);
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_THAT(ending.report, ::testing::Not(HasSubstr("oracle's")));
  EXPECT_TRUE(std::filesystem::exists(folder / "sum.npy"));
}

TEST(RunFindings, canary_a_result_that_is_not_the_oracles_is_found) {
  const TemporaryFolder folder;
  AlgorithmEntry planted = sum();
  planted.expected = one_too_many;
  const Ending ending = run_planted(planted, folder);
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.report, HasSubstr("sum[0] is "));
  EXPECT_THAT(ending.report, HasSubstr(", and the oracle's is "));
}

TEST(RunFindings, canary_a_fault_is_found_and_no_result_written) {
  const TemporaryFolder folder;
  AlgorithmEntry planted = sum();
  planted.run = fails;
  const Ending ending = run_planted(planted, folder);
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.report, HasSubstr("two threads write a[3]"));
  EXPECT_FALSE(std::filesystem::exists(folder / "sum.npy"));
}

}  // namespace bankproof::cli
