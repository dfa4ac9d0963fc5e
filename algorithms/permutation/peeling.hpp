// Conflict-free plans for permutations much longer than the width, at the speed of memory. The bank
// graph of n edges between w nodes a side is a w × w matrix of counts. A perfect matching of the
// matrix can be taken k times at once, where k is its smallest count.
//
// The elements are taken in chunks that fit a cache. Each chunk is spread over the whole
// permutation, so that its counts are nearly regular even if P has a structure. A chunk's elements
// are sorted into w² buckets by source bank and target bank. Then matchings are peeled off: first
// matchings whose counts are all at least a power of two T; when no such matching is left, T is
// halved. A matching taken k times becomes k warps: each warp gets the next element of each of the
// w buckets of the matching. The elements that are left after T = 8 go to the next chunk. After the
// last chunk the remaining counts are exactly regular, so T = 1 empties the buckets (König; THS
// theorem 4.2.1).
//
// If chunks turn out far from regular, as adversaries can make them, all remaining elements are
// taken as one chunk: O(n) time for widths up to 64 in any case.
//
// Long permutations are taken in parts, on all threads of the caller's TBB arena.
//
// Example, w = 2: the counts {3, 1; 1, 3} are the matching 0–0, 1–1 three times and the matching
// 0–1, 1–0 once.
#pragma once

#include <tbb/parallel_for.h>

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

/// The largest width for which a set of banks is one machine word.
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

  /// Calls take(layer) for each matching taken off. Ends when no perfect matching is left whose
  /// counts are all at least `least`, which is not 0.
  template <class Take>
  void peel(std::span<std::uint64_t> counts, std::uint64_t least, Take take) {
    counts_ = counts;
    const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
    free_sources_ = free_targets_ = all();
    for (std::uint64_t threshold = std::bit_floor(most); threshold >= least; threshold /= 2) {
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

  /// Makes the matching perfect; false if that is impossible.
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

  /// Takes the perfect matching k times, where k is its smallest count. Edges that fall below the
  /// threshold leave the matching.
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
  std::array<Banks, widest_peeled> allowed_{};  ///< targets of each source with counts ≥ threshold
  std::array<std::uint8_t, widest_peeled> target_of_{};
  std::array<std::uint8_t, widest_peeled> source_of_{};
  Banks free_sources_ = 0;
  Banks free_targets_ = 0;
};

/// A range of lanes of S and D that are not written yet; their number is a multiple of the width.
struct FreeLanes {
  std::uint64_t begin;
  std::uint64_t end;
};

/// One permutation of `lanes` = ⌈n/w⌉·w lanes, and its plan. Lanes from n on stay where they are.
template <class Index, class Division>
struct PeelingTask {
  std::span<const Index> permutation;
  std::uint64_t lanes;
  Width width;
  Division by_width;
  std::span<Index> s;
  std::span<Index> d;

  std::uint64_t segment() const { return std::uint64_t{1024} / width * width; }
  std::uint64_t chunks() const { return std::max<std::uint64_t>(lanes / chunk, 1); }

  /// The segments of chunks first … end−1. Chunk t takes one segment out of every chunks()
  /// consecutive segments; the position of this segment shifts by one each time.
  std::vector<std::uint64_t> segments_of(std::uint64_t first, std::uint64_t end) const {
    const std::uint64_t segments = ceil_div(lanes, segment());
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t t = first; t < end; ++t) {
      for (std::uint64_t j = 0; j * chunks() < segments; ++j) {
        const std::uint64_t number = j * chunks() + (t + j) % chunks();
        if (number < segments) numbers.push_back(number);
      }
    }
    return numbers;
  }

  std::uint64_t lanes_of(const std::vector<std::uint64_t>& numbers) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t number : numbers) {
      sum += std::min((number + 1) * segment(), lanes) - number * segment();
    }
    return sum;
  }

  static constexpr std::uint64_t chunk = 65536;
};

