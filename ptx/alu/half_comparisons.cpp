// setp and set on f16, bf16 and pairs of them (PTX ISA, "Half Precision Comparison Instructions").
#include "comparing.hpp"
#include "half.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// Compares integers: each number becomes its magnitude's bits with its sign, so that both zeros
/// become 0.
template <Comparison op, bool ftz, class T>
bool compares(T a, T b) {
  const auto order = [](T x) {
    const S32 magnitude = x.bits & 0x7fff;
    return x.bits >> 15U != 0 ? -magnitude : magnitude;
  };
  const S32 x = order(flush<ftz>(a));
  const S32 y = order(flush<ftz>(b));
  const bool unordered = (U32{is_nan(a)} | U32{is_nan(b)}) != 0;
  if constexpr (op == Comparison::num) return !unordered;
  if constexpr (op == Comparison::nan) return unordered;
  const U32 ordered_and_holds = U32{!unordered} & U32{holds<op>(x, y)};
  return (op >= Comparison::equ ? ordered_and_holds | U32{unordered} : ordered_and_holds) != 0;
}

/// The masks of both halves in one word.
template <Comparison op, bool ftz, class T>
Predicate of_pairs(Pair<T> a, Pair<T> b) {
  const auto half = [](bool holds) { return holds ? 0xffffU : 0U; };
  return {half(compares<op, ftz>(T{static_cast<U16>(a.bits)}, T{static_cast<U16>(b.bits)})) |
          half(compares<op, ftz>(T{static_cast<U16>(a.bits >> 16U)},
                                 T{static_cast<U16>(b.bits >> 16U)}))
              << 16U};
}

template <class T, Comparison op, bool ftz>
void add_comparison(Table& table, std::string_view name, std::string_view modifier,
                    std::string_view type) {
  const auto single = [](T a, T b) { return predicate(compares<op, ftz>(a, b)); };
  add_setp<false>(table, name, joined(modifier, ".", type), single);
  const auto set = [&](auto what, std::string_view result) {
    add_set<decltype(what)::value>(table, name, joined(modifier, result, type), single);
  };
  set(std::integral_constant<Writes, Writes::word>{}, ".u32.");
  set(std::integral_constant<Writes, Writes::word>{}, ".s32.");
  set(std::integral_constant<Writes, Writes::half_word>{}, ".u16.");
  set(std::integral_constant<Writes, Writes::half_word>{}, ".s16.");
  set(std::integral_constant<Writes, Writes::one_f16>{}, ".f16.");
  set(std::integral_constant<Writes, Writes::one_bf16>{}, ".bf16.");

  constexpr bool is_half = std::is_same_v<T, Half>;
  const auto pairs = [](Pair<T> a, Pair<T> b) { return of_pairs<op, ftz>(a, b); };
  const std::string pair = joined(type, "x2");
  add_setp_of_pairs(table, name, joined(modifier, ".", pair), pairs);
  add_set<is_half ? Writes::pair_f16 : Writes::pair_bf16>(
      table, name, joined(modifier, ".", pair, ".", pair), pairs);
  add_set<Writes::word>(table, name, joined(modifier, ".u32.", pair), pairs);
  add_set<Writes::word>(table, name, joined(modifier, ".s32.", pair), pairs);
}

}  // namespace

void add_half_comparisons(Table& table) {
  each(float_orders, [&](auto comparison) {
    constexpr Comparison op = decltype(comparison)::value;
    add_comparison<Half, op, false>(table, comparison.name, "", "f16");
    add_comparison<Half, op, true>(table, comparison.name, ".ftz", "f16");
    add_comparison<Brain, op, false>(table, comparison.name, "", "bf16");
  });
}

}  // namespace bankproof::ptx::lanes
