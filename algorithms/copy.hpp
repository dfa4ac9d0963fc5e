// Copies from the global memory to the shared memories of an HMM (OPT II, lemmas 2 and 3), of words
// that lie in one piece or in several segments.
//
// The words of all segments, one after another, are numbered 0 … n−1, and DMM i copies its share,
// s consecutive numbers, with s the least multiple of w such that d·s ≥ n: thread j of its p
// threads copies numbers j, j + p, … of the share. All threads work on the concatenation. Were the
// segments copied one after another instead, n/w segments of w words would take (n/w)·L with any
// number of threads: HMM theorem 2, read literally, does not hold.
//
// Example: d = 2, w = 4, p = 4, n = 10: shares of 8 and 2 words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../model/machine.hpp"
#include "contiguous_access.hpp"

namespace bankproof {

/// `length` consecutive words from index `start` on.
struct Segment {
  Address start;
  std::uint64_t length;
};

/// Segments as one sequence of words.
class Concatenation {
 public:
  /// Empty segments are allowed.
  explicit Concatenation(std::vector<Segment> segments) : segments_(std::move(segments)) {
    for (const Segment& segment : segments_) {
      begins_.push_back(size_);
      size_ += segment.length;
    }
  }

  std::uint64_t size() const { return size_; }

  /// The index at which the word of this number lies. Requires number < size().
  Address operator[](std::uint64_t number) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), number);
    const auto k = static_cast<std::size_t>(after - begins_.begin()) - 1;
    return segments_[k].start + (number - begins_[k]);
  }

 private:
  std::vector<Segment> segments_;
  std::vector<std::uint64_t> begins_;
  std::uint64_t size_ = 0;
};

/// Lanes of words[first + i], for the lanes under the mask; 0 in the others.
inline Lanes<Address> lookup(const Warp& warp, const Concatenation& words, std::uint64_t first,
                             const Progression& i) {
  Lanes<Address> index = warp.all(Address{0});
  for_each_lane(warp.mask(), [&](Width lane) { index[lane] = words[first + i[lane]]; });
  return index;
}

/// Reads the words of all segments, the threads sharing their concatenation (HMM theorem 2).
template <class T, class Use>
Program read_segments(Warp& warp, Array<T>& a, const Concatenation& words, Use& use) {
  for (auto i : warp.each(words.size())) {
    const Lanes<Address> index = lookup(warp, words, 0, i);
    const Lanes<T> values = co_await a.read(index);
    use(i, values, warp.mask());
  }
}

/// The words of DMM `dmm` of d: numbers first … end − 1.
struct Share {
  std::uint64_t first;
  std::uint64_t end;

  std::uint64_t words() const { return end - first; }

  static std::uint64_t size(std::uint64_t n, std::uint64_t d, std::uint64_t w) {
    return ceil_div(ceil_div(n, d), w) * w;
  }
  static Share of(std::uint64_t dmm, std::uint64_t n, std::uint64_t d, std::uint64_t w) {
    const std::uint64_t share = size(n, d, w);
    return {std::min(n, dmm * share), std::min(n, (dmm + 1) * share)};
  }
};

/// Launched with d blocks of p threads: block i copies DMM i's share to shared[i].
template <class T, class SharedArrays>
Program copy_to_shared(Warp& warp, Array<T>& global, const Concatenation& words,
                       SharedArrays& shared) {
  const Share share = Share::of(warp.block(), words.size(), warp.blocks(), warp.width());
  Array<T>& mine = shared[warp.block()];
  for (auto i : warp.each(share.words())) {
    const Lanes<Address> index = lookup(warp, words, share.first, i);
    const Lanes<T> values = co_await global.read(index);
    co_await mine.write(i, values);
  }
}

/// Parameters of a copy of n words that lie in one piece from a multiple of w on.
struct Copy {
  std::uint64_t n;  ///< words in all
  std::uint64_t d;  ///< DMMs
  std::uint64_t p;  ///< threads of each
  std::uint64_t w;  ///< width
  std::uint64_t l;  ///< shared latency
  std::uint64_t L;  ///< global latency

  /// Rounds that the DMM with most words takes, each a read and a write.
  std::uint64_t levels() const { return ceil_div(Share::of(0, n, d, w).words(), p); }

  /// Words that a DMM copies in round `level`.
  std::uint64_t words(std::uint64_t dmm, std::uint64_t level) const {
    const std::uint64_t mine = Share::of(dmm, n, d, w).words();
    return std::min(p, mine - std::min(mine, level * p));
  }

  /// Stages of the global memory in round `level`.
  std::uint64_t global_stages(std::uint64_t level) const {
    std::uint64_t stages = 0;
    for (std::uint64_t dmm = 0; dmm < d; ++dmm) {
      const Address start = Share::of(dmm, n, d, w).first + level * p;
      stages += contiguous_groups(start, words(dmm, level), w);
    }
    return stages;
  }

  /// Stages of the busiest shared memory in round `level`: that of DMM 0, which has most words.
  std::uint64_t shared_stages(std::uint64_t level) const { return ceil_div(words(0, level), w); }

  /// Lockstep time of round `level`: (⌈dp/w⌉ + L − 1) + (⌈p/w⌉ + l − 1) in the sources' domain.
  Time level_time(std::uint64_t level) const {
    return global_stages(level) + L - 1 + shared_stages(level) + l - 1;
  }

  /// Lockstep time.
  Time lockstep_time() const {
    Time time = 0;
    for (std::uint64_t level = 0; level < levels(); ++level) time += level_time(level);
    return time;
  }
};

}  // namespace bankproof
