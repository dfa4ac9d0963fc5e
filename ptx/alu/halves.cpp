// Arithmetic of f16, bf16 and pairs of them (PTX ISA, "Half Precision Floating Point
// Instructions").
//
// Sums and products are computed in f32 or f64, and then rounded to the half. The result is
// correctly rounded: products are exact before this rounding, f32 has more than twice the digits of
// the halves that it sums, and fma rounds its sum to odd first.
#include <array>
#include <cmath>
#include <type_traits>

#include "half.hpp"
#include "half_vectors.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class T, bool ftz, bool sat>
T finish(float x) {
  return flush<ftz>(narrowed<T>(saturated<sat>(x)));
}

/// The type in which products of two T are exact. For Half, float suffices: a product has 22
/// digits, and its exponent is far from the limits of float.
template <class T>
using Exact = std::conditional_t<std::is_same_v<T, Half>, float, double>;

template <class T>
Exact<T> product(T a, T b) {
  return static_cast<Exact<T>>(widened(a)) * static_cast<Exact<T>>(widened(b));
}

/// A float that rounds to the same half as x.
inline float as_float(double x) { return to_odd(x); }
inline float as_float(float x) { return x; }

template <class T, bool ftz, bool sat>
T sum_of(T a, T b) {
  return finish<T, ftz, sat>(widened(flush<ftz>(a)) + widened(flush<ftz>(b)));
}
template <class T, bool ftz, bool sat>
T difference_of(T a, T b) {
  return finish<T, ftz, sat>(widened(flush<ftz>(a)) - widened(flush<ftz>(b)));
}
template <class T, bool ftz, bool sat>
T product_of(T a, T b) {
  return finish<T, ftz, sat>(as_float(product(flush<ftz>(a), flush<ftz>(b))));
}
template <class T, bool ftz, bool sat, bool relu>
T fused_of(T a, T b, T c) {
  const Exact<T> sum = sum_to_odd(product(flush<ftz>(a), flush<ftz>(b)),
                                  static_cast<Exact<T>>(widened(flush<ftz>(c))));
  return rectified<relu>(finish<T, ftz, sat>(as_float(sum)));
}

template <class T, bool greatest, bool nan, bool signs, bool ftz>
T extreme_of(T a, T b) {
  a = flush<ftz>(a);
  b = flush<ftz>(b);
  const U32 sign = signs ? (a.bits ^ b.bits) & 0x8000U : 0U;
  if constexpr (signs) a.bits &= 0x7fffU;
  if constexpr (signs) b.bits &= 0x7fffU;
  if (is_nan(a) || is_nan(b)) {
    if (nan || (is_nan(a) && is_nan(b))) return T{canonical_nan_f16};
    return T{static_cast<U16>((is_nan(a) ? b.bits : a.bits) | sign)};
  }
  // Compares integers made from sign and magnitude, in which -0 is less than +0.
  const auto order = [](T x) {
    const S32 magnitude = x.bits & 0x7fff;
    return x.bits & 0x8000U ? -magnitude - 1 : magnitude;
  };
  const bool first = greatest ? order(a) > order(b) : order(a) < order(b);
  return T{static_cast<U16>((first ? a.bits : b.bits) | sign)};
}

/// Inlines all that the lambda calls; else the compiler does not vectorize the loops over lanes.
#if defined(__GNUC__)
#define BANKPROOF_PTX_FLAT __attribute__((flatten))
#else
#define BANKPROOF_PTX_FLAT
#endif

/// The row for single numbers of a format, and the row for pairs of them.
struct HalfRows {
  Row& single;
  Row& pairs;
};

/// Adds the row of T and the row of its pairs. F takes and returns values of T.
template <class T, class F>
HalfRows add_unary(Table& table, std::string_view opcode, std::string_view type, F) {
  Row& single =
      table.fast(joined(opcode, ".", type), [](T a) BANKPROOF_PTX_FLAT { return F{}(a); });
  Row& pairs = table.fast(joined(opcode, ".", type, "x2"),
                          [](Pair<T> a) BANKPROOF_PTX_FLAT { return each_half<T>(F{}, a); });
  return {single, pairs};
}
template <class T, class F>
HalfRows add_binary(Table& table, std::string_view opcode, std::string_view type, F) {
  Row& single =
      table.fast(joined(opcode, ".", type), [](T a, T b) BANKPROOF_PTX_FLAT { return F{}(a, b); });
  Row& pairs =
      table.fast(joined(opcode, ".", type, "x2"),
                 [](Pair<T> a, Pair<T> b) BANKPROOF_PTX_FLAT { return each_half<T>(F{}, a, b); });
  return {single, pairs};
}
template <class T, class F>
HalfRows add_ternary(Table& table, std::string_view opcode, std::string_view type, F) {
  Row& single = table.fast(joined(opcode, ".", type),
                           [](T a, T b, T c) BANKPROOF_PTX_FLAT { return F{}(a, b, c); });
  Row& pairs = table.fast(joined(opcode, ".", type, "x2"),
                          [](Pair<T> a, Pair<T> b, Pair<T> c)
                              BANKPROOF_PTX_FLAT { return each_half<T>(F{}, a, b, c); });
  return {single, pairs};
}

