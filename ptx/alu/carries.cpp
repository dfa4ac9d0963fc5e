// Arithmetic of several words: the condition code CC.CF passes from one instruction to the next
// (PTX ISA, "Extended-Precision Integer Arithmetic Instructions"). The engine keeps the condition
// code as a predicate, which holds the borrow after a subtraction.
#include "table.hpp"
#include "wide.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class T>
using Sum = std::tuple<T, Predicate>;

template <class T>
Sum<T> with_carry(T a, T b, Predicate carry) {
  const auto once = static_cast<T>(a + b);
  const auto twice = static_cast<T>(once + (carry.mask & 1U));
  return {twice, predicate((once < a) | (twice < once))};
}

template <class T>
Sum<T> with_borrow(T a, T b, Predicate borrow) {
  const auto once = static_cast<T>(a - b);
  const auto twice = static_cast<T>(once - (borrow.mask & 1U));
  return {twice, predicate((a < b) | (once < twice))};
}

Row& carries(Row& row, bool in, bool out) {
  row.carry_in = in;
  row.carry_out = out;
  return row;
}

/// The low or high word of a product of two T, as an unsigned number.
template <class T, bool high>
std::make_unsigned_t<T> word_of_product(std::make_unsigned_t<T> a, std::make_unsigned_t<T> b) {
  const auto x = static_cast<T>(a);
  const auto y = static_cast<T>(b);
  return static_cast<std::make_unsigned_t<T>>(high ? high_product(x, y) : low_product(x, y));
}

template <class T, bool high>
void add_multiply_carries(Table& table, std::string_view type) {
  using U = std::make_unsigned_t<T>;
  const std::string_view mode = high ? ".hi" : ".lo";
  carries(table.add(joined("mad", mode, ".cc.", type),
                    [](U a, U b, U c) {
                      return with_carry<U>(word_of_product<T, high>(a, b), c, Predicate{0});
                    }),
          false, true);
  carries(table.add(joined("madc", mode, ".", type),
                    [](U a, U b, U c, Predicate carry) {
                      return std::get<0>(with_carry<U>(word_of_product<T, high>(a, b), c, carry));
                    }),
          true, false);
  carries(table.add(joined("madc", mode, ".cc.", type),
                    [](U a, U b, U c, Predicate carry) {
                      return with_carry<U>(word_of_product<T, high>(a, b), c, carry);
                    }),
          true, true);
}

template <class T>
void add_carries_of(Table& table, std::string_view type) {
  using U = std::make_unsigned_t<T>;
  carries(table.fast(joined("add.cc.", type),
                     [](U a, U b) { return with_carry<U>(a, b, Predicate{0}); }),
          false, true);
  carries(
      table.fast(joined("addc.", type),
                 [](U a, U b, Predicate carry) { return std::get<0>(with_carry<U>(a, b, carry)); }),
      true, false);
  carries(table.fast(joined("addc.cc.", type),
                     [](U a, U b, Predicate carry) { return with_carry<U>(a, b, carry); }),
          true, true);
  carries(table.add(joined("sub.cc.", type),
                    [](U a, U b) { return with_borrow<U>(a, b, Predicate{0}); }),
          false, true);
  carries(table.add(
              joined("subc.", type),
              [](U a, U b, Predicate borrow) { return std::get<0>(with_borrow<U>(a, b, borrow)); }),
          true, false);
  carries(table.add(joined("subc.cc.", type),
                    [](U a, U b, Predicate borrow) { return with_borrow<U>(a, b, borrow); }),
          true, true);
  add_multiply_carries<T, false>(table, type);
  add_multiply_carries<T, true>(table, type);
}

}  // namespace

void add_carries(Table& table) {
  add_carries_of<U32>(table, "u32");
  add_carries_of<S32>(table, "s32");
  add_carries_of<U64>(table, "u64");
  add_carries_of<S64>(table, "s64");
}

}  // namespace bankproof::ptx::lanes
