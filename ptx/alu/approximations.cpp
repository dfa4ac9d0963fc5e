// The instructions that PTX allows to be inexact (PTX ISA, "Floating Point Instructions"). Each
// result meets PTX's bound on its error: quotients and roots are computed by the exact operations
// of floats, the other functions in f64, whose result is rounded. The powers and logarithms that
// programs use often are code of ours that a compiler vectorizes: their results are the same on
// every host. Those of sin, cos and tanh are the same up to the last bit of the host's math
// library.
#include <array>
#include <cmath>
#include <limits>

#include "flush.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// Applies f, a function of doubles, to a float.
template <bool ftz, class F>
float through_double(float a, F f) {
  return finished<ftz, false>(static_cast<float>(f(static_cast<double>(flush<ftz>(a)))));
}

constexpr double ln2 = 0x1.62e42fefa39efp-1;

/// The value at x of the polynomial with these coefficients, the constant one first.
template <std::size_t n>
double polynomial(const std::array<double, n>& coefficients, double x) {
  double value = coefficients[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) value = value * x + coefficients[k];
  return value;
}

/// The coefficients of 2^x: the powers of ln 2 over the factorials. For |x| ≤ 1/2, the first
/// missing term is below 2^-32.
constexpr std::array power_terms = [] {
  std::array<double, 9> terms{1};
  for (std::size_t k = 1; k < terms.size(); ++k) {
    terms[k] = terms[k - 1] * ln2 / static_cast<double>(k);
  }
  return terms;
}();

/// 2^x, the power of the nearest integer times the power of the rest. Beyond ±200, all results are
/// infinite or zero as floats.
double power_of_two(double x) {
  x = x < -200 ? -200 : x;
  x = x > 200 ? 200 : x;
  constexpr double integers = 0x1.8p52;  // the sum with a small number is an integer
  const double shifted = x + integers;
  const double rest = x - (shifted - integers);
  // The lowest bits of `shifted` are those of the integer; bits above the exponent shift out.
  const auto scale = std::bit_cast<double>((std::bit_cast<U64>(shifted) + 1023) << 52U);
  return polynomial(power_terms, rest) * scale;
}

/// The coefficients of log2((1 + t) / (1 - t)) / t in t². For numbers between √½ and √2, where
/// |t| ≤ 0.172, the first missing term is below 2^-39 of the result.
constexpr std::array logarithm_terms = [] {
  std::array<double, 7> terms{};
  for (std::size_t k = 0; k < terms.size(); ++k) {
    terms[k] = 2 / (ln2 * static_cast<double>(2 * k + 1));
  }
  return terms;
}();

/// log2(x) of a number that was a float: it is normal as a double, or zero.
double logarithm(double x) {
  const U64 bits = std::bit_cast<U64>(x);
  constexpr U64 fraction = 0xfffffffffffff;
  const auto mantissa = std::bit_cast<double>((bits & fraction) | std::bit_cast<U64>(1.0));
  const bool above = mantissa > 0x1.6a09e667f3bcdp0;  // √2
  const double near = above ? mantissa / 2 : mantissa;
  // The exponent becomes a double as the lowest bits of 2^52.
  const double biased =
      std::bit_cast<double>((bits >> 52U) | std::bit_cast<U64>(0x1p52)) - (0x1p52 + 1023);
  const double exponent = above ? biased + 1 : biased;
  const double t = (near - 1) / (near + 1);
  double result = exponent + t * polynomial(logarithm_terms, t * t);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  result = x == infinity ? x : result;
  result = x >= 0 ? result : std::numeric_limits<double>::quiet_NaN();
  return x == 0 ? -infinity : result;
}

/// A divisor above 2^126 gives 0, or NaN if the dividend is infinite (PTX ISA, "div").
template <bool ftz>
float quotient(float a, float b) {
  a = flush<ftz>(a);
  b = flush<ftz>(b);
  constexpr float large = 0x1p126F;
  const float magnitude = std::fabs(b);
  const bool too_large =
      (U32{magnitude > large} & U32{magnitude < std::numeric_limits<float>::infinity()}) != 0;
  const float divisor = too_large ? std::copysign(std::numeric_limits<float>::infinity(), b) : b;
  return finished<ftz, false>(a / divisor);
}

/// f of the upper word of a; the lower words of operand and result are zero. Subnormal numbers are
/// flushed.
template <class F>
double gross(double a, F f) {
  constexpr U64 upper = 0xffffffff00000000;
  constexpr U64 exponent = 0x7ff0000000000000;
  constexpr U64 sign = 0x8000000000000000;
  U64 bits = std::bit_cast<U64>(a);
  if (!is_number(a)) return canonical_nan<double>();
  bits &= (bits & exponent) == 0 ? sign : upper;
  const double result = f(std::bit_cast<double>(bits));
  if (!is_number(result)) return canonical_nan<double>();
  bits = std::bit_cast<U64>(result);
  bits &= (bits & exponent) == 0 ? sign : upper;
  return std::bit_cast<double>(bits);
}

}  // namespace

void add_approximations(Table& table) {
  optional(".ftz", [&](auto flag, std::string_view modifier) {
    constexpr bool ftz = decltype(flag)::value;
    const auto add = [&](std::string_view name, auto f) {
      table.add(joined(name, ".approx", modifier, ".f32"), f);
    };
    const auto fast = [&](std::string_view name, auto f) {
      table.fast(joined(name, ".approx", modifier, ".f32"), f);
    };
    fast("rcp", [](float a) { return finished<ftz, false>(1 / flush<ftz>(a)); });
    fast("sqrt", [](float a) { return finished<ftz, false>(std::sqrt(flush<ftz>(a))); });
    // Both roundings together are an error below 2^-23.
    fast("rsqrt", [](float a) { return finished<ftz, false>(1 / std::sqrt(flush<ftz>(a))); });
    add("sin",
        [](float a) { return through_double<ftz>(a, [](double x) { return std::sin(x); }); });
    add("cos",
        [](float a) { return through_double<ftz>(a, [](double x) { return std::cos(x); }); });
    fast("ex2",
         [](float a) { return through_double<ftz>(a, [](double x) { return power_of_two(x); }); });
    fast("lg2",
         [](float a) { return through_double<ftz>(a, [](double x) { return logarithm(x); }); });
    table.fast(joined("div.approx", modifier, ".f32"),
               [](float a, float b) { return quotient<ftz>(a, b); });
    table.fast(joined("div.full", modifier, ".f32"), [](float a, float b) {
      return finished<ftz, false>(flush<ftz>(a) / flush<ftz>(b));
    });
  });
  table.add("tanh.approx.f32", [](float a) {
    return through_double<false>(a, [](double x) { return std::tanh(x); });
  });
  table.add("rcp.approx.ftz.f64",
            [](double a) { return gross(a, [](double x) { return 1 / x; }); });
  table.add("rsqrt.approx.ftz.f64",
            [](double a) { return gross(a, [](double x) { return 1 / std::sqrt(x); }); });
  table.add("rsqrt.approx.f64", [](double a) { return canonical(1 / std::sqrt(a)); });
}

}  // namespace bankproof::ptx::lanes
