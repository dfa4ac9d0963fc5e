// The word of an mbarrier, which is opaque to programs (PTX ISA, "mbarrier"). Its lowest 20 bits
// count the arrivals that the current phase still waits for, the next 20 bits the arrivals that the
// next phase will wait for, and the highest 24 bits the phases.
#pragma once

#include <cstdint>

namespace bankproof::ptx {

constexpr std::uint32_t mbarrier_count_bits = 20;
constexpr std::uint32_t mbarrier_phase_bit = 2 * mbarrier_count_bits;
constexpr std::uint64_t mbarrier_counts = (std::uint64_t{1} << mbarrier_count_bits) - 1;

/// The word after `arrivals` arrivals. If `drop`, the next phase waits for that many fewer
/// arrivals. The last arrival of a phase begins the next phase.
constexpr std::uint64_t after_arrivals(std::uint64_t word, std::uint64_t arrivals, bool drop) {
  const std::uint64_t pending = (word - arrivals) & mbarrier_counts;
  const std::uint64_t next =
      ((word >> mbarrier_count_bits) - (drop ? arrivals : 0)) & mbarrier_counts;
  const std::uint64_t phase = (word >> mbarrier_phase_bit) + (pending == 0 ? 1 : 0);
  return phase << mbarrier_phase_bit | next << mbarrier_count_bits |
         (pending == 0 ? next : pending);
}

}  // namespace bankproof::ptx
