// Whether an earlier access happened before a later one, decided from records: after barriers,
// after waits for copies, and after acquires of a lane.
#include <gtest/gtest.h>

#include <cstdint>

#include "record_word.hpp"

namespace bankproof::ptx {
namespace {

/// Whether lane 4 of the viewer may load the bytes of the record, a record of a write.
bool is_ordered(const Word& word, ShadowWord record) {
  return word.viewer.ordered(record, 4, record.bytes());
}

TEST(RecordOrder, are_ordered_by_barriers_up_to_their_epochs) {
  Word word;
  word.known = {5, 6, 7, 8};
  for (const Form form : {Form::one, Form::bytes, Form::lanes, Form::warps, Form::blocks}) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      const auto at = [&](Epoch epoch) { return ShadowWord::of(10 + k, epoch, 9, 15).with(form); };
      EXPECT_EQ(is_ordered(word, at(5 + k)), form != Form::blocks);
      EXPECT_FALSE(is_ordered(word, at(6 + k)));
    }
    EXPECT_FALSE(is_ordered(word, ShadowWord::of(14, 1, 9, 15).with(form)));
    // An access of the viewer's own warp, ordered by a barrier of the warp.
    word.viewer.known = 9;
    const bool of_warp = form <= Form::lanes;
    EXPECT_EQ(is_ordered(word, ShadowWord::of(11, 9, 9, 15).with(form)), of_warp);
    EXPECT_FALSE(is_ordered(word, ShadowWord::of(11, 10, 9, 15).with(form)));
    EXPECT_FALSE(is_ordered(word, ShadowWord::of(10, 9, 9, 15).with(form)));
    word.viewer.known = 0;
  }
}

TEST(RecordOrder, of_copies_are_ordered_where_their_lane_or_its_warp_has_waited) {
  Word word;
  Copies copies;
  copies.issue(all_lanes, 3);
  copies.wait_all(LaneMask{1} << 4, 3);
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(13, 3, 4, 15)));
  word.viewer.copies = &copies;
  EXPECT_TRUE(is_ordered(word, ShadowWord::of(13, 3, 4, 15)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(13, 4, 4, 15)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(13, 3, 5, 15))) << "another lane's copy";
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(12, 3, 4, 15))) << "another warp's copy";
  copies.known_to_warp = 3;
  for (const Form form : {Form::one, Form::bytes, Form::lanes, Form::warps, Form::blocks}) {
    EXPECT_EQ(is_ordered(word, ShadowWord::of(13, 3, 5, 15).with(form)), form <= Form::lanes);
    EXPECT_FALSE(is_ordered(word, ShadowWord::of(13, 4, 5, 15).with(form)));
    EXPECT_FALSE(is_ordered(word, ShadowWord::of(12, 3, 5, 15).with(form)));
  }
}

TEST(RecordOrder, are_ordered_with_their_own_lane_and_by_what_it_acquired) {
  Word word;
  const auto bytes_from_lane = [](std::uint32_t lane) {
    return ShadowWord::of(11, 2, lane, 15).with(Form::bytes);
  };
  const auto halves_from_lane = [](std::uint32_t lane) {
    return ShadowWord::of(11, 2, lane, 15).with(Form::halves);
  };
  EXPECT_TRUE(is_ordered(word, ShadowWord::of(11, 2, 4, 15)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(11, 2, 3, 15)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(10, 2, 4, 15)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(11, 2, 4, 15).with(Form::lanes)));
  for (std::uint32_t byte = 0; byte < 4; ++byte) {
    for (std::uint32_t lane = 0; lane <= 4; ++lane) {
      EXPECT_EQ(word.viewer.ordered(bytes_from_lane(lane), 4, 1U << byte), lane + byte == 4);
      EXPECT_EQ(word.viewer.ordered(halves_from_lane(lane), 4, 1U << byte), lane + byte / 2 == 4);
    }
  }
  EXPECT_FALSE(word.viewer.ordered(bytes_from_lane(4), 4, 3));
  EXPECT_FALSE(word.viewer.ordered(bytes_from_lane(3), 4, 3));

  LaneClocks clocks;
  LaneEpochs epochs{};
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) epochs[lane] = lane == 9 ? 1 : 2;
  clocks.acquired[4] = Clock(10, epochs);
  word.viewer.clocks = &clocks;
  EXPECT_TRUE(is_ordered(word, ShadowWord::of(10, 2, 8, 15)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(10, 3, 8, 15)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(10, 2, 9, 15)));
  EXPECT_FALSE(word.viewer.ordered(ShadowWord::of(10, 2, 8, 15), 5, 15))
      << "lane 5 acquired nothing";
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(10, 2, 6, 15).with(Form::bytes)));
  EXPECT_TRUE(is_ordered(word, ShadowWord::of(10, 2, 5, 15).with(Form::bytes)));
  EXPECT_TRUE(is_ordered(word, ShadowWord::of(10, 1, 0, 15).with(Form::lanes)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(10, 2, 0, 15).with(Form::lanes)));
  EXPECT_FALSE(is_ordered(word, ShadowWord::of(10, 1, 0, 15).with(Form::warps)));
}

