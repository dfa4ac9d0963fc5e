// Deals the blocks of a grid to workers. Each worker runs consecutive blocks, in the order of their
// numbers; consecutive blocks mostly touch the same pages. A worker without blocks takes the upper
// half of the largest share of another worker (work stealing by halves: Cilk and its successors).
//
// At first, one worker has all blocks, so that a worker that stays alone runs them in order. Two
// workers that are about as fast get the same halves in each launch, and find in their records,
// and in their caches, the pages that they touched before.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace bankproof::ptx {

class BlockShares {
 public:
  /// Blocks 0 … blocks−1, all of them of worker 0. Requires blocks < 2^32.
  BlockShares(std::uint64_t blocks, std::size_t workers) : shares_(workers) {
    assert(blocks >> 32U == 0);
    shares_[0].range = Range{0, blocks}.packed();
  }

  /// The next block of the worker; none if no share of any worker has one. Each block is given
  /// once. Each worker may have a thread of its own, which alone takes blocks for it.
  std::optional<std::uint64_t> take(std::size_t worker) {
    std::atomic<std::uint64_t>& mine = shares_[worker].range;
    for (;;) {
      std::uint64_t seen = mine.load();
      while (!Range(seen).empty()) {
        const Range range(seen);
        if (mine.compare_exchange_weak(seen, Range{range.begin + 1, range.end}.packed())) {
          return range.begin;
        }
      }
      if (!steal(mine)) return std::nullopt;
    }
  }

  /// The number of blocks that are in a share.
  std::uint64_t left() const {
    std::uint64_t all = 0;
    for (const Share& share : shares_) all += Range(share.range).size();
    return all;
  }

 private:
  /// The blocks [begin, end).
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    Range(std::uint64_t its_begin, std::uint64_t its_end) : begin(its_begin), end(its_end) {}
    explicit Range(std::uint64_t packed) : begin(packed >> 32U), end(packed & 0xFFFFFFFFU) {}
    std::uint64_t packed() const { return begin << 32U | end; }
    bool empty() const { return begin == end; }
    std::uint64_t size() const { return end - begin; }
  };
  // Shares lie in cache lines of their own, since their workers write them for each block.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> range{0};
  };

  /// Fills the share, which is empty, from another one. Nobody takes from an empty share, so its
  /// worker may set it.
  bool steal(std::atomic<std::uint64_t>& mine) {
    for (;;) {
      Share& other =
          *std::max_element(shares_.begin(), shares_.end(), [](const Share& a, const Share& b) {
            return Range(a.range).size() < Range(b.range).size();
          });
      std::uint64_t seen = other.range.load();
      const Range range(seen);
      if (range.empty()) return false;
      const std::uint64_t middle = range.begin + range.size() / 2;
      if (other.range.compare_exchange_strong(seen, Range{range.begin, middle}.packed())) {
        mine.store(Range{middle, range.end}.packed());
        return true;
      }
    }
  }

  std::vector<Share> shares_;
};

}  // namespace bankproof::ptx
