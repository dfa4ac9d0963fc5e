// The instructions that PTX allows to be inexact (PTX ISA, "Floating Point Instructions"). This
// file computes them in f64 and rounds the result. So each result meets PTX's bound on its error,
// and is the same on every host up to the last bit of the host's math library.
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
    add("rcp", [](float a) { return through_double<ftz>(a, [](double x) { return 1 / x; }); });
    add("sqrt",
        [](float a) { return through_double<ftz>(a, [](double x) { return std::sqrt(x); }); });
    add("rsqrt",
        [](float a) { return through_double<ftz>(a, [](double x) { return 1 / std::sqrt(x); }); });
    add("sin",
        [](float a) { return through_double<ftz>(a, [](double x) { return std::sin(x); }); });
    add("cos",
        [](float a) { return through_double<ftz>(a, [](double x) { return std::cos(x); }); });
    add("ex2",
        [](float a) { return through_double<ftz>(a, [](double x) { return std::exp2(x); }); });
    add("lg2",
        [](float a) { return through_double<ftz>(a, [](double x) { return std::log2(x); }); });
    table.add(joined("div.approx", modifier, ".f32"),
              [](float a, float b) { return quotient<ftz>(a, b); });
    table.add(joined("div.full", modifier, ".f32"),
              [](float a, float b) { return finished<ftz, false>(flush<ftz>(a) / flush<ftz>(b)); });
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
