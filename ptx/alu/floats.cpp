// Arithmetic of f32 and f64 rounded to nearest (PTX ISA, "Floating Point Instructions"): add, sub,
// mul, fma, mad, div, rcp, sqrt; abs, neg, copysign, testp.
#include <array>
#include <cmath>

#include "flush.hpp"
#include "fused.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// Without a modifier, add, sub and mul round to nearest.
constexpr std::array<std::string_view, 2> nearest{"", ".rn"};

template <bool ftz, bool sat, bool careful>
Hasty fused_finished(float a, float b, float c) {
  const Hasty result = fused_hastily<careful>(flush<ftz>(a), flush<ftz>(b), flush<ftz>(c));
  const float finish = finished<ftz, sat>(std::bit_cast<float>(result.bits));
  return {std::bit_cast<U32>(finish), result.doubt};
}

template <bool ftz, bool sat>
void add_sums(Table& table, std::string_view modifiers) {
  for (const std::string_view rn : nearest) {
    table.fast(joined("add", rn, modifiers, ".f32"),
               [](float a, float b) { return finished<ftz, sat>(flush<ftz>(a) + flush<ftz>(b)); });
    table.fast(joined("sub", rn, modifiers, ".f32"),
               [](float a, float b) { return finished<ftz, sat>(flush<ftz>(a) - flush<ftz>(b)); });
    table.fast(joined("mul", rn, modifiers, ".f32"),
               [](float a, float b) { return finished<ftz, sat>(flush<ftz>(a) * flush<ftz>(b)); });
  }
  for (const std::string_view name : {"fma", "mad"}) {
    table.hasty(
        joined(name, ".rn", modifiers, ".f32"),
        [](float a, float b, float c) {
          return finished<ftz, sat>(fused(flush<ftz>(a), flush<ftz>(b), flush<ftz>(c)));
        },
        [](float a, float b, float c) {
          return finished<ftz, sat>(__builtin_fmaf(flush<ftz>(a), flush<ftz>(b), flush<ftz>(c)));
        },
        [](float a, float b, float c) { return fused_finished<ftz, sat, false>(a, b, c); },
        [](float a, float b, float c) { return fused_finished<ftz, sat, true>(a, b, c); });
  }
}

/// A target of sm_1x has mad without a way to round; later chips do fma.rn.ftz instead (PTX ISA,
/// "mad").
void add_mad_of_sm_1x(Table& table) {
  table.fast("mad.f32", [](float a, float b, float c) {
    return finished<true, false>(fused(flush<true>(a), flush<true>(b), flush<true>(c)));
  });
}

template <bool ftz>
void add_quotients(Table& table, std::string_view modifier) {
  table.fast(joined("div.rn", modifier, ".f32"),
             [](float a, float b) { return finished<ftz, false>(flush<ftz>(a) / flush<ftz>(b)); });
  table.fast(joined("rcp.rn", modifier, ".f32"),
             [](float a) { return finished<ftz, false>(1.0F / flush<ftz>(a)); });
  table.fast(joined("sqrt.rn", modifier, ".f32"),
             [](float a) { return finished<ftz, false>(std::sqrt(flush<ftz>(a))); });
  // abs and neg change only the sign bit, also for NaN.
  table.fast(joined("abs", modifier, ".f32"), [](float a) {
    return std::bit_cast<float>(std::bit_cast<U32>(flush<ftz>(a)) & 0x7fffffffU);
  });
  table.fast(joined("neg", modifier, ".f32"), [](float a) {
    return std::bit_cast<float>(std::bit_cast<U32>(flush<ftz>(a)) ^ 0x80000000U);
  });
}

void add_doubles(Table& table) {
  for (const std::string_view rn : nearest) {
    table.fast(joined("add", rn, ".f64"), [](double a, double b) { return canonical(a + b); });
    table.fast(joined("sub", rn, ".f64"), [](double a, double b) { return canonical(a - b); });
    table.fast(joined("mul", rn, ".f64"), [](double a, double b) { return canonical(a * b); });
  }
  for (const std::string_view name : {"fma", "mad"}) {
    table.fast(joined(name, ".rn.f64"),
               [](double a, double b, double c) { return canonical(__builtin_fma(a, b, c)); });
  }
  table.fast("div.rn.f64", [](double a, double b) { return canonical(a / b); });
  table.fast("rcp.rn.f64", [](double a) { return canonical(1.0 / a); });
  table.fast("sqrt.rn.f64", [](double a) { return canonical(std::sqrt(a)); });
  constexpr U64 sign = U64{1} << 63U;
  table.fast("abs.f64", [](U64 a) { return a & ~sign; });
  table.fast("neg.f64", [](U64 a) { return a ^ sign; });
  table.add("copysign.f64", [](U64 a, U64 b) { return (a & sign) | (b & ~sign); });
}

/// Adds testp for a format. The tests look at bits: the exponent bits, which `exponent` masks, are
/// all ones for infinity and NaN.
template <class U, U exponent>
void add_tests(Table& table, std::string_view type) {
  constexpr U magnitude = static_cast<U>(~U{0}) >> 1U;
  table.add(joined("testp.finite.", type),
            [](U a) { return predicate((a & magnitude) < exponent); });
  table.add(joined("testp.infinite.", type),
            [](U a) { return predicate((a & magnitude) == exponent); });
  table.add(joined("testp.number.", type),
            [](U a) { return predicate((a & magnitude) <= exponent); });
  table.add(joined("testp.notanumber.", type),
            [](U a) { return predicate((a & magnitude) > exponent); });
  table.add(joined("testp.normal.", type),
            [](U a) { return predicate((a & exponent) != 0 && (a & exponent) != exponent); });
  table.add(joined("testp.subnormal.", type),
            [](U a) { return predicate((a & exponent) == 0 && (a & magnitude) != 0); });
}

}  // namespace

void add_floats(Table& table) {
  optional(".ftz", [&](auto ftz, std::string_view first) {
    optional(".sat", [&](auto sat, std::string_view second) {
      add_sums<decltype(ftz)::value, decltype(sat)::value>(table, joined(first, second));
    });
    add_quotients<decltype(ftz)::value>(table, first);
  });
  add_mad_of_sm_1x(table);
  add_doubles(table);
  table.add("copysign.f32", [](U32 a, U32 b) { return (a & 0x80000000U) | (b & 0x7fffffffU); });
  add_tests<U32, 0x7f800000>(table, "f32");
  add_tests<U64, 0x7ff0000000000000>(table, "f64");
}

}  // namespace bankproof::ptx::lanes