/// Whether the fast path decides that a weak access to a whole word does not race.
bool settled(bool writes, Word word) {
  word.viewer.block_known = word.known.data();
  Word slowly = word;
  slowly.viewer.block_known = slowly.known.data();
  const ShadowWord mine = ShadowWord::of(11, 4, 4, 15);
  const bool clear = writes ? write_settled(word.both(), word.viewer, mine)
                            : read_settled(word.both(), word.viewer, mine);
  if (!clear) return false;
  EXPECT_EQ(writes ? slowly.store(mine) : slowly.load(mine), Judgement::clear);
  EXPECT_EQ(word.write.bits(), slowly.write.bits());
  if (word.read.bits() != slowly.read.bits()) {
    EXPECT_TRUE(word.viewer.is_quiet(word.read) && word.viewer.is_quiet(slowly.read));
  }
  return true;
}

TEST(RecordOrder, that_all_of_the_block_knows_are_judged_in_short_as_they_are_at_length) {
  Word word;
  word.known = {3, 5, 2, 2};
  word.viewer.settled = 3;
  const ShadowWord other = ShadowWord::of(10, 3, 4, 15);
  for (const bool writes : {false, true}) {
    for (const bool behind_write : {false, true}) {
      const auto judged = [&](ShadowWord before) {
        Word one = word;
        (behind_write ? one.write : one.read) = before;
        return settled(writes, one);
      };

      EXPECT_TRUE(judged(ShadowWord::of(9, 9, 4, 15)));
      for (const Form form : {Form::one, Form::bytes, Form::lanes, Form::warps}) {
        EXPECT_TRUE(judged(other.with(form)));
        EXPECT_FALSE(judged(ShadowWord::of(10, 4, 4, 15).with(form)));
      }
      // Reads by any threads are joined by another read.
      EXPECT_EQ(judged(other.with(Form::blocks)), !writes && !behind_write);
      // The viewer knows copies separately.
      EXPECT_FALSE(judged(ShadowWord::of(12, 3, 4, 15)));
      EXPECT_TRUE(judged(ShadowWord::of(12, 2, 4, 15)));
      EXPECT_FALSE(judged(ShadowWord::of(14, 1, 4, 15))) << "another block's";
    }
  }
  // A repeated read does not race, although nothing orders it.
  word.read = ShadowWord::of(11, 4, 4, 15);
  EXPECT_TRUE(settled(false, word));
  EXPECT_FALSE(settled(true, word));
}

/// The records of one word by any warp, at any epoch, in any form.
template <class Check>
void each_record(const Check& check) {
  for (const WarpNumber warp : {9U, 10U, 11U, 13U, 14U}) {
    for (const Epoch epoch : {1U, 3U, 4U}) {
      for (const std::uint32_t lane : {4U, 5U}) {
        for (const Form form :
             {Form::one, Form::bytes, Form::halves, Form::lanes, Form::warps, Form::blocks}) {
          check(ShadowWord::of(warp, epoch, lane, 15).with(form));
        }
      }
    }
  }
}

