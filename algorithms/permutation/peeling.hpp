// Conflict-free plans for permutations much longer than the width, at the speed of memory: the bank
// graph of n edges between w nodes a side is a w × w matrix of counts, and a perfect matching of
// the matrix can be taken as many times at once as its smallest count.
//
// The elements are taken in chunks that fit a cache, each spread over the whole permutation so that
// its counts are nearly regular also where P has a structure. A chunk's elements are sorted into w²
// buckets by the banks they come from and go to; then matchings are peeled off, those first whose
// counts are all at least a power of two T, with T falling as no more are found, and a matching
// taken k times becomes k warps, read off w buckets in step. What T = 8 leaves goes to the next
// chunk. In the end everything left is exactly regular, so T = 1 empties it (König; THS
// theorem 4.2.1).
//
// Where chunks turn out far from regular, as adversaries make them, all that is left is taken as
// one chunk: O(n + w³·log n) time in any case, and no more memory than S and D have.
//
// Example, w = 2: counts {3, 1; 1, 3} are the matching 0–0, 1–1 three times and 0–1, 1–0 once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../model/units.hpp"
#include "conflicts/division.hpp"

namespace bankproof::detail {

/// The largest width whose sets of banks are one machine word.
inline constexpr Width widest_peeled = 64;

/// A perfect matching of banks, and how many times it is taken.
struct Layer {
  std::uint64_t times;
  std::array<std::uint8_t, widest_peeled> target;  ///< by source bank
};

/// Takes perfect matchings off a w × w matrix of counts.
class Peeler {
 public:
  explicit Peeler(Width width) : width_(width) {}

  /// Calls take(layer) for each matching taken off; ends when no perfect matching is left whose
  /// counts are all at least `least`.
  template <class Take>
  void peel(std::span<std::uint64_t> counts, std::uint64_t least, Take take) {
    counts_ = counts;
    const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
    free_sources_ = free_targets_ = all();
    for (std::uint64_t threshold = std::bit_floor(most); threshold >= least && threshold > 0;
         threshold /= 2) {
      for (Width a = 0; a < width_; ++a) {
        allowed_[a] = 0;
        for (Width b = 0; b < width_; ++b) {
          allowed_[a] |= std::uint64_t{count(a, b) >= threshold} << b;
        }
      }
      while (complete()) take(take_layer(threshold));
    }
  }

 private:
  using Banks = std::uint64_t;
  Banks all() const { return width_ == 64 ? ~Banks{0} : (Banks{1} << width_) - 1; }
  std::uint64_t& count(Width a, Width b) { return counts_[std::size_t{a} * width_ + b]; }

  /// Makes the matching perfect; false when that cannot be.
  bool complete() {
    while (free_sources_ != 0) {
      if (!augment(static_cast<Width>(std::countr_zero(free_sources_)))) return false;
    }
    return true;
  }

  /// Matches one more source, by a shortest alternating path.
  bool augment(Width start) {
    std::array<std::uint8_t, widest_peeled> reached_from;
    std::array<std::uint8_t, widest_peeled> waiting;
    std::size_t next = 0;
    std::size_t end = 0;
    waiting[end++] = static_cast<std::uint8_t>(start);
    Banks unreached = ~Banks{0};
    while (next < end) {
      const Width source = waiting[next++];
      Banks reached = allowed_[source] & unreached;
      if (const Banks found = reached & free_targets_; found != 0) {
        auto target = static_cast<Width>(std::countr_zero(found));
        reached_from[target] = static_cast<std::uint8_t>(source);
        flip(start, target, reached_from);
        return true;
      }
      unreached &= ~reached;
      for (; reached != 0; reached &= reached - 1) {
        const auto target = static_cast<Width>(std::countr_zero(reached));
        reached_from[target] = static_cast<std::uint8_t>(source);
        waiting[end++] = source_of_[target];
      }
    }
    return false;
  }

  void flip(Width start, Width target,
            const std::array<std::uint8_t, widest_peeled>& reached_from) {
    free_sources_ &= ~(Banks{1} << start);
    free_targets_ &= ~(Banks{1} << target);
    for (;;) {
      const Width source = reached_from[target];
      const Width before = target_of_[source];
      target_of_[source] = static_cast<std::uint8_t>(target);
      source_of_[target] = static_cast<std::uint8_t>(source);
      if (source == start) return;
      target = before;
    }
  }

  /// Takes the perfect matching as often as its counts allow; edges that fall below the threshold
  /// leave it.
  Layer take_layer(std::uint64_t threshold) {
    Layer layer{~std::uint64_t{0}, target_of_};
    for (Width a = 0; a < width_; ++a) layer.times = std::min(layer.times, count(a, target_of_[a]));
    for (Width a = 0; a < width_; ++a) {
      const Width b = target_of_[a];
      if ((count(a, b) -= layer.times) >= threshold) continue;
      allowed_[a] &= ~(Banks{1} << b);
      free_sources_ |= Banks{1} << a;
      free_targets_ |= Banks{1} << b;
    }
    return layer;
  }

  Width width_;
  std::span<std::uint64_t> counts_;
  std::array<Banks, widest_peeled> allowed_{};  ///< targets of each source, counts ≥ threshold
  std::array<std::uint8_t, widest_peeled> target_of_{};
  std::array<std::uint8_t, widest_peeled> source_of_{};
  Banks free_sources_ = 0;
  Banks free_targets_ = 0;
};

/// Plans one permutation of ⌈n/w⌉·w lanes, of which those from n on stay where they are.
template <class Index, class Division>
class PeelingPlanner {
 public:
  PeelingPlanner(std::span<const Index> permutation, std::uint64_t lanes, Width width,
                 Division by_width, std::span<Index> s, std::span<Index> d)
      : permutation_(permutation),
        lanes_(lanes),
        width_(width),
        by_width_(by_width),
        s_(s),
        d_(d),
        peeler_(width),
        counts_(std::size_t{width} * width),
        next_(counts_.size()) {}

