// Products of integers: mul, mad, mul24, mad24, and the dot products of bytes (PTX ISA, "Integer
// Arithmetic Instructions").
#include "table.hpp"
#include "wide.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class T>
void add_products_of(Table& table, std::string_view type) {
  table.fast(joined("mul.lo.", type), [](T a, T b) { return low_product(a, b); });
  table.fast(joined("mul.hi.", type), [](T a, T b) { return high_product(a, b); });
  table.fast(joined("mad.lo.", type), [](T a, T b, T c) { return sum(low_product(a, b), c); });
  table.fast(joined("mad.hi.", type), [](T a, T b, T c) { return sum(high_product(a, b), c); });
  if constexpr (sizeof(T) < 8) {
    using D = Double<T>;
    table.fast(joined("mul.wide.", type), [](T a, T b) { return wide_product(a, b); });
    table.fast(joined("mad.wide.", type), [](T a, T b, D c) { return sum(wide_product(a, b), c); });
  }
}

/// The low 24 bits, with their sign.
template <class T>
S64 of_24_bits(T a) {
  return static_cast<T>(static_cast<U32>(a) << 8U) >> 8;
}

/// Bits 31…0 and 47…16 of the 48-bit product.
template <class T>
T low_24(T a, T b) {
  return static_cast<T>(of_24_bits(a) * of_24_bits(b));
}
template <class T>
T high_24(T a, T b) {
  return static_cast<T>(of_24_bits(a) * of_24_bits(b) >> 16);
}

template <class T>
void add_products_of_24_bits(Table& table, std::string_view type) {
  table.add(joined("mul24.lo.", type), [](T a, T b) { return low_24(a, b); });
  table.add(joined("mul24.hi.", type), [](T a, T b) { return high_24(a, b); });
  table.add(joined("mad24.lo.", type), [](T a, T b, T c) { return sum(low_24(a, b), c); });
  table.add(joined("mad24.hi.", type), [](T a, T b, T c) { return sum(high_24(a, b), c); });
}

/// Element `index` of a word that holds elements of `bits` bits. The element has a sign if `Signed`
/// is a signed type.
template <class Signed, unsigned bits>
S64 element(U32 word, unsigned index) {
  const U32 raised = word << (32U - bits - bits * index);
  return std::is_signed_v<Signed> ? S64{static_cast<S32>(raised) >> (32U - bits)}
                                  : S64{raised >> (32U - bits)};
}

/// Signed and unsigned factors may mix; the sum wraps in 32 bits.
template <class A, class B>
void add_dot_products(Table& table, std::string_view a_type, std::string_view b_type) {
  table.add(joined("dp4a.", a_type, ".", b_type), [](U32 a, U32 b, U32 c) {
    S64 dot = c;
    for (unsigned i = 0; i < 4; ++i) dot += element<A, 8>(a, i) * element<B, 8>(b, i);
    return static_cast<U32>(dot);
  });
  table.add(joined("dp2a.lo.", a_type, ".", b_type), [](U32 a, U32 b, U32 c) {
    S64 dot = c;
    for (unsigned i = 0; i < 2; ++i) dot += element<A, 16>(a, i) * element<B, 8>(b, i);
    return static_cast<U32>(dot);
  });
  table.add(joined("dp2a.hi.", a_type, ".", b_type), [](U32 a, U32 b, U32 c) {
    S64 dot = c;
    for (unsigned i = 0; i < 2; ++i) dot += element<A, 16>(a, i) * element<B, 8>(b, i + 2);
    return static_cast<U32>(dot);
  });
}

constexpr std::tuple word_types{Tag<U32>{"u32"}, Tag<S32>{"s32"}};

}  // namespace

void add_products(Table& table) {
  each(integer_types,
       [&table](auto type) { add_products_of<typename decltype(type)::Type>(table, type.name); });
  table.add("mad.hi.sat.s32",
            [](S32 a, S32 b, S32 c) { return clamped_to_s32(S64{high_product(a, b)} + c); });
  each(word_types, [&table](auto type) {
    add_products_of_24_bits<typename decltype(type)::Type>(table, type.name);
  });
  table.add("mad24.hi.sat.s32",
            [](S32 a, S32 b, S32 c) { return clamped_to_s32(S64{high_24(a, b)} + c); });
  each(word_types, [&table](auto a) {
    each(word_types, [&table, a](auto b) {
      add_dot_products<typename decltype(a)::Type, typename decltype(b)::Type>(table, a.name,
                                                                               b.name);
    });
  });
}

}  // namespace bankproof::ptx::lanes
