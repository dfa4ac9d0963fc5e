// A DMM runs as many blocks at a time as its threads and its shared words allow (docs/model.md,
// rules 7 and 8). A block takes whole warps of threads and whole rows of banks. Arrays of the DMM
// take their words first. If not even one block fits, the launch faults.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "../../model/machine.hpp"

namespace bankproof {
namespace {

/// One access of latency L per block: blocks that run at the same time share the latency.
Program one_read(Warp& warp, Array<int>& a) { co_await a.read(warp.lane()); }

/// One DMM runs 12 blocks of `threads` threads and `words` shared words, as many blocks at a time
/// as fit. Returns how many such sets of blocks follow one another. Each block makes a read that
/// takes 100 time units, so each set takes about 100.
std::uint64_t sets_of_blocks(const HierarchicalMachine& limits, std::uint64_t threads,
                             std::uint64_t words, std::uint64_t words_of_arrays = 0) {
  HierarchicalMachine machine_of = limits;
  machine_of.width = 4;
  machine_of.global_latency = 100;
  Hmm machine(machine_of);
  std::unique_ptr<Array<int>> taken;
  if (words_of_arrays > 0) {
    taken = std::make_unique<Array<int>>(machine.shared(0), words_of_arrays, "taken");
  }
  Array<int> a(machine.global(), std::vector<int>(4), "a");
  const Launch launch{.blocks = 12, .threads = threads, .shared_words = words};
  return machine.launch(launch, one_read, a) / 100;
}

TEST(Residency, is_unlimited_unless_told_otherwise) { EXPECT_EQ(sets_of_blocks({}, 4, 5), 1U); }

TEST(Residency, is_bounded_by_threads_in_whole_warps) {
  EXPECT_EQ(sets_of_blocks({.resident_threads = 4}, 4, 0), 12U);
  EXPECT_EQ(sets_of_blocks({.resident_threads = 11}, 4, 0), 6U);
  EXPECT_EQ(sets_of_blocks({.resident_threads = 12}, 4, 0), 4U);
  EXPECT_EQ(sets_of_blocks({.resident_threads = 12}, 3, 0), 4U);
  EXPECT_EQ(sets_of_blocks({.resident_threads = 12}, 5, 0), 12U);
}

TEST(Residency, is_bounded_by_shared_words_in_whole_rows) {
  EXPECT_EQ(sets_of_blocks({.capacity = 24}, 4, 8), 4U);
  EXPECT_EQ(sets_of_blocks({.capacity = 24}, 4, 5), 4U);
  EXPECT_EQ(sets_of_blocks({.capacity = 24}, 4, 9), 6U);
  EXPECT_EQ(sets_of_blocks({.capacity = 24}, 4, 24), 12U);
}

TEST(Residency, leaves_room_for_the_arrays_of_the_DMM) {
  EXPECT_EQ(sets_of_blocks({.capacity = 24}, 4, 4, 8), 3U);
  EXPECT_EQ(sets_of_blocks({.capacity = 24}, 4, 4, 17), 12U);
  EXPECT_THROW(sets_of_blocks({.capacity = 24}, 4, 4, 21), Fault);
}

TEST(Residency, arrays_share_a_memory_without_overlap_until_it_is_full) {
  Dmm machine({.width = 4, .capacity = 24});
  const Array<int> first(machine.memory(), 5, "first");
  const Array<int> second(machine.memory(), 9, "second");
  EXPECT_EQ(first.base(), 0U);
  EXPECT_EQ(second.base(), 8U);
  EXPECT_EQ(machine.memory().free_words(), 4U);
  EXPECT_THROW(Array<int>(machine.memory(), 5, "third"), Fault);
}

/// Blocks declare arrays whose sizes depend on the block; each block gets its own uninitialized
/// arrays.
Program own_arrays(Warp& warp, std::vector<std::uint64_t>& sizes) {
  auto& first = warp.shared<int>(1 + warp.block() % 3, "first");
  auto& second = warp.shared<double>(4, "second");
  co_await first.write(warp.all(Address{0}), warp.all(1));
  co_await second.write(warp.lane(), warp.all(0.5));
  sizes.push_back(first.size());
}

TEST(Residency, blocks_of_one_slot_may_declare_different_arrays) {
  Hmm machine({.width = 4, .resident_threads = 4});
  std::vector<std::uint64_t> sizes;
  machine.launch({.blocks = 5, .threads = 4, .shared_words = 8}, own_arrays, sizes);
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{1, 2, 3, 1, 2}));
}

/// Each block adds to the initial contents of its array.
Program count_on(Warp& warp, std::vector<int>& found) {
  auto& counter = warp.shared<int>(4, "counter");
  const Lanes<int> before = co_await counter.read(warp.lane());
  co_await counter.write(warp.lane(), before + 1);
  found.push_back(before[0]);
}

TEST(Residency, blocks_of_one_slot_do_not_see_what_the_one_before_left) {
  Hmm machine({.width = 4, .resident_threads = 4});
  std::vector<int> found;
  machine.launch({.blocks = 3, .threads = 4, .shared_words = 4}, count_on, found);
  machine.launch({.blocks = 1, .threads = 4, .shared_words = 4}, count_on, found);
  EXPECT_EQ(found, std::vector<int>(4));
}

}  // namespace
}  // namespace bankproof
