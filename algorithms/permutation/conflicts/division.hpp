// Division by a width, decided once outside the loops: by shift and mask if the width is a power of
// two, otherwise in the index's own type (a 32-bit division costs a third of a 64-bit division).
//
// Example: with_division<std::uint32_t>(32, [](auto by) { return by.remainder(70); }) is 6.
#pragma once

#include <bit>
#include <cstdint>

namespace bankproof::detail {

template <class Index>
struct ShiftDivision {
  int shift;
  Index mask;
  Index quotient(Index value) const { return value >> shift; }
  Index remainder(Index value) const { return value & mask; }
};

template <class Index>
struct PlainDivision {
  Index divisor;
  Index quotient(Index value) const { return value / divisor; }
  Index remainder(Index value) const { return value % divisor; }
};

/// Calls `use` with a division by `divisor`, which is at least 1, and returns what `use` returns.
template <class Index, class Use>
auto with_division(std::uint64_t divisor, Use use) {
  const auto narrow = static_cast<Index>(divisor);
  if (!std::has_single_bit(divisor)) return use(PlainDivision<Index>{narrow});
  return use(ShiftDivision<Index>{std::countr_zero(divisor), static_cast<Index>(narrow - 1)});
}

}  // namespace bankproof::detail