/// Sorts moves into buckets and peels off warps, chunk by chunk.
template <class Index, class Division>
class Peeling {
 public:
  using Task = PeelingTask<Index, Division>;

  explicit Peeling(const Task& task)
      : task_(task),
        width_(task.width),
        peeler_(task.width),
        counts_(std::size_t{task.width} * task.width),
        next_(counts_.size()) {}

  /// Takes chunks first … end−1 and writes most of their moves, as warps, to `lanes`.
  void take(std::uint64_t first, std::uint64_t end, FreeLanes lanes) {
    free_ = {lanes};
    for (std::uint64_t t = first; t < end; ++t) {
      const bool irregular = left_ > 2 * Task::chunk;  // then take all remaining chunks at once
      sort_into_buckets(task_.segments_of(t, irregular ? end : t + 1), {});
      emit(8);
      if (irregular) return;
    }
  }

  /// Writes all remaining moves of this object and of `others`.
  void finish(std::span<Peeling> others) {
    for (const Peeling& other : others) {
      free_.insert(free_.end(), other.free_.begin(), other.free_.end());
    }
    if (!others.empty()) sort_into_buckets({}, others);
    emit(1);
  }

 private:
  struct Move {
    Index from;
    Index to;
  };

  /// Calls use(bucket, i, P(i)) for each lane of a segment.
  template <class Use>
  void for_each_move(std::uint64_t number, Use use) const {
    const std::uint64_t first = number * task_.segment();
    const std::uint64_t end = std::min(first + task_.segment(), task_.lanes);
    const std::uint64_t full = std::min(end, task_.permutation.size() / width_ * width_);
    std::uint64_t row = first;
    const Width width = width_;  // in a register, whatever `use` writes
    const Index* const values = task_.permutation.data();
    for (; row < full; row += width) {
#pragma GCC unroll 8
      for (std::size_t a = 0, bucket = 0; a < width; ++a, bucket += width) {
        const Index to = values[row + a];
        use(bucket + task_.by_width.remainder(to), static_cast<Index>(row + a), to);
      }
    }
    for (std::uint64_t i = row; i < end; ++i) {
      const Index to = i < task_.permutation.size() ? task_.permutation[i] : static_cast<Index>(i);
      use((i - row) * std::uint64_t{width_} + task_.by_width.remainder(to), static_cast<Index>(i),
          to);
    }
  }

  /// Segments lie far apart, so the processor does not predict the next one.
  void prefetch(std::uint64_t number) const {
    constexpr std::uint64_t line = 64 / sizeof(Index);
    const std::uint64_t end = std::min((number + 1) * task_.segment(), task_.permutation.size());
    for (std::uint64_t i = number * task_.segment(); i < end; i += line) {
      __builtin_prefetch(&task_.permutation[i]);
    }
  }

  /// Sorts into buckets the remaining moves of this object and of `others`, and the moves of
  /// `segments`.
  void sort_into_buckets(const std::vector<std::uint64_t>& segments,
                         std::span<const Peeling> others) {
    std::vector<std::uint64_t> added(counts_.size());
    for (std::size_t j = 0; j < segments.size(); ++j) {
      if (j + 1 < segments.size()) prefetch(segments[j + 1]);
      for_each_move(segments[j], [&](std::uint64_t bucket, Index, Index) { ++added[bucket]; });
    }
    // Without a gap, buckets of equal size would all begin in one set of the cache.
    constexpr std::uint64_t gap = 8;
    std::vector<std::uint64_t> begin(counts_.size() + 1);
    for (std::size_t x = 0; x < counts_.size(); ++x) {
      std::uint64_t size = counts_[x] + added[x];
      for (const Peeling& other : others) size += other.counts_[x];
      begin[x + 1] = begin[x] + size + gap + (x % width_ + 1 == width_ ? gap : 0);
    }
    other_.resize(std::max<std::size_t>(other_.size(), begin.back()));
    for (std::size_t x = 0; x < counts_.size(); ++x) {
      std::uint64_t end = begin[x];
      const auto append = [&](const Peeling& peeling) {
        std::copy_n(peeling.moves_.data() + peeling.next_[x], peeling.counts_[x],
                    other_.data() + end);
        end += peeling.counts_[x];
      };
      append(*this);
      for (const Peeling& other : others) append(other);
      next_[x] = end;
      counts_[x] = end - begin[x] + added[x];
    }
    for (const std::uint64_t number : segments) {
      for_each_move(number, [&](std::uint64_t bucket, Index from, Index to) {
        other_[next_[bucket]++] = {from, to};
      });
    }
    std::swap(moves_, other_);
    std::copy(begin.begin(), begin.end() - 1, next_.begin());
  }