TEST(RecordOrder, of_accesses_that_join_others_are_those_at_length) {
  std::uint32_t joined = 0;
  each_record([&](ShadowWord before) {
    Word word;
    word.known.fill(3);
    word.viewer.settled = 3;
    word.viewer.copiers = word.viewer.warps;
    word.read = before;
    joined += settled(false, word) ? 1U : 0U;
    for (const Bound bound : {Bound::launch, Bound::block, Bound::warp}) {
      Word fast = word;
      fast.read = {};
      fast.write = before.made_strong(bound, 0);
      Word slow = fast;
      fast.viewer.block_known = fast.known.data();
      slow.viewer.block_known = slow.known.data();
      const ShadowWord mine = ShadowWord::of(11, 4, 4, 15).made_strong(Bound::launch, 0);
      if (!write_strongly_again(fast.both(), fast.viewer, mine)) continue;
      ++joined;
      EXPECT_EQ(slow.store(mine), Judgement::clear);
      EXPECT_EQ(fast.write.bits(), slow.write.bits());
    }
  });
  EXPECT_GT(joined, 100U);
}

/// Strong records of elements of a word by any warp, at any epoch, in any form.
template <class Check>
void each_strong_record(const Check& check) {
  each_record([&](ShadowWord record) {
    for (const Bound bound : {Bound::launch, Bound::block, Bound::warp}) {
      check(record.made_strong(bound, ShadowWord::wide_of(4)));
      for (const std::uint32_t bytes : {1U, 2U, 4U, 6U}) {
        check(record.with_bytes(bytes).made_strong(bound, ShadowWord::wide_of(1)));
      }
      for (const std::uint32_t bytes : {1U, 3U, 12U, 15U}) {
        check(record.with_bytes(bytes).made_strong(bound, ShadowWord::wide_of(2)));
      }
    }
  });
}

TEST(RecordOrder, of_strong_accesses_in_short_are_those_at_length) {
  const ShadowWord mine = ShadowWord::of(11, 4, 4, 15);
  const std::array<ShadowWord, 3> accesses = {
      mine.made_strong(Bound::launch, ShadowWord::wide_of(4)),
      mine.with_bytes(2).made_strong(Bound::launch, ShadowWord::wide_of(1)),
      mine.with_bytes(3).made_strong(Bound::launch, ShadowWord::wide_of(2))};
  LaneClocks clocks;
  LaneEpochs epochs{};
  epochs.fill(3);
  clocks.acquired[4] = Clock(14, epochs);
  std::uint32_t short_ones = 0;
  const auto compare = [&](const Word& word, bool writes, ShadowWord access) {
    Word fast = word;
    Word slow = word;
    fast.viewer.block_known = fast.known.data();
    slow.viewer.block_known = slow.known.data();
    const bool again = writes ? write_strongly_again(fast.both(), fast.viewer, access)
                              : read_strongly_again(fast.both(), fast.viewer, access);
    if (!again) return;
    ++short_ones;
    ASSERT_EQ(writes ? slow.store(access) : slow.load(access), Judgement::clear);
    ASSERT_EQ(fast.write.bits(), slow.write.bits());
    ASSERT_EQ(fast.read.bits(), slow.read.bits());
  };
  each_strong_record([&](ShadowWord before) {
    for (const bool precise : {false, true}) {
      for (const bool copiers : {false, true}) {
        Word word;
        word.known.fill(3);
        word.viewer.settled = 3;
        if (!copiers) word.viewer.copiers = word.viewer.warps;
        if (precise) word.viewer.clocks = &clocks;
        for (const ShadowWord access : accesses) {
          for (const bool writes : {false, true}) {
            word.write = before;
            word.read = {};
            compare(word, writes, access);
            if (before.bound() != Bound::launch) continue;  // no record of reads
            word.write = {};
            word.read = before;
            compare(word, writes, access);
            word.write = before;
            compare(word, writes, access);
          }
        }
      }
    }
  });
  EXPECT_GT(short_ones, 1000U);
}

}  // namespace
}  // namespace bankproof::ptx
