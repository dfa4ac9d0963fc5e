// The families that show bounds to be tight: the machines run the largest member of each family.
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "../../proofs/theorems/families/replay.hpp"
#include "../../testing/tasks.hpp"

namespace bankproof::proofs {
namespace {

TEST(Tightness, of_bounds_is_met_by_machines) {
  for_each_family([]<class Family>(Family) {
    const Replayed replayed = replay_largest<Family>();
    SCOPED_TRACE(::testing::Message() << Family::row.id << ": " << replayed.task);
    EXPECT_EQ(replayed.bound.factor, Family::row.factor);
    EXPECT_EQ(replayed.time, closed_time<Family>(replayed.task));
    EXPECT_LE(replayed.ratio(), static_cast<double>(Family::row.factor));
    EXPECT_GE(1000 * replayed.ratio(), static_cast<double>(Family::row.thousandths));
    EXPECT_LT(1000 * replayed.ratio(), static_cast<double>(Family::row.thousandths + 1));
  });
}

TEST(Families, are_the_rows_of_their_table) {
  std::set<std::string_view> rows;
  for (const FamilyRow& row : family_rows) rows.insert(row.id);
  EXPECT_EQ(rows.size(), family_rows.size());
  for_each_family([&]<class Family>(Family) { EXPECT_EQ(rows.erase(Family::row.id), 1U); });
  EXPECT_TRUE(rows.empty()) << *rows.begin();
}

TEST(Tightness, of_families_that_begin_among_those_that_run_is_as_proved) {
  for_each_family([]<class Family>(Family) {
    if constexpr (Family::row.least != 0) {
      if (Family::row.least <= Family::row.largest) {
        EXPECT_GT(Family::row.thousandths, 990 * Family::row.factor) << Family::row.id;
      }
    }
  });
}

}  // namespace
}  // namespace bankproof::proofs