  void plan() {
    const std::uint64_t chunks = std::max<std::uint64_t>(lanes_ / chunk, 1);
    for (std::uint64_t t = 0; t + 1 < chunks; ++t) {
      sort_into_buckets(segments_of(t, t + 1, chunks));
      emit(8);
      if (left_ > 2 * chunk) {  // far from regular: the rest at once
        sort_into_buckets(segments_of(t + 1, chunks, chunks));
        return emit(1);
      }
    }
    sort_into_buckets(segments_of(chunks - 1, chunks, chunks));
    emit(1);
  }

 private:
  static constexpr std::uint64_t segment = 1024;
  static constexpr std::uint64_t chunk = 65536;
  struct Move {
    Index from;
    Index to;
  };

  /// The segments of chunks first … end−1. Chunk t has one of each stretch of `chunks` segments, at
  /// a place that moves on from stretch to stretch.
  std::vector<std::uint64_t> segments_of(std::uint64_t first, std::uint64_t end,
                                         std::uint64_t chunks) const {
    const std::uint64_t segments = ceil_div(lanes_, segment);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t t = first; t < end; ++t) {
      for (std::uint64_t j = 0; j * chunks < segments; ++j) {
        const std::uint64_t number = j * chunks + (t + j) % chunks;
        if (number < segments) numbers.push_back(number);
      }
    }
    return numbers;
  }

  /// Calls use(bucket, i, P(i)) for each lane of a segment.
  template <class Use>
  void for_each_move(std::uint64_t number, Use use) const {
    const std::uint64_t first = number * segment;
    const std::uint64_t end = std::min(first + segment, lanes_);
    std::uint64_t row = first % width_ * width_;
    for (std::uint64_t i = first; i < end; ++i) {
      const auto from = static_cast<Index>(i);
      const Index to = i < permutation_.size() ? permutation_[i] : from;
      use(row + by_width_.remainder(to), from, to);
      row = row + width_ == counts_.size() ? 0 : row + width_;
    }
  }

  /// The moves left over, and those of the segments.
  void sort_into_buckets(const std::vector<std::uint64_t>& numbers) {
    std::vector<std::uint64_t> added(counts_.size());
    for (const std::uint64_t number : numbers) {
      for_each_move(number, [&](std::uint64_t bucket, Index, Index) { ++added[bucket]; });
    }
    // Buckets of equal size would all begin in one set of the cache: keep them apart.
    constexpr std::uint64_t gap = 8;
    std::vector<std::uint64_t> begin(counts_.size() + 1);
    for (std::size_t x = 0; x < counts_.size(); ++x) {
      begin[x + 1] = begin[x] + counts_[x] + added[x] + gap + (x % width_ + 1 == width_ ? gap : 0);
    }
    other_.resize(std::max<std::size_t>(other_.size(), begin.back()));
    for (std::size_t x = 0; x < counts_.size(); ++x) {
      std::copy_n(moves_.begin() + static_cast<std::ptrdiff_t>(next_[x]), counts_[x],
                  other_.begin() + static_cast<std::ptrdiff_t>(begin[x]));
      next_[x] = begin[x] + counts_[x];
      counts_[x] += added[x];
    }
    for (const std::uint64_t number : numbers) {
      for_each_move(number, [&](std::uint64_t bucket, Index from, Index to) {
        other_[next_[bucket]++] = {from, to};
      });
    }
    std::swap(moves_, other_);
    std::copy(begin.begin(), begin.end() - 1, next_.begin());
  }

  /// Peels off matchings and writes their warps; what is left stays in the buckets.
  void emit(std::uint64_t least) {
    peeler_.peel(counts_, least, [&](const Layer& layer) {
      std::array<const Move*, widest_peeled> from;
      for (Width a = 0; a < width_; ++a) {
        std::uint64_t& next = next_[std::size_t{a} * width_ + layer.target[a]];
        from[a] = moves_.data() + next;
        next += layer.times;
      }
      for (std::uint64_t k = 0; k < layer.times; ++k, written_ += width_) {
        for (Width a = 0; a < width_; ++a) {
          s_[written_ + a] = from[a][k].from;
          d_[written_ + a] = from[a][k].to;
        }
      }
    });
    left_ = 0;
    for (const std::uint64_t count : counts_) left_ += count;
  }

  std::span<const Index> permutation_;
  std::uint64_t lanes_;
  Width width_;
  Division by_width_;
  std::span<Index> s_;
  std::span<Index> d_;
  Peeler peeler_;
  std::vector<std::uint64_t> counts_;  ///< moves in each bucket, [source bank · w + target bank]
  std::vector<std::uint64_t> next_;    ///< the first move of each bucket that is left
  std::vector<Move> moves_;
  std::vector<Move> other_;
  std::uint64_t left_ = 0;
  std::uint64_t written_ = 0;
};

/// Fills S and D, of ⌈n/w⌉·w lanes each. Requires 1 ≤ width ≤ widest_peeled.
template <class Index>
void plan_by_peeling(std::span<const Index> permutation, Width width, std::span<Index> s,
                     std::span<Index> d) {
  with_division<Index>(width, [&](auto by_width) {
    PeelingPlanner<Index, decltype(by_width)>(permutation, s.size(), width, by_width, s, d).plan();
    return 0;
  });
}

}  // namespace bankproof::detail
