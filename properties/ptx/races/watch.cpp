// Accesses to a word that the judge keeps one by one: which of them race, which it merges, and
// which it may forget.
#include "../../../ptx/races/watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace bankproof::ptx {
namespace {

/// A strong write of the whole word by lane 0 of warp 5, at epoch 2.
const WatchedAccess strong_write_of_word{.warp = 5,
                                         .epoch = 2,
                                         .lanes = 1,
                                         .site = 3,
                                         .bytes = 15,
                                         .element = 4,
                                         .write = true,
                                         .strong = true,
                                         .device = true};

WatchedAccess changed(WatchedAccess access, const std::function<void(WatchedAccess&)>& change) {
  change(access);
  return access;
}

/// Copies of the access; each copy changes one field other than the lanes.
std::vector<WatchedAccess> with_one_change(const WatchedAccess& access) {
  return {changed(access, [](auto& a) { a.warp = 6; }),
          changed(access, [](auto& a) { a.epoch = 3; }),
          changed(access, [](auto& a) { a.site = 4; }),
          changed(access, [](auto& a) { a.bytes = 3; }),
          changed(access, [](auto& a) { a.element = 8; }),
          changed(access, [](auto& a) { a.write = false; }),
          changed(access, [](auto& a) { a.strong = false; }),
          changed(access, [](auto& a) { a.device = false; })};
}

/// One access of each kind. Accesses of different kinds conflict with different accesses.
std::vector<WatchedAccess> all_kinds() {
  std::vector<WatchedAccess> all;
  for (const std::uint32_t bytes : {1U, 2U, 3U, 15U}) {
    for (const std::uint32_t element : {4U, 8U}) {
      for (std::uint32_t flags = 0; flags < 8; ++flags) {
        all.push_back({.warp = 5,
                       .epoch = 2,
                       .lanes = 1,
                       .site = 3,
                       .bytes = static_cast<std::uint8_t>(bytes),
                       .element = static_cast<std::uint8_t>(element),
                       .write = (flags & 1U) != 0,
                       .strong = (flags & 2U) != 0,
                       .device = (flags & 4U) != 0});
      }
    }
  }
  return all;
}

TEST(Watch, strong_accesses_to_one_element_in_reach_of_each_other_do_not_conflict) {
  const WatchedAccess& write = strong_write_of_word;
  EXPECT_FALSE(conflict(write, write, false));
  const auto with = [&](const std::function<void(WatchedAccess&)>& change) {
    const WatchedAccess other = changed(write, change);
    EXPECT_EQ(conflict(write, other, false), conflict(other, write, false));
    return conflict(write, other, false);
  };
  EXPECT_TRUE(with([](auto& a) { a.strong = false; }));
  EXPECT_TRUE(with([](auto& a) { a.bytes = 3; }));
  EXPECT_TRUE(with([](auto& a) { a.element = 8; }));
  EXPECT_TRUE(with([](auto& a) { a.device = false; }));
  EXPECT_FALSE(with([](auto& a) { a.write = false; }));
  const WatchedAccess of_block = changed(write, [](auto& a) { a.device = false; });
  EXPECT_FALSE(conflict(of_block, write, true));
  EXPECT_FALSE(conflict(of_block, of_block, true));
  EXPECT_TRUE(conflict(of_block, of_block, false));
}

TEST(Watch, plain_accesses_conflict_where_one_of_them_writes_a_byte_of_both) {
  const WatchedAccess write = changed(strong_write_of_word, [](auto& a) { a.strong = false; });
  const WatchedAccess read = changed(write, [](auto& a) { a.write = false; });
  EXPECT_TRUE(conflict(write, write, true));
  EXPECT_TRUE(conflict(write, read, true));
  EXPECT_TRUE(conflict(read, write, true));
  EXPECT_FALSE(conflict(read, read, true));
  const WatchedAccess low = changed(write, [](auto& a) { a.bytes = 3; });
  const WatchedAccess high = changed(write, [](auto& a) { a.bytes = 12; });
  EXPECT_FALSE(conflict(low, high, true));
}

TEST(Watch, lanes_of_one_access_are_kept_as_one) {
  const Viewer viewer{.warp = 5};
  std::vector<WatchedAccess> list;
  watch(list, viewer, strong_write_of_word, 0);
  watch(list, viewer, changed(strong_write_of_word, [](auto& a) { a.lanes = 4; }), 2);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].lanes, 5U);
  for (const WatchedAccess& other : with_one_change(strong_write_of_word)) {
    list = {strong_write_of_word};
    watch(list, viewer, other, 0);
    EXPECT_EQ(list.size(), 2U);
  }
}

