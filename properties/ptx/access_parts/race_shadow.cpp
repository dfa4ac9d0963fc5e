// The shadow words of a small memory that several warps access, without a launch.
#include "../../../ptx/memory/race_shadow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "../../../ptx/memory/spaces.hpp"
#include "footprints.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::UnorderedElementsAre;

/// Shared memory of 256 bytes of a block with the warps 10 and 11.
class SmallShadow {
 public:
  explicit SmallShadow(const std::vector<std::uint64_t>& watched = {}) {
    owned_.reset(256, false, watched);
    shadow_.records = owned_.records();
    shadow_.history = &owned_.history;
  }

  /// The races that the warp's access finds.
  std::vector<FoundRace> touch(WarpNumber warp, const Footprint& touched, std::uint32_t site = 0) {
    const Viewer viewer{.quiet = ShadowWord::first_of(10),
                        .warp = warp,
                        .first = 10,
                        .warps = 2,
                        .copiers = 2,
                        .block_known = known_.data(),
                        .settled = std::min(known_[0], known_[1]),
                        .shared = true};
    const Access access;
    return judge_races({.touched = touched,
                        .access = access,
                        .site = site,
                        .warp = warp,
                        .now = now_,
                        .begin = window_of(Space::shared),
                        .apart = true},
                       viewer, shadow_, suspects);
  }
  void barrier() {
    known_.fill(now_);
    ++now_;
  }

  Suspects suspects;

 private:
  SharedShadow owned_;
  Shadow shadow_;
  std::array<Epoch, 2> known_{};
  Epoch now_ = 1;
};

TEST(RaceShadow, suspects_the_words_that_two_warps_touch_without_a_barrier) {
  for (const bool barrier : {false, true}) {
    SmallShadow shadow;
    EXPECT_TRUE(shadow.touch(10, writing(strided(4, 0, 4))).empty());
    if (barrier) shadow.barrier();
    Footprint two = reading(strided(4, 8, 4));
    two.lanes = 0b11;
    two.contiguous = false;
    EXPECT_TRUE(shadow.touch(11, two).empty());
    if (barrier) {
      EXPECT_TRUE(shadow.suspects.empty());
    } else {
      EXPECT_THAT(shadow.suspects.words(), UnorderedElementsAre(window_of(Space::shared) + 8,
                                                                window_of(Space::shared) + 12));
    }
  }
}

TEST(RaceShadow, lets_warps_read_together) {
  SmallShadow shadow;
  shadow.touch(10, reading(strided(4, 0, 4)));
  shadow.touch(11, reading(strided(4, 0, 4)));
  EXPECT_TRUE(shadow.suspects.empty());
  shadow.touch(11, writing(strided(4, 0, 4)));
  EXPECT_EQ(shadow.suspects.words().size(), warp_lanes);
}

TEST(RaceShadow, finds_races_at_watched_words_with_both_sites) {
  SmallShadow shadow({16});
  EXPECT_TRUE(shadow.touch(10, writing(strided(4, 0, 4)), 7).empty());
  const std::vector<FoundRace> found = shadow.touch(11, reading(strided(4, 12, 4)), 8);
  EXPECT_EQ(shadow.suspects.words().size(), warp_lanes - 3 - 1) << "words 3 to 31 but not word 4";
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].lane, 1U);
  EXPECT_EQ(found[0].other.site, 7U);
  EXPECT_EQ(found[0].other.warp, 10U);
  EXPECT_TRUE(found[0].other.write);
  EXPECT_EQ(found[0].other_lane, 4U);
}

}  // namespace
}  // namespace bankproof::ptx
