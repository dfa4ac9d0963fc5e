// Floating-point arithmetic (PTX ISA, "Floating Point Instructions", "Half Precision Floating Point
// Instructions"): computed exactly, then rounded once.
#include <compare>

#include "oracle.hpp"

namespace bankproof::ptx {

namespace {

using Word = std::uint64_t;

Word extreme(Word a, Word b, Format format, bool least, bool nan, bool xor_signs) {
  const Word sign = (a ^ b) & format.sign();
  if (xor_signs) {
    a &= ~format.sign();
    b &= ~format.sign();
  }
  const Number x = decoded(a, format);
  const Number y = decoded(b, format);
  if ((x.is_nan() && y.is_nan()) || (nan && (x.is_nan() || y.is_nan()))) return format.nan();
  Word result = a;
  if (x.is_nan()) {
    result = b;
  } else if (!y.is_nan()) {
    // Equal numbers differ at most in the sign of zero; -0 is the lesser.
    const auto order = compare(x, y);
    const bool is_first_less = std::is_lt(order) || (std::is_eq(order) && x.negative);
    result = is_first_less == least ? a : b;
  }
  return xor_signs ? result | sign : result;
}

bool test(std::string_view what, Word a, Format format) {
  const Number x = decoded(a, format);
  const bool has_exponent = (a & format.infinity()) != 0;
  if (what == "finite") return !x.is_nan() && !x.is_infinite();
  if (what == "infinite") return x.is_infinite();
  if (what == "number") return !x.is_nan();
  if (what == "notanumber") return x.is_nan();
  if (what == "normal") return !x.is_nan() && !x.is_infinite() && has_exponent;
  if (what == "subnormal") return !x.is_zero() && !has_exponent;
  throw std::invalid_argument("testp has no " + std::string(what));
}

/// The exact result of an operation that rounds once.
std::optional<Number> exactly(std::string_view op, const std::vector<Number>& x, Mode mode) {
  if (op == "add") return sum(x[0], x[1], mode);
  if (op == "sub") return sum(x[0], negated(x[1]), mode);
  if (op == "mul") return product(x[0], x[1]);
  if (op == "fma" || op == "mad") return sum(product(x[0], x[1]), x[2], mode);
  if (op == "div") return quotient(x[0], x[1]);
  if (op == "rcp") return quotient({Number::Kind::finite, false, Natural(1), 0, true}, x[0]);
  if (op == "sqrt") return square_root(x[0]);
  return {};
}

std::optional<Word> of_element(Case& a, std::string_view type) {
  const std::string_view op = a.op.base();
  const Format format = format_of(type);
  const auto given = take_mode(a.op);
  // mad.f32 is of targets of sm_1x, whose numbers have no subnormals.
  const bool ftz = a.op.take("ftz") || (op == "mad" && !given);
  std::vector<Word> words;
  std::vector<Number> numbers;
  for (const Bits source : a.s) {
    words.push_back(flushed(static_cast<Word>(low_bits(source, format.bits())), format, ftz));
    numbers.push_back(decoded(words.back(), format));
  }
  if (op == "abs") return words[0] & ~format.sign();
  if (op == "neg") return words[0] ^ format.sign();
  if (op == "copysign") return (words[0] & format.sign()) | (words[1] & ~format.sign());
  if (op == "min" || op == "max") {
    const bool nan = a.op.take("NaN");
    const bool signs = a.op.take("xorsign") && a.op.take("abs");
    return extreme(words[0], words[1], format, op == "min", nan, signs);
  }
  if (op == "testp") {
    return static_cast<Word>(predicate_bits(test(a.op.take_last(), words[0], format)));
  }
  const Mode mode = given.value_or(Mode::nearest);
  const auto exact = exactly(op, numbers, mode);
  if (!exact) return {};
  const Finish finish{ftz, a.op.take("sat"), a.op.take("relu")};
  return finish.apply(encoded(*exact, format, mode), format);
}

}  // namespace

std::optional<Results> float_result(Case& a, std::string_view type) {
  const std::string_view op = a.op.base();
  if (!is_float(type) || op == "mov" || op == "selp" || op == "slct") return {};
  if (!is_pair(type)) {
    const auto word = of_element(a, type);
    if (!word) return {};
    return Results{*word};
  }
  const std::string_view element = type.substr(0, type.size() - 2);
  Case low = a;
  const auto first = of_element(low, element);
  for (Bits& source : a.s) source >>= 16;
  const auto second = of_element(a, element);
  if (!first || !second) return {};
  return Results{Bits{*first} | Bits{*second} << 16};
}

}  // namespace bankproof::ptx
