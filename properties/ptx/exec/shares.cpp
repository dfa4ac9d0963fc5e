// Workers get each block of a grid once, however they take turns.
#include "../../../ptx/exec/shares.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace bankproof::ptx {
namespace {

using Blocks = std::vector<std::uint64_t>;

RC_GTEST_PROP(BlockShares, give_each_block_once, ()) {
  const auto blocks = *rc::gen::inRange<std::uint64_t>(1, 100);
  const auto workers = *rc::gen::inRange<std::size_t>(1, 6);
  const auto turns = *rc::gen::container<std::vector<std::size_t>>(
      2 * blocks, rc::gen::inRange<std::size_t>(0, workers));
  BlockShares shares(blocks, workers);
  Blocks given(blocks);
  std::uint64_t left = blocks;
  const auto take = [&](std::size_t worker) {
    const auto block = shares.take(worker);
    RC_ASSERT(block.has_value() == (left > 0));
    if (!block) return;
    ++given.at(*block);
    RC_ASSERT(shares.left() == --left);
  };
  for (const std::size_t worker : turns) take(worker);
  while (left > 0) take(workers - 1);
  take(0);
  RC_ASSERT(given == Blocks(blocks, 1));
}

TEST(BlockShares, of_a_worker_alone_are_in_order) {
  BlockShares shares(100, 4);
  for (std::uint64_t block = 0; block < 100; ++block) EXPECT_EQ(shares.take(0), block);
  EXPECT_EQ(shares.take(0), std::nullopt);
}

TEST(BlockShares, of_two_workers_are_halves_of_the_rest) {
  BlockShares shares(100, 2);
  for (std::uint64_t block = 0; block < 20; ++block) EXPECT_EQ(shares.take(0), block);
  for (std::uint64_t block = 0; block < 40; ++block) {
    EXPECT_EQ(shares.take(1), 60 + block);
    EXPECT_EQ(shares.take(0), 20 + block);
  }
  EXPECT_EQ(shares.left(), 0U);
}

TEST(BlockShares, are_taken_from_the_worker_that_has_most_left) {
  BlockShares shares(16, 3);
  EXPECT_EQ(shares.take(1), 8U);  // of 8 … 15; worker 0 keeps 0 … 7
  EXPECT_EQ(shares.take(2), 4U);  // of 4 … 7
  for (std::uint64_t block = 0; block < 4; ++block) EXPECT_EQ(shares.take(0), block);
  EXPECT_EQ(shares.take(0), 12U);  // worker 1 had 9 … 15
}

TEST(BlockShares, give_each_block_to_one_thread) {
  constexpr std::size_t workers = 4;
  for (int turn = 0; turn < 20; ++turn) {
    BlockShares shares(1000, workers);
    std::vector<Blocks> taken(workers);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < workers; ++k) {
      threads.emplace_back([&, k] {
        while (const auto block = shares.take(k)) taken[k].push_back(*block);
      });
    }
    for (std::thread& thread : threads) thread.join();
    Blocks given(1000);
    for (const Blocks& some : taken) {
      for (const std::uint64_t block : some) ++given.at(block);
    }
    EXPECT_EQ(given, Blocks(1000, 1));
  }
}

}  // namespace
}  // namespace bankproof::ptx
