// Makes the short ways of loads and stores, for each level of the host's processor.
#pragma once

#include <cstdint>

#include "../isa/level.hpp"
#include "access.hpp"

namespace bankproof::ptx {

template <class Way, class... Arguments>
bool portable_way(Arguments... arguments) {
  return Way::template perform<Level::portable>(arguments...);
}
#if BANKPROOF_PTX_AVX2
/// All that Way::perform() calls inline is compiled for AVX2, too.
template <class Way, class... Arguments>
[[BANKPROOF_PTX_FOR_AVX2]] bool avx2_way(Arguments... arguments) {
  return Way::template perform<Level::avx2>(arguments...);
}
#endif

/// Sets `to` to Way::perform<level>(), which is always inlined, as compiled for the level.
template <class Way, class... Arguments>
void choose_way(bool (*&to)(Arguments...), [[maybe_unused]] Level level) {
  to = portable_way<Way, Arguments...>;
#if BANKPROOF_PTX_AVX2
  if (level == Level::avx2) to = avx2_way<Way, Arguments...>;
#endif
}

/// Likewise for the Way<writes, element bytes> of these operands, for which has_short_way() holds.
template <template <bool, std::uint32_t> class Way, class... Arguments>
void choose_way(bool (*&to)(Arguments...), const MemoryOperands& operands, Level level) {
  const bool writes = operands.access.operation == Operation::store;
  if (operands.access.element_bytes == 4) {
    writes ? choose_way<Way<true, 4>>(to, level) : choose_way<Way<false, 4>>(to, level);
  } else {
    writes ? choose_way<Way<true, 8>>(to, level) : choose_way<Way<false, 8>>(to, level);
  }
}

}  // namespace bankproof::ptx
