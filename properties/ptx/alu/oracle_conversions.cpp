// cvt and cvt.pack (PTX ISA, "cvt", "cvt.pack").
#include <compare>

#include "oracle.hpp"

namespace bankproof::ptx {

namespace {

using Word = std::uint64_t;

bool is_number(std::string_view type) { return is_float(type); }

/// Takes the modifier that says how to round to an integer, if the opcode has one of the four.
std::optional<Mode> take_integral(Spelling& op) {
  for (const auto& [name, mode] : {std::pair{"rni", Mode::nearest}, std::pair{"rzi", Mode::zero},
                                   std::pair{"rmi", Mode::down}, std::pair{"rpi", Mode::up}}) {
    if (op.take(name)) return mode;
  }
  return {};
}

/// Rounds a finite number to an integer; returns other numbers unchanged.
Number integral(Number x, Mode mode) {
  if (x.is_nan() || x.is_infinite() || x.is_zero() || x.exponent >= 0) return x;
  const Natural whole = x.magnitude >> -x.exponent;
  const Natural rest = x.magnitude - (whole << -x.exponent);
  const auto half = (rest << 1) <=> (Natural(1) << -x.exponent);
  const bool inexact = !rest.is_zero();
  const bool away = mode == Mode::nearest ? std::is_gt(half) || (std::is_eq(half) && whole.is_odd())
                    : mode == Mode::down  ? inexact && x.negative
                    : mode == Mode::up    ? inexact && !x.negative
                                          : false;
  x.magnitude = away ? whole + Natural(1) : whole;
  x.exponent = 0;
  return x;
}

Bits to_integer(const Number& x, std::string_view to, std::string_view from) {
  const int n = bits_of(to);
  if (x.is_nan()) return n == 64 || from == "f64" ? Bits{1} << (n - 1) : Bits{0};
  const bool is_large = x.is_infinite() || x.magnitude.width() + x.exponent > 64;
  if (is_large) return bits_of_value(x.negative ? smallest(to) : largest(to), n);
  const Natural magnitude = x.exponent > 0 ? x.magnitude << x.exponent : x.magnitude;
  const auto value = static_cast<Signed>(magnitude.low_word());
  return bits_of_value(clamped(x.negative ? -value : value, to), n);
}

Number from_integer(Signed value) {
  const auto magnitude = static_cast<Word>(value < 0 ? -value : value);
  return {Number::Kind::finite, value < 0, Natural(magnitude), 0, true};
}

/// A 16-bit register holds an s8 sign-extended.
Bits in_register(Bits bits, std::string_view type) {
  return type == "s8" ? bits_of_value(value_of(bits, "s8"), 16) : bits;
}

Word to_format(Word bits, std::string_view from, std::string_view to, Spelling& op) {
  const bool ftz = op.take("ftz");
  const Format source = format_of(from);
  const Format format = format_of(to);
  Number x = decoded(from == "f32" ? flushed(bits, source, ftz) : bits, source);
  if (const auto mode = take_integral(op)) x = integral(x, *mode);
  const Mode mode = take_mode(op).value_or(Mode::nearest);
  Word result = encoded(x, format, mode);
  if (op.take("satfinite") && (result & ~format.sign()) == format.infinity()) --result;
  const Finish finish{ftz && to == "f32", op.take("sat"), op.take("relu")};
  return finish.apply(result, format);
}

/// Converts f32 to tf32, which has the exponent of f32 and 10 binary digits of fraction, in the
/// high bits of the word.
Word to_tf32(Word bits, Spelling& op) {
  const Number x = decoded(bits, format_of("f32"));
  const Format format{8, 10};
  const bool away = op.take("rna");
  const bool relu = op.take("relu");
  const Mode mode = away ? Mode::zero : take_mode(op).value();
  if (x.is_nan()) return format_of("f32").nan();
  if (relu && x.negative) return 0;
  Word result = encoded(x, format, mode);
  if (away && !x.is_infinite()) {
    // Rounds halves away from zero: first rounds towards zero to one digit more, then up if this
    // digit is set.
    const Word more = encoded(x, {8, 11}, Mode::zero);
    result = (more >> 1) + (more & 1);
  }
  return result << 13;
}

Bits packed(Case& a, std::string_view type) {
  const int n = type.ends_with("16") ? 16 : type.back() - '0';
  const bool sign = is_signed(type);
  const Signed low = sign ? -(Signed{1} << (n - 1)) : 0;
  const Signed high = (Signed{1} << (sign ? n - 1 : n)) - 1;
  const auto part = [&](Bits x) {
    return bits_of_value(std::max(low, std::min(high, value_of(x, "s32"))), n);
  };
  const Bits above = a.s.size() > 2 ? a.s[2] << (2 * n) : 0;
  return low_bits(above | part(a.s[0]) << n | part(a.s[1]), 32);
}

}  // namespace

std::optional<Results> conversion_result(Case& a, std::string_view from) {
  if (a.op.base() != "cvt") return {};
  if (a.op.take("pack")) {
    if (from == "b32") from = a.op.take_last();
    if (from != "s32" || !a.op.take("sat")) return {};
    return Results{packed(a, a.op.take_last())};
  }
  if (auto result = fp8_result(a, from)) return result;
  const std::string_view to = a.op.take_last();
  const auto bits = static_cast<Word>(low_bits(a.s[0], bits_of(from)));
  if (to == "tf32") return Results{to_tf32(bits, a.op)};
  if (is_pair(to)) {
    Spelling again = a.op;
    const std::string_view element = to.substr(0, to.size() - 2);
    const Bits high = to_format(bits, from, element, a.op);
    return Results{high << 16 | to_format(static_cast<Word>(a.s[1]), from, element, again)};
  }
  if (is_number(to) && is_number(from)) return Results{to_format(bits, from, to, a.op)};
  if (is_number(to)) {
    const Format format = format_of(to);
    const Mode mode = take_mode(a.op).value();
    const Finish finish{false, a.op.take("sat"), false};
    return Results{
        finish.apply(encoded(from_integer(value_of(a.s[0], from)), format, mode), format)};
  }
  if (is_number(from)) {
    const Format format = format_of(from);
    const Number x = decoded(flushed(bits, format, a.op.take("ftz")), format);
    a.op.take("sat");  // numbers out of range saturate in any case
    const Mode mode = take_integral(a.op).value();
    return Results{in_register(to_integer(integral(x, mode), to, from), to)};
  }
  const Signed value = value_of(a.s[0], from);
  const bool sat = a.op.take("sat");
  return Results{in_register(bits_of_value(sat ? clamped(value, to) : value, bits_of(to)), to)};
}

}  // namespace bankproof::ptx
