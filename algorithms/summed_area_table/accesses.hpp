// Counts the accesses of a run that computes a summed area table, as THS table 6.1 does, but with
// all smaller terms.
//
// An access of global memory is stride if it takes a stage for each of its threads (THS 6.1), and
// coalesced otherwise. So the access of a single thread is stride. For C coalesced and S stride
// accesses, C/w + S is at most the number of stages. It is equal to this number if warps are full
// and no access to w consecutive words touches two groups. (Lemma 6.3.1 counts single words as
// 1/w.)
//
// Example, w = 4: 4 threads that read words 0 … 3 make 4 coalesced reads. If they read words 0, 4,
// 8 and 12, they make 4 stride reads.
#pragma once

#include <bit>
#include <cstdint>
#include <ostream>

#include "../../model/machine.hpp"
#include "../algorithm.hpp"

namespace bankproof {

/// The number of accesses of threads, and the number of launches after the first.
struct SatAccesses {
  std::uint64_t reads = 0;  ///< of global memory
  std::uint64_t writes = 0;
  std::uint64_t stride_reads = 0;  ///< those of the reads that are stride
  std::uint64_t stride_writes = 0;
  std::uint64_t shared_reads = 0;
  std::uint64_t shared_writes = 0;
  std::uint64_t barriers = 0;

  SatAccesses& operator+=(const SatAccesses& other) {
    reads += other.reads;
    writes += other.writes;
    stride_reads += other.stride_reads;
    stride_writes += other.stride_writes;
    shared_reads += other.shared_reads;
    shared_writes += other.shared_writes;
    barriers += other.barriers;
    return *this;
  }
  SatAccesses& operator-=(const SatAccesses& other) {
    reads -= other.reads;
    writes -= other.writes;
    stride_reads -= other.stride_reads;
    stride_writes -= other.stride_writes;
    shared_reads -= other.shared_reads;
    shared_writes -= other.shared_writes;
    barriers -= other.barriers;
    return *this;
  }
  bool operator==(const SatAccesses&) const = default;

  /// C/w + S + (B + 1)(L − 1).
  double cost(const MachineParameters& machine) const {
    const std::uint64_t stride = stride_reads + stride_writes;
    return static_cast<double>(reads + writes - stride) / static_cast<double>(machine.w) +
           static_cast<double>(stride + (barriers + 1) * (machine.L - 1));
  }
  friend std::ostream& operator<<(std::ostream& out, const SatAccesses& a) {
    return out << "global " << a.reads << '/' << a.writes << ", of them stride " << a.stride_reads
               << '/' << a.stride_writes << ", shared " << a.shared_reads << '/' << a.shared_writes
               << ", barriers " << a.barriers;
  }
};

/// Counts the accesses of a run on an HMM.
class SatAccessCounter : public Observer {
 public:
  void launch_begins(const LaunchEvent&) override { ++launches_; }
  void accessed(const AccessEvent& event) override {
    const auto threads = static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
    const bool reads = event.access.operation == Operation::read;
    if (event.memory().kind() == MemoryKind::banks) {
      (reads ? all_.shared_reads : all_.shared_writes) += threads;
      return;
    }
    (reads ? all_.reads : all_.writes) += threads;
    if (event.stages == threads) (reads ? all_.stride_reads : all_.stride_writes) += threads;
  }
  SatAccesses counts() const {
    SatAccesses counts = all_;
    counts.barriers = launches_ - 1;
    return counts;
  }

 private:
  std::uint64_t launches_ = 0;
  SatAccesses all_;
};

/// The shared memory accesses of steps 1 and 3 of 2R1W for `tiles` tiles. `totals` is the number of
/// these tiles that write their own sum to M. The result leaves out the accesses that add carries
/// to the tiles' edges, and those that read sums from these edges.
inline SatAccesses tiles_in_two_passes(std::uint64_t tiles, std::uint64_t totals, std::uint64_t w) {
  return {.shared_reads = tiles * (2 * w * w + 2 * (w - 1) + 3 * w * w) + totals,
          .shared_writes = tiles * (w * w + w + (w - 1) + 3 * w * w)};
}

/// The accesses that compute the table of the tile sums in one tile of shared memory. `sums` is the
/// number of tile sums that are not zero. The result does not say how many accesses are stride,
/// since this number depends on where these sums are.
inline SatAccesses sums_in_a_tile(std::uint64_t sums, std::uint64_t w) {
  return {.reads = sums, .writes = sums, .shared_reads = 3 * w * w, .shared_writes = 3 * w * w};
}
/// The accesses that compute the table of m × m tile sums: in one tile, or by 2R1W again. Blocks
/// have w² threads.
inline SatAccesses table_of_sums(std::uint64_t m, std::uint64_t sums, std::uint64_t w) {
  if (m == 0) return {};
  if (m <= w) return sums_in_a_tile(sums, w);
  // C and Rᵀ are written, summed down (all rows are read, all rows but the first are written) and
  // read. M is written and read, and the carries are added in shared memory.
  const std::uint64_t tiles = ceil_div(m, w);
  const std::uint64_t inner = tiles - 1;
  SatAccesses all = tiles_in_two_passes(tiles * tiles, inner * inner, w);
  all += {.reads = 2 * sums + 2 * (2 * inner * m) + inner * inner,
          .writes = sums + 2 * (2 * inner - 1) * m + inner * inner,
          .stride_reads = inner * inner,
          .stride_writes = inner * inner,
          .shared_reads = 2 * inner * m + inner * inner,
          .shared_writes = 2 * inner * m + inner * inner,
          .barriers = 2};
  return all += table_of_sums(inner, inner * inner, w);
}

}  // namespace bankproof
