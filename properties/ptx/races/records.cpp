// Records of words one by one: their meaning after an access, and the judgements that they give.
// Tests of whole launches show that records never miss a race (races.cpp, interleavings).
#include <gtest/gtest.h>

#include <cstdint>

#include "record_word.hpp"

namespace bankproof::ptx {
namespace {

ShadowWord strong(ShadowWord record, std::uint32_t wide = 0, Bound bound = Bound::launch) {
  return record.made_strong(bound, wide);
}

TEST(Records, hold_what_they_are_made_of) {
  const ShadowWord weak = ShadowWord::of(most_warps, latest_epoch, 31, 15);
  const ShadowWord none = ShadowWord::of(0, 0, 0, 0);
  for (const ShadowWord& record : {weak, none}) {
    const bool all = record.bits() == weak.bits();
    const auto same_place = [&](ShadowWord other) {
      EXPECT_EQ(other.warp(), all ? most_warps : 0);
      EXPECT_EQ(other.epoch(), all ? latest_epoch : 0);
    };
    same_place(record);
    EXPECT_EQ(record.lane(), all ? 31U : 0U);
    EXPECT_EQ(record.bytes(), all ? 15U : 0U);
    EXPECT_EQ(record.form(), Form::one);
    EXPECT_FALSE(record.strong());
    EXPECT_EQ(record.bound(), Bound::launch);
    EXPECT_EQ(record.wide(), 0U);
    for (const Bound bound : {Bound::launch, Bound::block, Bound::warp}) {
      for (std::uint32_t wide = 0; wide < 5; ++wide) {
        const ShadowWord made = record.made_strong(bound, wide);
        same_place(made);
        EXPECT_TRUE(made.strong());
        EXPECT_EQ(made.bound(), bound);
        EXPECT_EQ(made.wide(), wide);
        EXPECT_EQ(made.bytes(), record.bytes());
        EXPECT_EQ(made.made_weak().bits(), record.bits());
        EXPECT_EQ(made.made_strong(Bound::launch, 0).bits(), strong(record).bits());
      }
    }
    for (const Form form : {Form::one, Form::bytes, Form::lanes, Form::blocks, Form::watched}) {
      same_place(record.with(form));
      EXPECT_EQ(record.with(form).form(), form);
      EXPECT_EQ(record.with(form).lane(), record.lane());
      EXPECT_EQ(record.with(form).with(Form::one).bits(), record.bits());
    }
    EXPECT_EQ(record.with_lane(21).lane(), 21U);
    EXPECT_EQ(record.with_lane(21).with_lane(record.lane()).bits(), record.bits());
    EXPECT_EQ(record.with_bytes(10).bytes(), 10U);
    EXPECT_EQ(record.with_bytes(10).with_bytes(record.bytes()).bits(), record.bits());
  }
  EXPECT_LT(ShadowWord::of(9, latest_epoch, 31, 15).bits(), ShadowWord::first_of(10));
  EXPECT_GE(none.bits(), ShadowWord::first_of(0));
  EXPECT_GE(ShadowWord::watched().bits(), ShadowWord::first_of(most_warps));
}

/// The record after two lanes load elements of a word with one instruction.
ShadowWord loaded_by_two(std::uint32_t lane, std::uint32_t bytes, std::uint32_t other_lane,
                         std::uint32_t other_bytes) {
  Word word;
  EXPECT_EQ(word.load(ShadowWord::of(11, 1, lane, bytes)), Judgement::clear);
  EXPECT_EQ(word.load(ShadowWord::of(11, 1, other_lane, other_bytes)), Judgement::clear);
  return word.read;
}

// For the usual rows of bytes and of half-words, records keep exactly which lane accessed which
// element.
TEST(Records, keep_lanes_one_behind_the_other_by_their_bytes) {
  for (const std::uint32_t unit : {1U, 2U}) {
    const std::uint32_t element = (1U << unit) - 1U;
    for (std::uint32_t lane = 0; lane < 6; ++lane) {
      for (std::uint32_t other = 0; other < 6; ++other) {
        if (lane == other) continue;
        for (std::uint32_t k = 0; k < 4 / unit; ++k) {
          for (std::uint32_t other_k = 0; other_k < 4 / unit; ++other_k) {
            const std::uint32_t bytes = element << k * unit;
            const std::uint32_t other_bytes = element << other_k * unit;
            const ShadowWord both = loaded_by_two(lane, bytes, other, other_bytes);
            EXPECT_EQ(both.bytes(), bytes | other_bytes);
            EXPECT_EQ(both.warp(), 11U);
            const bool in_a_row = lane >= k && other >= other_k && lane - k == other - other_k;
            if (!in_a_row) {
              EXPECT_EQ(both.form(), Form::lanes) << lane << other << k << other_k;
              continue;
            }
            EXPECT_EQ(both.form(), unit == 1 ? Form::bytes : Form::halves);
            EXPECT_EQ(both.lane(), lane - k);
          }
        }
      }
    }
  }
  // A byte and a half-word do not form a row, nor does an access of three bytes.
  EXPECT_EQ(loaded_by_two(4, 3, 6, 4).form(), Form::lanes);
  EXPECT_EQ(loaded_by_two(4, 1, 5, 12).form(), Form::lanes);
  EXPECT_EQ(loaded_by_two(4, 7, 7, 8).form(), Form::lanes);
  EXPECT_EQ(loaded_by_two(4, 15, 4, 15).form(), Form::one);
}

TEST(Records, of_rows_go_on_while_lanes_join_them) {
  Word word;
  for (std::uint32_t k = 0; k < 4; ++k) word.load(ShadowWord::of(11, 1, 8 + k, 1U << k));
  EXPECT_EQ(word.read.bits(), ShadowWord::of(11, 1, 8, 15).with(Form::bytes).bits());
  word.load(ShadowWord::of(11, 1, 8, 2));
  EXPECT_EQ(word.read.form(), Form::lanes);
}

TEST(Records, of_different_threads_stand_for_as_few_as_they_can) {
  const auto both = [](ShadowWord first, ShadowWord second) {
    Word word;
    word.viewer.warp = second.warp();
    word.read = first;
    word.load(second);
    EXPECT_EQ(word.read.bytes(), first.bytes() | second.bytes());
    EXPECT_EQ(word.read.epoch(), second.epoch());
    EXPECT_EQ(word.read.warp(), second.warp());
    return word.read.form();
  };
  EXPECT_EQ(both(ShadowWord::of(11, 1, 3, 1), ShadowWord::of(11, 2, 3, 2)), Form::one);
  EXPECT_EQ(both(ShadowWord::of(11, 1, 3, 1), ShadowWord::of(11, 2, 4, 2)), Form::lanes);
  EXPECT_EQ(both(ShadowWord::of(11, 2, 3, 1).with(Form::lanes), ShadowWord::of(11, 2, 4, 2)),
            Form::lanes);
  EXPECT_EQ(both(ShadowWord::of(10, 1, 3, 1), ShadowWord::of(11, 2, 3, 2)), Form::warps);
  EXPECT_EQ(both(ShadowWord::of(11, 1, 3, 1).with(Form::warps), ShadowWord::of(11, 2, 3, 2)),
            Form::warps);
  EXPECT_EQ(both(ShadowWord::of(11, 1, 3, 1).with(Form::blocks), ShadowWord::of(11, 2, 3, 2)),
            Form::blocks);
  // Warp 14 is outside the block; 12 and 13 are the copiers of the block's warps.
  EXPECT_EQ(both(ShadowWord::of(14, 1, 3, 1), ShadowWord::of(11, 2, 3, 2)), Form::blocks);
  EXPECT_EQ(both(ShadowWord::of(12, 1, 3, 1), ShadowWord::of(11, 2, 3, 2)), Form::blocks);
  EXPECT_EQ(both(ShadowWord::of(10, 1, 3, 1), ShadowWord::of(13, 2, 3, 2)), Form::blocks);
}

TEST(Records, of_other_bytes_and_of_launches_before_are_clear) {
  Word word;
  word.write = ShadowWord::of(10, 3, 4, 3);
  word.read = ShadowWord::of(10, 3, 4, 12);
  EXPECT_EQ(check_write(word.both(), word.viewer, ShadowWord::of(11, 1, 4, 1)), Judgement::suspect);
  EXPECT_EQ(check_write(word.both(), word.viewer, ShadowWord::of(11, 1, 4, 4)), Judgement::suspect);
  EXPECT_EQ(word.load(ShadowWord::of(11, 1, 4, 4)), Judgement::clear);
  EXPECT_EQ(word.load(ShadowWord::of(11, 1, 4, 2)), Judgement::suspect);
  word.write = ShadowWord::of(10, 3, 4, 1);
  word.read = ShadowWord::of(10, 3, 4, 2);
  EXPECT_EQ(check_write(word.both(), word.viewer, ShadowWord::of(11, 1, 4, 12)), Judgement::clear);
  word.write = word.read = ShadowWord::of(9, 3, 4, 15);
  EXPECT_EQ(word.store(ShadowWord::of(11, 1, 4, 3)), Judgement::clear);
  EXPECT_EQ(word.write.bits(), ShadowWord::of(11, 1, 4, 3).bits());
  EXPECT_EQ(word.read.bytes(), 12U);
  // If the accesses have no common byte, it does not matter which lanes made them, and what
  // happened before.
  for (const Form form : {Form::one, Form::lanes, Form::warps, Form::blocks}) {
    word.write = word.read = ShadowWord::of(10, 3, 4, 3).with(form);
    EXPECT_EQ(check_write(word.both(), word.viewer, ShadowWord::of(11, 1, 4, 12)),
              Judgement::clear);
  }
  word.read = {};
  word.write = strong(ShadowWord::of(9, 3, 4, 15), 0, Bound::warp);
  EXPECT_EQ(check_write(word.both(), word.viewer, strong(ShadowWord::of(11, 1, 4, 15))),
            Judgement::clear);
  word.write = ShadowWord::watched();
  EXPECT_EQ(check_write(word.both(), word.viewer, ShadowWord::of(11, 1, 4, 1)), Judgement::watched);
  EXPECT_EQ(word.load(ShadowWord::of(11, 1, 4, 1)), Judgement::watched);
}

TEST(Records, of_reads_are_forgotten_where_another_read_stands_for_them) {
  const auto after = [](ShadowWord before, ShadowWord mine, Epoch known) {
    Word word;
    word.known[0] = known;
    word.read = before;
    EXPECT_EQ(word.load(mine), Judgement::clear);
    return word.read;
  };
  const ShadowWord before = ShadowWord::of(10, 2, 3, 3);
  const ShadowWord mine = ShadowWord::of(11, 1, 4, 15);
  EXPECT_EQ(after(before, mine, 2).bits(), mine.bits());
  EXPECT_EQ(after(before, mine, 1).form(), Form::warps);
  EXPECT_EQ(after(before, mine.with_bytes(12), 2).form(), Form::warps) << "of other bytes";
  // Within the viewer's own warp each byte counts, including the first.
  EXPECT_EQ(after(ShadowWord::of(11, 1, 5, 1), mine, 0).form(), Form::lanes);
  EXPECT_EQ(after(ShadowWord::of(11, 1, 4, 1), mine, 0).bits(), mine.bits());
  // A weak read conflicts with strong writes, so the record of a strong read must not replace the
  // record of a weak read.
  const ShadowWord same = strong(ShadowWord::of(10, 2, 3, 15));
  EXPECT_EQ(after(same, strong(mine), 2).bits(), strong(mine).bits());
  EXPECT_FALSE(after(same.made_weak(), strong(mine), 2).strong());
  EXPECT_EQ(after(same.made_weak(), strong(mine), 2).form(), Form::warps);
  EXPECT_EQ(after(same, mine, 2).bits(), mine.bits());
  EXPECT_TRUE(after(same, strong(mine), 1).strong());
  EXPECT_EQ(after(same, strong(mine), 1).form(), Form::warps);
  EXPECT_FALSE(after(same, strong(mine, 1), 1).strong()) << "of wider elements";
  EXPECT_FALSE(after(same, strong(mine.with_bytes(3)), 1).strong()) << "of other bytes";
}

TEST(Records, of_weak_writes_stand_for_what_was_before_where_it_covers_that) {
  const auto after = [](ShadowWord before, std::uint32_t bytes, Epoch known) {
    Word word;
    word.known[0] = known;
    word.write = before;
    word.store(ShadowWord::of(11, 1, 4, bytes));
    return word.write;
  };
  EXPECT_EQ(after(ShadowWord::of(10, 2, 3, 3), 3, 2).bits(), ShadowWord::of(11, 1, 4, 3).bits());
  EXPECT_EQ(after(ShadowWord::of(10, 2, 3, 3), 3, 1).form(), Form::warps);
  EXPECT_EQ(after(ShadowWord::of(10, 2, 3, 3), 1, 2).bytes(), 3U);
  EXPECT_EQ(after(ShadowWord::of(10, 2, 3, 3), 1, 2).form(), Form::warps);
  EXPECT_EQ(after(ShadowWord::of(9, 2, 3, 3), 1, 0).bits(), ShadowWord::of(11, 1, 4, 1).bits());
}

/// The record of writes when `before` was the record of an earlier write, and lane 4 then makes a
/// strong write.
ShadowWord after_strong(const Word& seen, ShadowWord before, std::uint32_t bytes = 15) {
  Word word = seen;
  word.viewer.block_known = word.known.data();
  word.write = before;
  word.store(strong(ShadowWord::of(11, 1, 4, bytes)));
  return word.write;
}

TEST(Records, of_strong_writes_know_for_whom_a_weak_one_stands_behind_them) {
  Word word;
  const ShadowWord mine = strong(ShadowWord::of(11, 1, 4, 15));
  EXPECT_EQ(after_strong(word, ShadowWord::of(9, 1, 3, 15)).bits(), mine.bits());
  // Nothing orders the earlier write, so the record keeps both writes.
  EXPECT_EQ(after_strong(word, ShadowWord::of(10, 2, 3, 15)).form(), Form::warps);
  EXPECT_FALSE(after_strong(word, ShadowWord::of(10, 2, 3, 15)).strong());
  // The warp knows the earlier write.
  word.viewer.known = 2;
  const ShadowWord own = ShadowWord::of(11, 2, 3, 15);
  EXPECT_EQ(after_strong(word, own).bits(), mine.made_strong(Bound::warp, 0).bits());
  EXPECT_EQ(after_strong(word, own.with(Form::lanes)).bits(),
            mine.made_strong(Bound::warp, 0).bits());
  EXPECT_FALSE(after_strong(word, own.with(Form::warps)).strong());
  EXPECT_FALSE(after_strong(word, ShadowWord::of(11, 3, 3, 15)).strong());
  EXPECT_FALSE(after_strong(word, ShadowWord::of(10, 2, 3, 15)).strong());
  // The block knows the earlier write, and so do all threads that see shared memory.
  word.known = {2, 2, 0, 0};
  EXPECT_EQ(after_strong(word, own).bits(), mine.made_strong(Bound::block, 0).bits());
  word.viewer.shared = true;
  EXPECT_EQ(after_strong(word, own).bits(), mine.bits());
  // Bytes that the strong write does not cover stay weak.
  EXPECT_FALSE(after_strong(word, own, 3).strong());
  EXPECT_EQ(after_strong(word, own, 3).bytes(), 15U);
}

TEST(Records, of_strong_writes_of_one_element_keep_what_is_behind_the_first) {
  Word word;
  const ShadowWord own = strong(ShadowWord::of(11, 1, 4, 15));
  for (const Bound bound : {Bound::launch, Bound::block, Bound::warp}) {
    const ShadowWord before = strong(ShadowWord::of(10, 2, 3, 15), 0, bound);
    word.known[0] = 1;
    EXPECT_EQ(after_strong(word, before).bound(), bound);
    EXPECT_EQ(after_strong(word, before).form(), Form::warps);
    word.known[0] = 2;
    const Bound known = bound == Bound::launch ? Bound::launch : Bound::block;
    EXPECT_EQ(after_strong(word, before).bits(), own.made_strong(known, 0).bits());
  }
  // Elements of another size are different elements.
  EXPECT_FALSE(after_strong(word, strong(ShadowWord::of(10, 2, 3, 15), 1)).strong());
}

TEST(Records, of_strong_accesses_to_the_bytes_of_a_word_stand_for_all_of_them) {
  const std::uint32_t byte = ShadowWord::wide_of(1);
  const ShadowWord mine = strong(ShadowWord::of(11, 1, 4, 2), byte);
  for (const bool writes : {false, true}) {
    const auto after = [&](ShadowWord before, Epoch known) {
      Word word;
      word.known[0] = known;
      (writes ? word.write : word.read) = before;
      EXPECT_EQ(writes ? word.store(mine) : word.load(mine), Judgement::clear);
      return writes ? word.write : word.read;
    };
    const ShadowWord other = ShadowWord::of(10, 2, 3, 1);
    // The earlier access touched another byte, so its record stays even if it is ordered.
    for (const Epoch known : {1U, 2U}) {
      const ShadowWord both = after(strong(other, byte), known);
      EXPECT_TRUE(both.strong());
      EXPECT_EQ(both.wide(), byte);
      EXPECT_EQ(both.bytes(), 3U);
      EXPECT_EQ(both.form(), Form::warps);
    }
    EXPECT_EQ(after(strong(ShadowWord::of(20, 2, 3, 1), byte), 0).form(), Form::blocks);
    EXPECT_EQ(after(strong(ShadowWord::of(11, 1, 3, 1), byte), 0).form(), Form::bytes);
    // Elements of another size, and weak accesses.
    EXPECT_FALSE(after(strong(other.with_bytes(12), ShadowWord::wide_of(2)), 1).strong());
    EXPECT_FALSE(after(strong(other.with_bytes(4)), 1).strong());
    EXPECT_FALSE(after(other, 1).strong());
  }
}

TEST(Records, of_strong_accesses_to_other_bytes_keep_a_bound_only_where_it_holds) {
  const std::uint32_t byte = ShadowWord::wide_of(1);
  const auto after = [&](WarpNumber warp, Bound bound) {
    Word word;
    word.write = strong(ShadowWord::of(warp, 2, 3, 1), byte, bound);
    EXPECT_EQ(word.store(strong(ShadowWord::of(11, 1, 4, 2), byte)), Judgement::clear);
    return word.write;
  };
  EXPECT_EQ(after(20, Bound::launch).bound(), Bound::launch);
  EXPECT_TRUE(after(20, Bound::launch).strong());
  EXPECT_FALSE(after(20, Bound::block).strong());
  EXPECT_EQ(after(10, Bound::block).bound(), Bound::block);
  EXPECT_FALSE(after(10, Bound::warp).strong());
  EXPECT_EQ(after(11, Bound::warp).bound(), Bound::warp);
}

TEST(Records, of_strong_accesses_are_suspected_for_the_weak_one_behind_them) {
  const auto judged = [](WarpNumber warp, Bound bound) {
    Word word;
    word.write = strong(ShadowWord::of(warp, 3, 4, 15), 0, bound);
    return check_write(word.both(), word.viewer, strong(ShadowWord::of(11, 1, 4, 15)));
  };
  EXPECT_EQ(judged(20, Bound::launch), Judgement::clear);
  EXPECT_EQ(judged(20, Bound::block), Judgement::suspect);
  EXPECT_EQ(judged(10, Bound::block), Judgement::clear);
  EXPECT_EQ(judged(10, Bound::warp), Judgement::suspect);
  EXPECT_EQ(judged(11, Bound::warp), Judgement::clear);
  Word word;
  word.write = strong(ShadowWord::of(10, 3, 4, 15));
  EXPECT_EQ(word.load(ShadowWord::of(11, 1, 4, 15)), Judgement::suspect) << "weak";
  EXPECT_EQ(word.load(strong(ShadowWord::of(11, 1, 4, 15), 2)), Judgement::suspect) << "wider";
}

}  // namespace
}  // namespace bankproof::ptx
