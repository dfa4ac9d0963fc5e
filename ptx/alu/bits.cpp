// Counting, finding and extracting bits (PTX ISA, "Integer Arithmetic Instructions"): popc, clz,
// bfind, fns, brev, bfe, bfi, bmsk, szext.
#include <algorithm>
#include <bit>

#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// The position of the highest bit that differs from the sign; all ones if no bit differs.
template <class T>
U32 highest_bit(T a) {
  using U = std::make_unsigned_t<T>;
  U bits = static_cast<U>(a);
  if constexpr (std::is_signed_v<T>) bits = a < 0 ? ~bits : bits;
  return static_cast<U32>(std::bit_width(bits)) - 1U;
}

template <class U>
U reversed(U a) {
  U result = 0;
  for (U32 i = 0; i < width<U>; ++i) result |= (a >> i & U{1}) << (width<U> - 1 - i);
  return result;
}

/// The lowest n bits; n may exceed the width.
template <class U>
U low_bits(U32 n) {
  return n >= width<U> ? ~U{0} : static_cast<U>((U{1} << n) - 1U);
}

/// Bits position … position + length - 1. A signed field is extended by its highest bit, or by the
/// register's highest bit if the field reaches beyond the register.
template <class T>
T extracted(T a, U32 position, U32 length) {
  using U = std::make_unsigned_t<T>;
  position &= 255U;
  length &= 255U;
  if (length == 0) return 0;
  const auto sign_bit = static_cast<U>(a) >> std::min(position + length - 1, width<T> - 1) & 1U;
  const U fill = std::is_signed_v<T> ? U{0} - sign_bit : U{0};
  const U moved = position >= width<T> ? U{0} : static_cast<U>(a) >> position;
  const U32 inside = position >= width<T> ? 0 : std::min(length, width<T> - position);
  const U field = low_bits<U>(inside);
  return static_cast<T>((moved & field) | (fill & ~field));
}

template <class U>
U inserted(U a, U b, U32 position, U32 length) {
  position &= 255U;
  length &= 255U;
  if (position >= width<U>) return b;
  const auto field = static_cast<U>(low_bits<U>(length) << position);
  return (b & ~field) | (static_cast<U>(a << position) & field);
}

/// Finds the n-th set bit (PTX ISA, "fns"): from `base` upwards for n > 0, downwards for n < 0. For
/// n = 0, tests the bit of base itself.
U32 nth_set(U32 mask, U32 base, S32 n) {
  constexpr U32 none = ~U32{0};
  if (base > 31) return none;
  if (n == 0) return mask >> base & 1U ? base : none;
  const U32 magnitude = n < 0 ? 0U - static_cast<U32>(n) : static_cast<U32>(n);
  U32 left = magnitude - 1;
  const U32 step = n > 0 ? 1U : ~U32{0};
  for (U32 position = base; position < 32; position += step) {
    if ((mask >> position & 1U) == 0) continue;
    if (left == 0) return position;
    --left;
  }
  return none;
}

template <bool wrap>
U32 mask_of(U32 position, U32 length) {
  if constexpr (wrap) {
    position &= 31U;
    length &= 31U;
  }
  if (position > 31) return 0;
  return low_bits<U32>(length) << position;
}

/// The low n bits of a, extended by their sign or by zeros.
template <class T, bool wrap>
T extended(T a, U32 n) {
  if constexpr (wrap) n &= 31U;
  if (n >= 32) return a;
  if (n == 0) return 0;
  const auto raised = static_cast<U32>(a) << (32U - n);
  return static_cast<T>(static_cast<T>(raised) >> (32U - n));
}

template <class T>
void add_fields(Table& table, std::string_view type) {
  table.add(joined("bfind.", type), [](T a) { return highest_bit(a); });
  table.add(joined("bfind.shiftamt.", type), [](T a) {
    const U32 position = highest_bit(a);
    return position == ~U32{0} ? position : width<T> - 1 - position;
  });
  table.fast(joined("bfe.", type), [](T a, U32 b, U32 c) { return extracted(a, b, c); });
}

}  // namespace

void add_bits(Table& table) {
  each(std::tuple{Tag<U32>{"b32"}, Tag<U64>{"b64"}}, [&table](auto type) {
    using T = typename decltype(type)::Type;
    table.fast(joined("popc.", type.name), [](T a) { return static_cast<U32>(std::popcount(a)); });
    table.fast(joined("clz.", type.name),
               [](T a) { return static_cast<U32>(std::countl_zero(a)); });
    table.add(joined("brev.", type.name), [](T a) { return reversed(a); });
    table.fast(joined("bfi.", type.name),
               [](T a, T b, U32 c, U32 d) { return inserted(a, b, c, d); });
  });
  add_fields<U32>(table, "u32");
  add_fields<S32>(table, "s32");
  add_fields<U64>(table, "u64");
  add_fields<S64>(table, "s64");
  table.add("fns.b32", [](U32 mask, U32 base, S32 n) { return nth_set(mask, base, n); });
  table.add("bmsk.clamp.b32", [](U32 a, U32 b) { return mask_of<false>(a, b); });
  table.add("bmsk.wrap.b32", [](U32 a, U32 b) { return mask_of<true>(a, b); });
  table.add("szext.clamp.u32", [](U32 a, U32 b) { return extended<U32, false>(a, b); });
  table.add("szext.wrap.u32", [](U32 a, U32 b) { return extended<U32, true>(a, b); });
  table.add("szext.clamp.s32", [](S32 a, U32 b) { return extended<S32, false>(a, b); });
  table.add("szext.wrap.s32", [](S32 a, U32 b) { return extended<S32, true>(a, b); });
}

}  // namespace bankproof::ptx::lanes