TEST(Watch, a_race_is_with_the_first_lane_that_is_not_ordered) {
  const std::vector<WatchedAccess> list{changed(strong_write_of_word, [](auto& a) {
    a.strong = false;
    a.lanes = 0b110110;
  })};
  const WatchedAccess& mine = list.front();
  const auto found = [&](const Viewer& viewer, std::uint32_t lane) {
    const Race race = race_of(list, viewer, mine, lane);
    return race.other == nullptr ? warp_lanes : race.lane;
  };
  EXPECT_EQ(found({.warp = 6}, 1), 1U);
  EXPECT_EQ(found({.warp = 5}, 0), 1U);
  EXPECT_EQ(found({.warp = 5}, 1), 2U) << "a lane is ordered with itself";
  EXPECT_EQ(found({.warp = 5, .known = 1}, 1), 2U);
  EXPECT_EQ(found({.warp = 5, .known = 2}, 1), warp_lanes) << "all of the warp knows epoch 2";
}

/// Warp 5 is alone in its block.
constexpr WarpNumber warp_of_other_block = 4;

/// Whether `watch` drops `old` when warp 5 makes the access `mine`. Lane 0 of warp 5 knows what
/// `old` did.
bool forgets(const WatchedAccess& mine, const WatchedAccess& old) {
  LaneClocks clocks;
  LaneEpochs epochs{};
  epochs.fill(old.epoch);
  clocks.acquired[0] = Clock(warp_of_other_block, epochs);
  const Epoch known_to_block = 0;
  const Viewer viewer{.warp = 5,
                      .known = 2,
                      .first = 5,
                      .warps = 1,
                      .copiers = 1,
                      .block_known = &known_to_block,
                      .clocks = &clocks};
  std::vector<WatchedAccess> list{old};
  // Fills the list with accesses of warp 7, about which no other warp knows.
  while (list.size() < 16) {
    list.push_back(changed(old, [&](auto& a) {
      a.warp = 7;
      a.site = static_cast<std::uint32_t>(list.size());
    }));
  }
  watch(list, viewer, changed(mine, [](auto& a) { a.epoch = 3; }), 0);
  EXPECT_EQ(std::count_if(list.begin(), list.end(), [](const auto& a) { return a.warp == 7; }), 15);
  return list.front().warp != old.warp || list.front().epoch != old.epoch;
}

/// For each kind, an access by warp 5 and an access by a warp of another block.
std::vector<WatchedAccess> kinds_of_two_blocks() {
  std::vector<WatchedAccess> all = all_kinds();
  for (const WatchedAccess& kind : all_kinds()) {
    all.push_back(changed(kind, [](auto& a) { a.warp = warp_of_other_block; }));
  }
  return all;
}

TEST(Watch, a_later_access_races_with_what_is_kept_if_with_what_is_forgotten) {
  const WarpNumber third_block = 9;
  std::size_t forgotten = 0;
  for (const WatchedAccess& old : kinds_of_two_blocks()) {
    for (const WatchedAccess& mine : all_kinds()) {
      if (!forgets(mine, old)) continue;
      ++forgotten;
      for (const WatchedAccess& later : all_kinds()) {
        for (const WarpNumber block : {mine.warp, warp_of_other_block, third_block}) {
          ASSERT_TRUE(!conflict(old, later, old.warp == block) ||
                      conflict(mine, later, mine.warp == block));
        }
      }
    }
  }
  EXPECT_GT(forgotten, all_kinds().size());
}

TEST(Watch, forgets_what_a_plain_access_or_the_same_one_stands_for) {
  const WatchedAccess write = changed(strong_write_of_word, [](auto& a) { a.strong = false; });
  const WatchedAccess read = changed(write, [](auto& a) { a.write = false; });
  for (const WatchedAccess& old : kinds_of_two_blocks()) {
    EXPECT_TRUE(forgets(write, old));
    EXPECT_EQ(forgets(read, old), !old.write);
  }
  for (const WatchedAccess& old : all_kinds()) EXPECT_TRUE(forgets(old, old));
}

TEST(Watch, no_more_words_are_suspected_than_asked_for) {
  Suspects suspects;
  suspects.most = 2;
  for (const std::uint64_t word : {4U, 8U, 8U, 12U, 16U}) suspects.add(word);
  EXPECT_EQ(suspects.words().size(), 2U);
  suspects.clear();
  EXPECT_TRUE(suspects.empty());
}

}  // namespace
}  // namespace bankproof::ptx
