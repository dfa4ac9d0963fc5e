// min and max of f32 and f64 (PTX ISA, "min", "max"): a number wins over NaN unless .NaN says
// otherwise, and -0 is less than +0.
#include <cmath>

#include "flush.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// Maps numbers to integers in the same order, in which -0 comes before +0.
S32 order(U32 bits) { return static_cast<S32>(bits ^ (0U - (bits >> 31U)) >> 1U); }
S64 order(U64 bits) { return static_cast<S64>(bits ^ (U64{0} - (bits >> 63U)) >> 1U); }

template <bool greatest, bool nan, class T>
T extreme(T a, T b) {
  const bool first = greatest ? order(std::bit_cast<Word<T>>(a)) > order(std::bit_cast<Word<T>>(b))
                              : order(std::bit_cast<Word<T>>(a)) < order(std::bit_cast<Word<T>>(b));
  const T chosen = first ? a : b;
  if constexpr (nan) {
    const bool numbers = (U32{is_number(a)} & U32{is_number(b)}) != 0;
    return numbers ? chosen : canonical_nan<T>();
  }
  // If both are NaN, so is the result.
  const T a_or_b = is_number(a) ? chosen : canonical(b);
  return is_number(b) ? a_or_b : canonical(a);
}

template <bool greatest, bool nan, bool signs, bool ftz>
float extreme_f32(float a, float b) {
  a = flush<ftz>(a);
  b = flush<ftz>(b);
  if constexpr (!signs) return extreme<greatest, nan>(a, b);
  // Combines the sign of the product with the magnitude of the extreme; NaN keeps its own sign.
  const U32 sign = (std::bit_cast<U32>(a) ^ std::bit_cast<U32>(b)) & 0x80000000U;
  const float magnitude = extreme<greatest, nan>(std::fabs(a), std::fabs(b));
  const U32 bits = std::bit_cast<U32>(magnitude);
  return std::bit_cast<float>(is_number(magnitude) ? bits | sign : bits);
}

template <bool greatest>
void add_extreme(Table& table, std::string_view name) {
  table.fast(joined(name, ".f64"),
             [](double a, double b) { return extreme<greatest, false>(a, b); });
  optional(".ftz", [&](auto ftz, std::string_view first) {
    optional(".NaN", [&](auto nan, std::string_view second) {
      optional(".xorsign.abs", [&](auto signs, std::string_view third) {
        table.fast(joined(name, first, second, third, ".f32"), [](float a, float b) {
          return extreme_f32<greatest, decltype(nan)::value, decltype(signs)::value,
                             decltype(ftz)::value>(a, b);
        });
      });
    });
  });
}

}  // namespace

void add_extremes(Table& table) {
  add_extreme<false>(table, "min");
  add_extreme<true>(table, "max");
}

}  // namespace bankproof::ptx::lanes
