// Logic and shifts (PTX ISA, "Logic and Shift Instructions").
#include <array>

#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class T>
void add_logic(Table& table, std::string_view type) {
  table.fast(joined("and.", type), [](T a, T b) { return static_cast<T>(a & b); });
  table.fast(joined("or.", type), [](T a, T b) { return static_cast<T>(a | b); });
  table.fast(joined("xor.", type), [](T a, T b) { return static_cast<T>(a ^ b); });
  table.fast(joined("not.", type), [](T a) { return static_cast<T>(~a); });
  table.fast(joined("cnot.", type), [](T a) { return static_cast<T>(a == 0 ? 1 : 0); });
}

/// A shift by more than the register's width counts as a shift by the width. A mask makes the
/// choice, because in C++ a shift by the width or more is undefined.
template <class T>
T left(T a, U32 amount) {
  const auto moved = static_cast<T>(a << (amount & (width<T> - 1)));
  return amount < width<T> ? moved : T{0};
}

template <class T>
T right(T a, U32 amount) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(a >> (amount < width<T> ? amount : width<T> - 1));
  } else {
    const auto moved = static_cast<T>(a >> (amount & (width<T> - 1)));
    return amount < width<T> ? moved : T{0};
  }
}

/// funnel_left gives the upper word of `high:low` shifted left by n ≤ 32 bits; funnel_right gives
/// the lower word of `high:low` shifted right.
U32 funnel_left(U32 low, U32 high, U32 n) {
  return static_cast<U32>(((U64{high} << 32U | low) << n) >> 32U);
}
U32 funnel_right(U32 low, U32 high, U32 n) {
  return static_cast<U32>((U64{high} << 32U | low) >> n);
}
U32 clamped(U32 amount) { return amount < 32 ? amount : 32; }

/// Bit i of the result is bit 4·a_i + 2·b_i + c_i of the table. Masks choose the bit step by step,
/// in all positions at once.
U32 looked_up(U32 a, U32 b, U32 c, U32 table) {
  const auto all = [table](U32 bit) { return 0U - (table >> bit & 1U); };
  const auto choose = [](U32 mask, U32 one, U32 zero) { return zero ^ (mask & (one ^ zero)); };
  const U32 b0 = choose(b, choose(c, all(3), all(2)), choose(c, all(1), all(0)));
  const U32 b1 = choose(b, choose(c, all(7), all(6)), choose(c, all(5), all(4)));
  return choose(a, b1, b0);
}

/// Does what looked_up() does, faster, for a table that is the same for all lanes. A bit of the
/// result is a sum modulo 2 of products of a, b and c (its Zhegalkin polynomial); the table
/// determines which products occur.
class Lookup {
 public:
  explicit Lookup(U32 table) {
    // The coefficient of a product is the sum modulo 2 of the table's bits at all subsets of the
    // product's factors.
    for (U32 step = 1; step < 8; step *= 2) {
      for (U32 k = 0; k < 8; ++k) {
        if ((k & step) != 0) table ^= (table >> (k - step) & 1U) << k;
      }
    }
    for (U32 k = 0; k < 8; ++k) coefficients_[k] = 0U - (table >> k & 1U);
  }
  U32 operator()(U32 a, U32 b, U32 c) const {
    const auto& k = coefficients_;
    const U32 without_a = k[0] ^ (c & k[1]) ^ (b & (k[2] ^ (c & k[3])));
    const U32 with_a = k[4] ^ (c & k[5]) ^ (b & (k[6] ^ (c & k[7])));
    return without_a ^ (a & with_a);
  }

 private:
  std::array<U32, 8> coefficients_{};
};

template <class F>
void add_lookup(Table& table, std::string_view name, F) {
  table.add(joined("lop3.", name, ".b32"), [](U32 a, U32 b, U32 c, U32 bits, Predicate q) {
    const U32 d = looked_up(a, b, c, bits);
    return std::tuple{d, predicate(F{}(d != 0, q.mask != 0))};
  });
}

}  // namespace

void add_shifts(Table& table) {
  each(bit_types, [&table](auto type) {
    using T = typename decltype(type)::Type;
    add_logic<T>(table, type.name);
    table.fast(joined("shl.", type.name), [](T a, U32 b) { return left(a, b); });
    table.fast(joined("shr.", type.name), [](T a, U32 b) { return right(a, b); });
  });
  each(integer_types, [&table](auto type) {
    using T = typename decltype(type)::Type;
    table.fast(joined("shr.", type.name), [](T a, U32 b) { return right(a, b); });
  });
  table.fast("and.pred", [](Predicate a, Predicate b) { return Predicate{a.mask & b.mask}; });
  table.fast("or.pred", [](Predicate a, Predicate b) { return Predicate{a.mask | b.mask}; });
  table.fast("xor.pred", [](Predicate a, Predicate b) { return Predicate{a.mask ^ b.mask}; });
  table.fast("not.pred", [](Predicate a) { return Predicate{~a.mask}; });

  table.fast("shf.l.wrap.b32", [](U32 a, U32 b, U32 c) { return funnel_left(a, b, c & 31U); });
  table.fast("shf.r.wrap.b32", [](U32 a, U32 b, U32 c) { return funnel_right(a, b, c & 31U); });
  table.fast("shf.l.clamp.b32", [](U32 a, U32 b, U32 c) { return funnel_left(a, b, clamped(c)); });
  table.fast("shf.r.clamp.b32", [](U32 a, U32 b, U32 c) { return funnel_right(a, b, clamped(c)); });

  table.by_constant<Lookup>("lop3.b32",
                            [](U32 a, U32 b, U32 c, U32 d) { return looked_up(a, b, c, d); });
  // The second result is a predicate: whether any bit of the first result is set, joined with the
  // last source.
  add_lookup(table, "or", [](bool any, bool q) { return any | q; });
  add_lookup(table, "and", [](bool any, bool q) { return any & q; });
}

}  // namespace bankproof::ptx::lanes