/// At Level::avx2, gives the rows of Half the steps of half_vectors.hpp.
template <class T, class F, bool ftz, bool sat, bool relu, std::size_t... source>
void take_vectors([[maybe_unused]] Level level, [[maybe_unused]] const HalfRows& rows) {
#if BANKPROOF_PTX_AVX2
  if constexpr (std::is_same_v<T, Half>) {
    if (level != Level::avx2) return;
    rows.single.step = &halves_step<F, U16, ftz, sat, relu, source...>;
    rows.pairs.step = &halves_step<F, U32, ftz, sat, relu, source...>;
  }
#endif
}

template <class T, bool ftz, bool sat>
void add_half_sums(Table& table, std::string_view modifiers, std::string_view type) {
  for (const std::string_view rn : {"", ".rn"}) {
    take_vectors<T, HalfSum, ftz, sat, false, 0, 1>(
        table.level(), add_binary<T>(table, joined("add", rn, modifiers), type,
                                     [](T a, T b) { return sum_of<T, ftz, sat>(a, b); }));
    take_vectors<T, HalfDifference, ftz, sat, false, 0, 1>(
        table.level(), add_binary<T>(table, joined("sub", rn, modifiers), type,
                                     [](T a, T b) { return difference_of<T, ftz, sat>(a, b); }));
    take_vectors<T, HalfProduct, ftz, sat, false, 0, 1>(
        table.level(), add_binary<T>(table, joined("mul", rn, modifiers), type,
                                     [](T a, T b) { return product_of<T, ftz, sat>(a, b); }));
  }
  take_vectors<T, HalfFused, ftz, sat, false, 0, 1, 2>(
      table.level(), add_ternary<T>(table, joined("fma.rn", modifiers), type, [](T a, T b, T c) {
        return fused_of<T, ftz, sat, false>(a, b, c);
      }));
}

template <class T, bool ftz>
void add_others(Table& table, std::string_view modifier, std::string_view type) {
  take_vectors<T, HalfFused, ftz, false, true, 0, 1, 2>(
      table.level(),
      add_ternary<T>(table, joined("fma.rn", modifier, ".relu"), type,
                     [](T a, T b, T c) { return fused_of<T, ftz, false, true>(a, b, c); }));
  add_unary<T>(table, joined("neg", modifier), type,
               [](T a) { return T{static_cast<U16>(flush<ftz>(a).bits ^ 0x8000U)}; });
  add_unary<T>(table, joined("abs", modifier), type,
               [](T a) { return T{static_cast<U16>(flush<ftz>(a).bits & 0x7fffU)}; });
  optional(".NaN", [&](auto nan, std::string_view second) {
    optional(".xorsign.abs", [&](auto signs, std::string_view third) {
      const std::string modifiers = joined(modifier, second, third);
      add_binary<T>(table, joined("min", modifiers), type, [](T a, T b) {
        return extreme_of<T, false, decltype(nan)::value, decltype(signs)::value, ftz>(a, b);
      });
      add_binary<T>(table, joined("max", modifiers), type, [](T a, T b) {
        return extreme_of<T, true, decltype(nan)::value, decltype(signs)::value, ftz>(a, b);
      });
    });
  });
}

template <class T, bool ftz, class F>
T approximate(T a, F f) {
  return flush<ftz>(narrowed<T>(f(static_cast<double>(widened(flush<ftz>(a))))));
}

}  // namespace

void add_halves(Table& table) {
  optional(".ftz", [&](auto flag, std::string_view first) {
    constexpr bool ftz = decltype(flag)::value;
    optional(".sat", [&](auto sat, std::string_view second) {
      add_half_sums<Half, ftz, decltype(sat)::value>(table, joined(first, second), "f16");
    });
    add_others<Half, ftz>(table, first, "f16");
    add_unary<Half>(table, joined("ex2.approx", first), "f16", [](Half a) {
      return approximate<Half, ftz>(a, [](double x) { return std::exp2(x); });
    });
  });
  add_half_sums<Brain, false, false>(table, "", "bf16");
  add_others<Brain, false>(table, "", "bf16");
  add_unary<Brain>(table, "ex2.approx.ftz", "bf16", [](Brain a) {
    return approximate<Brain, true>(a, [](double x) { return std::exp2(x); });
  });
  add_unary<Half>(table, "tanh.approx", "f16", [](Half a) {
    return approximate<Half, false>(a, [](double x) { return std::tanh(x); });
  });
  add_unary<Brain>(table, "tanh.approx", "bf16", [](Brain a) {
    return approximate<Brain, false>(a, [](double x) { return std::tanh(x); });
  });
}

}  // namespace bankproof::ptx::lanes
