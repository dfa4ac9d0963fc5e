// The machines run the counterexamples to layouts. A counterexample names two threads, their words
// and their bank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "../../algorithms/layout.hpp"
#include "../../proofs/solvers/check.hpp"
#include "../../proofs/theorems/layouts/pairs.hpp"
#include "../../proofs/theorems/layouts/replay.hpp"
#include "../../proofs/theorems/layouts/strides.hpp"

namespace bankproof::proofs {
namespace {

using ::testing::HasSubstr;

const auto in_rows = [](const auto& i, const auto& j, const auto& w) { return row_major(i, j, w); };

/// The theorem that in row-major order the words of a column lie in different banks.
Theorem columns_of_rows(const Place& place) {
  return Theorem{.id = "canary", .source = "none", .statement = "a canary", .domain = "all w"}
      .proof([](Query& q) {
        q.claim("different banks", words_of_column(q, in_rows).in_different_banks());
      })
      .false_twin([](Query& q) { q.claim("less", q.number("w", 1, 4) < IntTerm(4)); })
      .replay(replay_column(place));
}

TEST(LayoutReplay, names_two_threads_their_words_and_bank) {
  const Checked checked = check(columns_of_rows(
      [](auto i, auto j, const Values& values) { return row_major(i, j, values.at("w")); }));
  EXPECT_EQ(checked.z3.verdict, Verdict::refuted) << checked.z3.why;
  EXPECT_THAT(checked.z3.why, HasSubstr("of warp 0 have words"));
  EXPECT_THAT(checked.z3.why, HasSubstr("both in bank"));
}

TEST(LayoutReplay, disagrees_where_the_machine_has_another_layout) {
  const Checked checked = check(columns_of_rows(
      [](auto i, auto j, const Values& values) { return diagonal(i, j, values.at("w")); }));
  EXPECT_EQ(checked.z3.verdict, Verdict::error) << checked.z3.why;
  EXPECT_THAT(checked.z3.why, HasSubstr("the replay on the machine disagrees"));
}

TEST(LayoutReplay, says_what_the_machine_did) {
  const Values values = {{"w", 4}, {"i", 0}, {"other_i", 2}, {"j", 1}, {"other_j", 3}};
  const auto rows_2_apart = [](auto i, auto j, const Values& v) {
    return row_major(i, j, v.at("w") + 2);
  };
  EXPECT_EQ(replay_column(rows_2_apart)(values),
            "on a DMM with w = 4, threads 0 and 2 of warp 0 have words 1 and 13, both in bank 1, "
            "and the access takes 2 stages");
  EXPECT_THROW(replay_row(rows_2_apart)(values), std::logic_error);
}

TEST(LayoutReplay, of_a_stride_takes_its_common_divisor_with_the_width) {
  const Values values = {{"w", 6}, {"s", 4}, {"first", 5}, {"one", 1}, {"other", 4}};
  EXPECT_EQ(replay_stride(values),
            "on a DMM with w = 6, threads 1 and 4 of warp 0 have words 9 and 21, both in bank 3, "
            "and the access takes 2 stages");
}

}  // namespace
}  // namespace bankproof::proofs