  /// Peels off matchings and writes their warps; the remaining moves stay in the buckets.
  void emit(std::uint64_t least) {
    peeler_.peel(counts_, least, [&](const Layer& layer) {
      std::array<const Move*, widest_peeled> from;
      for (Width a = 0; a < width_; ++a) {
        std::uint64_t& next = next_[std::size_t{a} * width_ + layer.target[a]];
        from[a] = moves_.data() + next;
        next += layer.times;
      }
      for (std::uint64_t k = 0; k < layer.times;) {
        FreeLanes& lanes = free_.back();
        const std::uint64_t end = std::min(layer.times, k + (lanes.end - lanes.begin) / width_);
        Index* s = task_.s.data() + lanes.begin;
        Index* d = task_.d.data() + lanes.begin;
        lanes.begin += (end - k) * width_;
        const Width width = width_;  // in a register, whatever is written
        for (; k < end; ++k, s += width, d += width) {
#pragma GCC unroll 8
          for (Width a = 0; a < width; ++a) {
            const Move move = from[a][k];
            s[a] = move.from;
            d[a] = move.to;
          }
        }
        if (lanes.begin == lanes.end) free_.pop_back();
      }
    });
    left_ = 0;
    for (const std::uint64_t count : counts_) left_ += count;
  }

  Task task_;
  Width width_;
  Peeler peeler_;
  std::vector<std::uint64_t> counts_;  ///< moves in each bucket, [source bank · w + target bank]
  std::vector<std::uint64_t> next_;    ///< the first move left in each bucket
  std::vector<Move> moves_;
  std::vector<Move> other_;
  std::vector<FreeLanes> free_;
  std::uint64_t left_ = 0;
};

/// Plans with a fixed division of the work, so that the plan does not depend on the number of
/// threads.
template <class Index, class Division>
void peel(const PeelingTask<Index, Division>& task) {
  constexpr std::uint64_t many = std::uint64_t{1} << 20;  // enough lanes for two threads
  const std::uint64_t parts =
      task.lanes < many ? 1 : std::clamp<std::uint64_t>(task.lanes / (2 * many), 2, 64);
  std::vector<Peeling<Index, Division>> peelings(parts, Peeling<Index, Division>(task));
  const auto first_chunk = [&](std::uint64_t part) { return part * task.chunks() / parts; };
  std::vector<std::uint64_t> begin(parts + 1);
  for (std::uint64_t part = 0; part < parts; ++part) {
    begin[part + 1] =
        begin[part] + task.lanes_of(task.segments_of(first_chunk(part), first_chunk(part + 1)));
  }
  tbb::parallel_for(std::uint64_t{0}, parts, [&](std::uint64_t part) {
    peelings[part].take(first_chunk(part), first_chunk(part + 1), {begin[part], begin[part + 1]});
  });
  peelings[0].finish(std::span(peelings).subspan(1));
}

/// Fills S and D, of ⌈n/w⌉·w lanes each. Requires 1 ≤ width ≤ widest_peeled.
template <class Index>
void plan_by_peeling(std::span<const Index> permutation, Width width, std::span<Index> s,
                     std::span<Index> d) {
  with_division<Index>(width, [&](auto by_width) {
    peel(PeelingTask<Index, decltype(by_width)>{permutation, s.size(), width, by_width, s, d});
    return 0;
  });
}

}  // namespace bankproof::detail
