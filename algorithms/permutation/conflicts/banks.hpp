// Fast passes for memories where distinct elements conflict exactly when they are equal modulo the
// width: the DMM with one-word elements, and chips that behave like it.
//
// A permutation never repeats an element, so requests do not merge and no set is needed: a warp's
// stages are the tallest column of its histogram of banks.
//
// If the access is source-designated, warp j reads the elements i with ⌊P(i)/w⌋ = j, and its
// histogram counts them by bank, i mod w. So the pass does not build P⁻¹: each i adds one to the
// cell (⌊P(i)/w⌋, i mod w). If these cells were counted in place, each element would cost a cache
// miss. So the pass first deals the cells' numbers, of two bytes each, into buckets of at most 2¹⁶
// cells. As P is a permutation, every bucket's size is known beforehand, and one dealing pass is
// enough.
//
// Example, w = 2, P = (2, 0, 3, 1): warp 0 is the destination of i = 1 and i = 3, both in bank 1,
// so its source-designated read takes two stages.
//
// Cost: O(n); the source pass takes 2 bytes an element beside the permutation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "../../../model/units.hpp"
#include "division.hpp"

namespace bankproof::detail {

/// The height of the tallest column.
template <class Count>
std::uint32_t tallest(const Count* columns, std::size_t width) {
  Count most = 0;
  for (std::size_t bank = 0; bank < width; ++bank) most = std::max(most, columns[bank]);
  return most;
}

/// Calls use(Count{}) with the narrowest type that can count one warp's lanes.
template <class Use>
void with_count_type(Width width, Use use) {
  if (width <= std::numeric_limits<std::uint8_t>::max()) {
    use(std::uint8_t{});
  } else {
    use(std::uint16_t{});
  }
}

/// Calls visit(warp, stages) for `warps` warps, whose columns stand one warp after another.
template <class Count, class Visit>
void visit_columns(const Count* columns, std::size_t first_warp, std::size_t warps,
                   std::size_t width, Visit& visit) {
  for (std::size_t warp = 0; warp < warps; ++warp) {
    visit(std::uint64_t{first_warp + warp}, tallest(columns + warp * width, width));
  }
}

/// Calls visit(warp, stages) for the writes b[P(i)], warps in order. The pass counts several warps
/// before it reads the counts of the first: a read right after the counting would stall (measured:
/// 1.5 times as long).
template <class Index, class Visit>
void visit_destination_banks(std::span<const Index> permutation, Width width, Visit visit) {
  const auto pass = [&]<class Count>(auto by, Count) {
    const std::size_t lanes = width;
    const std::size_t block = widest_access / lanes;  // warps
    std::vector<Count> storage(block * lanes);
    // Bytes may alias anything, so the loop keeps in local variables what it reads repeatedly.
    Count* const columns = storage.data();
    const Index* const destinations = permutation.data();
    const std::size_t n = permutation.size();
    const std::size_t all_warps = ceil_div(n, lanes);
    for (std::size_t first_warp = 0; first_warp < all_warps; first_warp += block) {
      std::fill_n(columns, storage.size(), Count{0});
      const std::size_t warps = std::min(block, all_warps - first_warp);
      std::size_t i = first_warp * lanes;
      for (Count* own = columns; own < columns + warps * lanes; own += lanes) {
        const std::size_t end = std::min(i + lanes, n);
        for (; i < end; ++i) ++own[by.remainder(destinations[i])];
      }
      visit_columns(columns, first_warp, warps, lanes, visit);
    }
  };
  with_count_type(
      width, [&](auto count) { with_division<Index>(width, [&](auto by) { pass(by, count); }); });
}

/// Cells of warps, dealt into buckets. A cell is a pair (warp, bank) and has a number within its
/// bucket.
class CellBuckets {
 public:
  CellBuckets(std::size_t elements, Width width)
      : elements_(elements),
        width_(width),
        warps_shift_(std::countr_zero(std::bit_floor(most_cells / width))),
        cells_(std::make_unique_for_overwrite<std::uint16_t[]>(begin_of(count()))) {}

  std::size_t count() const { return ceil_div(elements_, bucket_elements()); }

  /// Deals the cell (⌊P(i)/w⌋, i mod w) of every i.
  template <class Index, class Division>
  void deal(std::span<const Index> permutation, Division by) {
    std::vector<std::size_t> starts(count());
    for (std::size_t bucket = 0; bucket < starts.size(); ++bucket) {
      starts[bucket] = begin_of(bucket);
    }
    std::size_t* const next = starts.data();
    std::uint16_t* const cells = cells_.get();
    const Index* const destinations = permutation.data();
    const std::size_t n = elements_;
    const std::size_t width = width_;
    const int shift = warps_shift_;
    const std::size_t mask = (std::size_t{1} << shift) - 1;
    for (std::size_t first = 0; first < n; first += width) {
      const std::size_t lanes = std::min(width, n - first);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto warp = static_cast<std::size_t>(by.quotient(destinations[first + lane]));
        cells[next[warp >> shift]++] = static_cast<std::uint16_t>((warp & mask) * width + lane);
      }
    }
  }

  /// The numbers of the cells dealt into one bucket. Cell 0 of a bucket belongs to warp
  /// first_warp(bucket).
  std::span<const std::uint16_t> operator[](std::size_t bucket) const {
    const std::size_t before = bucket * bucket_elements();
    return {cells_.get() + begin_of(bucket), std::min(bucket_elements(), elements_ - before)};
  }

  std::size_t first_warp(std::size_t bucket) const { return bucket << warps_shift_; }
  std::size_t warps_per_bucket() const { return std::size_t{1} << warps_shift_; }

 private:
  static constexpr std::size_t most_cells = std::size_t{1} << 16;

  /// Buckets that lie a power of two apart would all fall into one set of the cache (measured:
  /// three times slower). This many extra cells between buckets spread them over all sets.
  static constexpr std::size_t skew = 160;

  std::size_t bucket_elements() const { return std::size_t{width_} << warps_shift_; }
  std::size_t begin_of(std::size_t bucket) const { return bucket * (bucket_elements() + skew); }

  std::size_t elements_;
  std::size_t width_;
  int warps_shift_;
  std::unique_ptr<std::uint16_t[]> cells_;
};

/// Calls visit(warp, stages) for the reads a[P⁻¹(i)], warps in order.
template <class Index, class Visit>
void visit_source_banks(std::span<const Index> permutation, Width width, Visit visit) {
  CellBuckets buckets(permutation.size(), width);
  with_division<Index>(width, [&](auto by) { buckets.deal(permutation, by); });
  with_count_type(width, [&]<class Count>(Count) {
    std::vector<Count> storage(buckets.warps_per_bucket() * width);
    Count* const columns = storage.data();
    for (std::size_t bucket = 0; bucket < buckets.count(); ++bucket) {
      std::fill_n(columns, storage.size(), Count{0});
      const std::span<const std::uint16_t> cells = buckets[bucket];
      for (const std::uint16_t cell : cells) ++columns[cell];
      visit_columns(columns, buckets.first_warp(bucket), ceil_div(cells.size(), width), width,
                    visit);
    }
  });
}

}  // namespace bankproof::detail
