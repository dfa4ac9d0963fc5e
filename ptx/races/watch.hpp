// Watched words: their accesses are kept one by one, so that races are judged exactly, to the byte.
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

/// Words that cautious records suspect of races, by generic address. Thread-safe.
class Suspects {
 public:
  void add(std::uint64_t address);
  bool empty() const { return words_.empty(); }
  const std::unordered_set<std::uint64_t>& words() const { return words_; }
  void clear() { words_.clear(); }
  /// The most words that the list holds. One run drops further words; the next run suspects them
  /// again.
  std::size_t most = first_most;
  static constexpr std::size_t first_most = std::size_t{1} << 16;

 private:
  std::mutex mutex_;
  std::unordered_set<std::uint64_t> words_;
};

/// An access to a watched word, which some lanes of a warp made in the same way.
struct WatchedAccess {
  WarpNumber warp = 0;
  Epoch epoch = 0;
  LaneMask lanes = 0;
  std::uint32_t site = 0;
  std::uint8_t bytes = 0;    // the bytes of the word
  std::uint8_t element = 0;  // the element's size; only for strong accesses, as `device`
  bool write = false;
  bool strong = false;
  bool device = false;  // the scope is the device; else the block
};

/// The accesses to each watched word, by the word's address.
using WatchedWords = std::unordered_map<std::uint64_t, std::vector<WatchedAccess>>;

/// Whether the two accesses race if nothing orders them: they share a byte, one of them writes, and
/// they are not morally strong (PTX ISA, "Morally Strong Operations"). They are morally strong if
/// both are strong, access the same element, and are each in the scope of the other.
bool conflict(const WatchedAccess& a, const WatchedAccess& b, bool same_block);

/// The first access `other` of a list that races with the current access, and the lane that made
/// `other`; null if no access races.
struct Race {
  const WatchedAccess* other = nullptr;
  std::uint32_t lane = 0;
};
Race race_of(const std::vector<WatchedAccess>& list, const Viewer& viewer,
             const WatchedAccess& mine, std::uint32_t lane);

/// Whether all lanes of the warp know each access of the list that conflicts with `mine`, so that
/// race_of() finds nothing for any lane.
bool all_lanes_know_conflicts(const std::vector<WatchedAccess>& list, const Viewer& viewer,
                              const WatchedAccess& mine);

/// Adds the access. All lanes of an instruction must be judged before the access of any of them is
/// added. Forgets an old access if every later access that races with it also races with `mine`.
void watch(std::vector<WatchedAccess>& list, const Viewer& viewer, const WatchedAccess& mine,
           std::uint32_t lane);

}  // namespace bankproof::ptx
