// Approximations against long double, within the errors that the PTX ISA, "Floating Point
// Instructions", allows.
#include <cmath>
#include <limits>

#include "oracle.hpp"

namespace bankproof::ptx {

namespace {

using Word = std::uint64_t;

long double real(Word bits, Format format) {
  const Number x = decoded(bits, format);
  if (x.is_nan()) return std::numeric_limits<long double>::quiet_NaN();
  const long double magnitude =
      x.is_infinite() ? std::numeric_limits<long double>::infinity()
                      : std::ldexp(static_cast<long double>(x.magnitude.low_word()), x.exponent);
  return x.negative ? -magnitude : magnitude;
}

/// The exact result, and the error allowed for the answer.
struct Answer {
  long double exact = 0;
  long double error = 0;
};

long double power(long double exponent) { return std::exp2(exponent); }

Answer answer(std::string_view op, const std::vector<long double>& x, std::string_view type) {
  const auto relative = [](long double exact, long double exponent) {
    return Answer{exact, std::fabs(exact) * power(exponent)};
  };
  const bool is_f64 = type == "f64";
  if (op == "rcp") return relative(1 / x[0], is_f64 ? -20 : -23);
  if (op == "sqrt") return relative(std::sqrt(x[0]), -23);
  if (op == "rsqrt") return relative(1 / std::sqrt(x[0]), is_f64 ? -20 : -22.9L);
  if (op == "div") return relative(x[0] / x[1], -22);  // 2 ulp, an ulp is at least 2^-24
  if (op == "sin" || op == "cos") {
    const long double exact = op == "sin" ? std::sin(x[0]) : std::cos(x[0]);
    const long double pi = std::acos(-1.0L);
    // PTX promises nothing beyond 2π. This project's rows keep the looser bound there.
    return {exact, power(std::fabs(x[0]) <= 2 * pi ? -20.5L : -14.7L)};
  }
  if (op == "ex2")
    return relative(std::exp2(x[0]), type == "f16" ? -9.9L : type == "bf16" ? -7 : -22);
  if (op == "lg2") {
    const long double exact = std::log2(x[0]);
    return x[0] > 0.5L && x[0] < 2 ? Answer{exact, power(-22)} : relative(exact, -22);
  }
  if (op == "tanh") {
    const long double exact = std::tanh(x[0]);
    if (type == "f16") return {exact, power(-10.987L)};
    return relative(exact, type == "bf16" ? -8 : -11);
  }
  throw std::invalid_argument(std::string(op) + " has no oracle");
}

bool is_close(Word bits, const Answer& wanted, Format format, bool ftz) {
  const long double result = real(bits, format);
  if (std::isnan(wanted.exact)) return bits == format.nan();
  if (std::isnan(result)) return false;
  const long double largest = real(format.infinity() - 1, format);
  // If the exact result may reach the largest number within its error, infinity is also right.
  if (std::fabs(wanted.exact) + wanted.error >= largest && std::isinf(result)) {
    return std::signbit(result) == std::signbit(wanted.exact);
  }
  if (std::isinf(wanted.exact)) return result == wanted.exact;
  if (wanted.exact == 0) return result == 0 && std::signbit(result) == std::signbit(wanted.exact);
  const long double smallest = std::ldexp(1.0L, format.lowest());
  const long double normal = std::ldexp(1.0L, format.lowest() + format.fraction);
  if (ftz && std::fabs(wanted.exact) - wanted.error < normal && result == 0) {
    return std::signbit(result) == std::signbit(wanted.exact);
  }
  if (ftz && result != 0 && std::fabs(result) < normal) return false;
  // Near zero, the numbers of the format are `smallest` apart, so a result may differ by that much.
  return std::fabs(result - wanted.exact) <= std::max(wanted.error, smallest);
}

bool element_is_close(Case a, Word result, std::string_view type) {
  const Format format = format_of(type);
  const std::string_view op = a.op.base();
  const bool full = a.op.take("full");
  if (!full && !a.op.take("approx")) throw std::invalid_argument("an approximation that is exact");
  const bool ftz = a.op.take("ftz");
  if (!a.op.is_used_up()) throw std::invalid_argument("the oracle knows no " + a.op.left());
  std::vector<long double> x;
  for (const Bits source : a.s) {
    auto bits = static_cast<Word>(low_bits(source, format.bits()));
    // The gross approximations of f64 only use the upper word.
    const bool is_nan = (bits & ~format.sign()) > format.infinity();
    if (type == "f64" && ftz && !is_nan) bits &= 0xffffffff00000000;
    x.push_back(real(flushed(bits, format, ftz), format));
  }
  if (op == "div" && !full && !std::isinf(x[1]) && std::fabs(x[1]) > power(126)) {
    if (std::isinf(x[0]) || std::isnan(x[0])) return result == format.nan();
    return result == (std::signbit(x[0]) != std::signbit(x[1]) ? format.sign() : 0);
  }
  if (type == "f64" && ftz) {
    const bool is_nan = (result & ~format.sign()) > format.infinity();
    if (!is_nan && (result & 0xffffffff) != 0) return false;
  }
  return is_close(result, answer(op, x, type), format, ftz);
}

}  // namespace

bool is_within_bound(Case a, Bits result) {
  const std::string_view type = a.op.take_last();
  const auto word = static_cast<Word>(result);
  if (!is_pair(type)) return element_is_close(a, word, type);
  const std::string_view element = type.substr(0, type.size() - 2);
  Case high = a;
  for (Bits& source : high.s) source >>= 16;
  return element_is_close(a, word & 0xffff, element) && element_is_close(high, word >> 16, element);
}

}  // namespace bankproof::ptx
