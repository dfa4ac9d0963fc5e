// Words whose accesses are kept one by one, so that races at them are judged exactly, to the byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../isa/registers.hpp"
#include "clock.hpp"
#include "judge.hpp"

namespace bankproof::ptx {

/// Words that cautious records suspect of races, by generic address. For several threads at once.
class Suspects {
 public:
  void add(std::uint64_t address);
  bool empty() const { return words_.empty(); }
  const std::unordered_set<std::uint64_t>& words() const { return words_; }
  void clear() { words_.clear(); }
  /// More are forgotten, and come again in the next run.
  std::size_t most = first_most;
  static constexpr std::size_t first_most = std::size_t{1} << 16;

 private:
  std::mutex mutex_;
  std::unordered_set<std::uint64_t> words_;
};

/// The same access by some lanes of a warp.
struct WatchedAccess {
  WarpNumber warp = 0;
  Tick tick = 0;
  LaneMask lanes = 0;
  std::uint32_t site = 0;
  std::uint8_t bytes = 0;    // of the word
  std::uint8_t element = 0;  // its size, as the scope is, matters only of strong accesses
  bool write = false;
  bool strong = false;
  bool device = false;  // the scope; else the block
};

/// By the address of the word.
using WatchedWords = std::unordered_map<std::uint64_t, std::vector<WatchedAccess>>;

/// Whether the two race unless they are ordered: they share a byte, one of them writes, and they
/// are not morally strong (PTX ISA, "Morally Strong Operations"): strong, of the same element, each
/// in the scope of the other.
bool conflict(const WatchedAccess& a, const WatchedAccess& b, bool same_block);

/// The first access of the list that races with `mine`, which is by the lane `lane` of the viewer;
/// and the lane that made it. Null if there is none.
struct Race {
  const WatchedAccess* other = nullptr;
  std::uint32_t lane = 0;
};
Race race_of(const std::vector<WatchedAccess>& list, const Viewer& viewer,
             const WatchedAccess& mine, std::uint32_t lane);

/// Adds the access; all lanes of one instruction are judged before any of them is added. Forgets
/// accesses when what races with them later is sure to race with `mine` too.
void watch(std::vector<WatchedAccess>& list, const Viewer& viewer, const WatchedAccess& mine,
           std::uint32_t lane);

}  // namespace bankproof::ptx
