// The families that show bounds to be tight: the machines run the largest member of each family.
#include <gtest/gtest.h>

#include "../../proofs/theorems/families/replay.hpp"
#include "../../testing/tasks.hpp"

namespace bankproof::proofs {
namespace {

TEST(Tightness, of_bounds_is_met_by_machines) {
  for_each_family([]<class Family>(Family) {
    const Replayed replayed = replay_largest<Family>();
    SCOPED_TRACE(::testing::Message() << Family::id << ": " << replayed.task);
    EXPECT_EQ(replayed.bound.factor, Family::factor);
    EXPECT_EQ(replayed.time, closed_time<Family>(replayed.task));
    EXPECT_LE(replayed.ratio(), static_cast<double>(Family::factor));
    EXPECT_GE(1000 * replayed.ratio(), static_cast<double>(Family::thousandths));
    EXPECT_LT(1000 * replayed.ratio(), static_cast<double>(Family::thousandths + 1));
  });
}

TEST(Tightness, of_families_that_begin_among_those_that_run_is_as_proved) {
  for_each_family([]<class Family>(Family) {
    if constexpr (requires { Family::least; }) {
      if (Family::least <= Family::largest) {
        EXPECT_GT(Family::thousandths, 990 * Family::factor) << Family::id;
      }
    }
  });
}

}  // namespace
}  // namespace bankproof::proofs
