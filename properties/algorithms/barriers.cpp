// Checks that random tasks reach each barrier in the sources of algorithms/. The suites judge only
// the barriers that tasks reach (testing/barriers.hpp), and would not notice an unreached one.
#include "../../testing/barriers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "../../algorithms/catalog/catalog.hpp"

namespace bankproof {
namespace {

using Names = std::set<std::string>;

/// The barriers in the sources, named by file and line: "sum.hpp:48".
Names barriers_in_sources() {
  Names names;
  const std::filesystem::path folder(BANKPROOF_SOURCE "/algorithms");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream source(entry.path());
    std::string line;
    for (std::uint64_t number = 1; std::getline(source, line); ++number) {
      if (line.find("co_await barrier") == std::string::npos) continue;
      names.insert(testing::name_of({entry.path().native(), number}));
    }
  }
  return names;
}

/// The barriers that some hundred random tasks of the algorithm A reach.
template <class A>
Names barriers_met() {
  testing::WithoutOneBarrier::met.clear();
  rc::Random random(rc::detail::configuration().testParams.seed);
  const auto tasks = testing::any_task<A>();
  for (int tried = 0; tried < testing::often; ++tried) {
    const Task task = tasks(random.split(), 100).value();
    const auto inputs = testing::random_inputs<std::uint64_t>(A::inputs(task), 1);
    testing::run_task<A, std::uint64_t, testing::WithoutOneBarrier>(
        task, testing::in(Mode::lockstep), inputs);
  }
  Names names;
  for (const auto& place : testing::WithoutOneBarrier::met) names.insert(testing::name_of(place));
  return names;
}

TEST(Barriers, of_all_algorithms_are_met_by_random_tasks) {
  Names met;
  for_each_algorithm([&]<class A>(A) { met.merge(barriers_met<A>()); });
  EXPECT_EQ(met, barriers_in_sources());
  EXPECT_NE(barriers_met<Sum>(), barriers_in_sources());
}

}  // namespace
}  // namespace bankproof
