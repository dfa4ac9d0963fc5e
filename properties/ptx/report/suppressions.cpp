// A suppressed finding does not fail the report, and a suppression that matches nothing is
// reported.
#include "../../../ptx/report/suppressions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../../ptx/report/verdict.hpp"
#include "support.hpp"

namespace bankproof::ptx {

namespace {

using ::testing::HasSubstr;

// A race and a misaligned access in inlined code, and excess accesses to both memories.
KernelReport report() {
  MadeUp kernel(three_files);
  kernel.faults.add(FaultKind::race, 5, no_site, {}, [] { return std::string("r"); });
  kernel.faults.add(FaultKind::misaligned, 1, no_site, {}, [] { return std::string("m"); });
  kernel.accesses.add(5, shared_cost(32, 1));
  kernel.accesses.add(1, global_cost(32, 4));
  return kernel.report();
}

struct Outcome {
  std::size_t faults;
  std::size_t lines;
  std::size_t unused;
  bool operator==(const Outcome&) const = default;
};

Outcome with(const std::string& text) {
  KernelReport judged = report();
  const auto unused = suppress(judged, parse_suppressions(text, "s.txt"));
  const Verdict verdict =
      judge(judged, {.fail_on = {}, .max_shared_excess = 0, .max_global_excess = 0});
  return {verdict.faults.size(), verdict.shared.size() + verdict.global.size(), unused.size()};
}

std::string suppression_error(const std::string& text) {
  try {
    parse_suppressions(text, "s.txt");
  } catch (const SuppressionError& caught) {
    return caught.what();
  }
  return "none";
}

void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << outcome.faults << " faults, " << outcome.lines << " lines, " << outcome.unused
       << " unused";
}

TEST(Suppressions, take_away_what_they_name) {
  EXPECT_EQ(with(""), (Outcome{2, 2, 0}));
  EXPECT_EQ(with("race tile.cu 13\n"), (Outcome{1, 2, 0}));
  EXPECT_EQ(with("race block.cuh 30\n"), (Outcome{1, 2, 0})) << "the code itself";
  EXPECT_EQ(with("race lib/*.cuh *\n"), (Outcome{1, 2, 0}));
  EXPECT_EQ(with("race *.cu f # of the header\n"), (Outcome{1, 2, 0}));
  EXPECT_EQ(with("* tile.cu *\n"), (Outcome{0, 0, 0}));
  EXPECT_EQ(with("shared_excess tile.cu 13\r\n\n\tglobal_excess  *  k\n"), (Outcome{2, 0, 0}));
}

TEST(Suppressions, that_name_the_same_are_all_used) {
  EXPECT_EQ(with("race tile.cu *\n* tile.cu *\nrace * 13\n"), (Outcome{0, 0, 0}));
  EXPECT_EQ(with("* * *\nshared_excess * *\nglobal_excess * *\n* * *\n"), (Outcome{0, 0, 0}));
}

TEST(Suppressions, that_name_nothing_are_reported) {
  EXPECT_EQ(with("race tile.cu 12\n"), (Outcome{2, 2, 1}));
  EXPECT_EQ(with("race other.cu *\nmisaligned tile.cu g\n# nothing\n"), (Outcome{2, 2, 2}));
  EXPECT_EQ(with("shared_excess tile.cu 11"), (Outcome{2, 2, 1})) << "it has none";
  KernelReport judged = report();
  const auto unused = suppress(judged, parse_suppressions("\n\ntrap * *", "s.txt"));
  ASSERT_EQ(unused.size(), 1U);
  EXPECT_EQ(unused.front().written_at, 3U);
  EXPECT_EQ(unused.front().text, "trap * *");
}

TEST(Suppressions, that_are_wrong_say_where) {
  EXPECT_THAT(suppression_error("race tile.cu 1\nrace tile.cu"),
              HasSubstr("s.txt:2: expected a kind"));
  EXPECT_THAT(suppression_error("race tile.cu 1 2"), HasSubstr("s.txt:1: expected a kind"));
  EXPECT_THAT(suppression_error("raze * *"),
              HasSubstr("s.txt:1: unknown kind 'raze'; did you mean 'race'?"));
  EXPECT_THAT(suppression_error("race * 99999999999"), HasSubstr("no line is '99999999999'"));
}

TEST(Verdicts, fail_on_the_kinds_that_are_asked_for) {
  const KernelReport judged = report();
  const auto faults = [&](const std::vector<FaultKind>& kinds) {
    Limits limits;
    limits.fail_on = kinds;
    return judge(judged, limits).faults.size();
  };
  EXPECT_EQ(judge(judged, {}).faults.size(), 2U);
  EXPECT_EQ(faults({FaultKind::race}), 1U);
  EXPECT_EQ(faults({FaultKind::deadlock}), 0U);
  EXPECT_EQ(faults({}), 0U);
}

// The number of lines that exceed the limits of shared and of global memory, and the excess that no
// limit covers. One line has 31 excess wavefronts, another line has 28 excess sectors.
struct Over {
  std::size_t shared;
  std::size_t global;
  std::uint64_t unlimited_wavefronts;
  std::uint64_t unlimited_sectors;
  bool operator==(const Over&) const = default;
};

Over limited(std::optional<std::uint64_t> shared, std::optional<std::uint64_t> global,
             const std::string& suppressions = "") {
  KernelReport judged = report();
  suppress(judged, parse_suppressions(suppressions, "s.txt"));
  const Verdict verdict =
      judge(judged, {.fail_on = {{}}, .max_shared_excess = shared, .max_global_excess = global});
  EXPECT_EQ(verdict.passes(), verdict.shared.empty() && verdict.global.empty());
  EXPECT_EQ(verdict.limits_all(),
            verdict.unlimited_shared.amount + verdict.unlimited_global.amount == 0);
  return {verdict.shared.size(), verdict.global.size(), verdict.unlimited_shared.amount,
          verdict.unlimited_global.amount};
}

void PrintTo(const Over& over, std::ostream* out) {
  *out << over.shared << " and " << over.global << " lines over, " << over.unlimited_wavefronts
       << " wavefronts and " << over.unlimited_sectors << " sectors unlimited";
}

TEST(Verdicts, limit_each_memory_by_its_own) {
  EXPECT_EQ(limited(31, 28), (Over{0, 0, 0, 0}));
  EXPECT_EQ(limited(30, 28), (Over{1, 0, 0, 0}));
  EXPECT_EQ(limited(31, 27), (Over{0, 1, 0, 0}));
  EXPECT_EQ(limited(0, 0), (Over{1, 1, 0, 0}));
}

TEST(Verdicts, tell_what_is_not_limited) {
  EXPECT_EQ(limited({}, {}), (Over{0, 0, 31, 28}));
  EXPECT_EQ(limited(0, {}), (Over{1, 0, 0, 28}));
  EXPECT_EQ(limited({}, 28), (Over{0, 0, 31, 0}));
  EXPECT_EQ(limited({}, {}, "shared_excess * *"), (Over{0, 0, 0, 28}));
  EXPECT_EQ(limited({}, {}, "* * *"), (Over{0, 0, 0, 0}));
}

}  // namespace

}  // namespace bankproof::ptx
