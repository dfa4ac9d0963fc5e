// Copies from the global memory to the shared memories of an HMM (OPT II, lemmas 2 and 3). The
// words lie in one piece or in several segments.
//
// The words of all segments, one after another, are numbered 0 … n−1. DMM i copies its share: s
// consecutive numbers, where s is the least multiple of w such that d·s ≥ n. Thread j of its p
// threads copies numbers j, j + p, … of the share, so all threads work on the concatenation. If the
// threads copied the segments one after another, n/w segments of w words would take (n/w)·L with
// any number of threads: HMM theorem 2, read literally, does not hold.
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

  /// The index of the word with this number. Requires number < size().
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

/// Lanes of words[first + i] for the lanes under the mask; 0 in the other lanes.
inline Lanes<Address> lookup(const Warp& warp, const Concatenation& words, std::uint64_t first,
                             const Progression& i) {
  Lanes<Address> index = warp.all(Address{0});
  for_each_lane(warp.mask(), [&](Width lane) { index[lane] = words[first + i[lane]]; });
  return index;
}

/// Reads the words of all segments; the threads share their concatenation (HMM theorem 2).
template <class T, class Use>
Program read_segments(Warp& warp, Array<T>& a, const Concatenation& words, Use& use) {
  for (auto i : warp.each(words.size())) {
    const Lanes<Address> index = lookup(warp, words, 0, i);
    const Lanes<T> values = co_await a.read(index);
    use(i, values, warp.mask());
  }
}

/// The share of DMM `dmm` of d: word numbers first … end − 1.
template <class N>
struct ShareOf {
  N first;
  N end;

  N words() const { return end - first; }

  static N size(const N& n, const N& d, const N& w) { return rounded_up(ceil_div(n, d), w); }
  static ShareOf of(const N& dmm, const N& n, const N& d, const N& w) {
    const N share = size(n, d, w);
    return {smaller(n, dmm * share), smaller(n, (dmm + N(1)) * share)};
  }
};
using Share = ShareOf<std::uint64_t>;

/// Launched with d blocks of p threads; block i copies the share of DMM i to shared[i].
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

/// Parameters of a copy of n words that lie in one piece and start at a multiple of w.
template <class N>
struct CopyOf {
  N n;  ///< words in all
  N d;  ///< DMMs
  N p;  ///< threads of each DMM
  N w;  ///< width
  N l;  ///< shared latency
  N L;  ///< global latency

  ShareOf<N> share(const N& dmm) const { return ShareOf<N>::of(dmm, n, d, w); }

  /// The number of rounds that the DMM with the most words needs; in each round its p threads read
  /// a word and write it.
  N levels() const { return ceil_div(share(N(0)).words(), p); }

  /// Words that a DMM copies in round `level`.
  N words(const N& dmm, const N& level) const {
    return smaller(p, minus_or_zero(share(dmm).words(), level * p));
  }

  /// Stages of the global memory in round `level`.
  N global_stages(const N& level) const {
    return sum_over(d, [&](const N& dmm) {
      return contiguous_groups(share(dmm).first + level * p, words(dmm, level), w);
    });
  }

  /// Stages of the busiest shared memory in round `level`. DMM 0 has the most words.
  N shared_stages(const N& level) const { return ceil_div(words(N(0), level), w); }

  /// Lockstep time of round `level`: (⌈dp/w⌉ + L − 1) + (⌈p/w⌉ + l − 1) in the sources' domain.
  N level_time(const N& level) const {
    return global_stages(level) + L - N(1) + shared_stages(level) + l - N(1);
  }

  /// Lockstep time.
  N lockstep_time() const {
    return sum_over(levels(), [&](const N& level) { return level_time(level); });
  }
};
using Copy = CopyOf<std::uint64_t>;

}  // namespace bankproof
