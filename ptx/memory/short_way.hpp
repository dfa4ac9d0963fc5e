// Makes the short ways of loads and stores, for each level of the host's processor.
#pragma once

#include <cstdint>

#include "../isa/level.hpp"
#include "access.hpp"

namespace bankproof::ptx {

template <class Way>
bool portable_way(MemoryWarp& warp, const Op* op, const MemoryOperands& operands, LaneMask lanes) {
  return Way::perform(warp, op, operands, lanes);
}
#if BANKPROOF_PTX_AVX2
/// All that Way::perform() calls inline is compiled for AVX2, too.
template <class Way>
[[BANKPROOF_PTX_FOR_AVX2]] bool avx2_way(MemoryWarp& warp, const Op* op,
                                         const MemoryOperands& operands, LaneMask lanes) {
  return Way::perform(warp, op, operands, lanes);
}
#endif

template <class Way>
PerformShort way_at([[maybe_unused]] Level level) {
#if BANKPROOF_PTX_AVX2
  if (level == Level::avx2) return avx2_way<Way>;
#endif
  return portable_way<Way>;
}

/// The function of Way<writes, element bytes> for these operands; null if has_short_way() does not
/// hold. `perform` of a way is always inlined.
template <template <bool, std::uint32_t> class Way>
PerformShort short_way_of(const MemoryOperands& operands, Level level) {
  if (!has_short_way(operands)) return nullptr;
  const bool writes = operands.access.operation == Operation::store;
  if (operands.access.element_bytes == 4) {
    return writes ? way_at<Way<true, 4>>(level) : way_at<Way<false, 4>>(level);
  }
  return writes ? way_at<Way<true, 8>>(level) : way_at<Way<false, 8>>(level);
}

}  // namespace bankproof::ptx
