// Floating-point instructions whose results are known bit by bit (PTX ISA, "Floating Point
// Instructions"): mov, abs and neg, and setp if it compares a number without a sign with a
// constant. Without signs, floating-point numbers have the order of their bits, and NaN comes
// behind infinity.
//
// sinf() needs it: its slow path reads words of a table, and the size of the argument says which.
#include "form.hpp"

namespace bankproof::symbolic {

namespace {

struct Format {
  unsigned bits = 0;
  std::uint64_t infinity = 0;
  std::uint64_t least_normal = 0;

  std::uint64_t sign() const { return std::uint64_t{1} << (bits - 1); }
};

std::optional<Format> format_of(std::string_view type) {
  if (type == "f32") return Format{32, 0x7f800000, 0x00800000};
  if (type == "f64") return Format{64, 0x7ff0000000000000, 0x0010000000000000};
  return std::nullopt;
}

/// `how` without the `u` of comparisons that hold if an operand is no number.
std::optional<Term> compared_sizes(Pool& p, std::string_view how, Term a, Term b, Term is_none) {
  const bool holds_of_none = how.size() == 3 && how.ends_with('u');
  if (holds_of_none) how.remove_suffix(1);
  const auto of_numbers = [&]() -> std::optional<Term> {
    if (how == "eq") return p.equal(a, b);
    if (how == "ne") return p.negation(p.equal(a, b));
    if (how == "lt") return p.below(a, b, false);
    if (how == "le") return p.at_most(a, b, false);
    if (how == "gt") return p.below(b, a, false);
    if (how == "ge") return p.at_most(b, a, false);
    return std::nullopt;
  }();
  if (!of_numbers) return std::nullopt;
  return holds_of_none ? p.either(*of_numbers, is_none) : p.both(*of_numbers, p.negation(is_none));
}

}  // namespace

std::optional<Results> floats(const Form& form) {
  const auto format = format_of(form.type());
  if (!format || form.destinations != 1) return std::nullopt;
  Pool& p = form.pool;
  if (form.base == "mov") return Results{form.sources[0]};
  const Term sign = p.constant(format->sign(), format->bits);
  const bool keeps_bits = !form.has("ftz");
  if (form.base == "abs" && keeps_bits) {
    return Results{p.bits_and(form.sources[0], p.bits_not(sign))};
  }
  if (form.base == "neg" && keeps_bits) return Results{p.bits_exclusive_or(form.sources[0], sign)};
  if (form.base != "setp" || form.sources.size() != 2) return std::nullopt;
  const Term a = form.sources[0];
  const Term b = form.sources[1];
  // Flushed to 0, a number that is not normal is still below one that is.
  const bool is_known = p.is_constant(b) && p.node(b).value >= format->least_normal &&
                        p.node(b).value <= format->infinity;
  if (!is_known || (p.possible_bits(a) & format->sign()) != 0) return std::nullopt;
  const Term is_none = p.below(p.constant(format->infinity, format->bits), a, false);
  const auto result = compared_sizes(p, form.modifiers.front(), a, b, is_none);
  if (!result) return std::nullopt;
  return Results{*result};
}

}  // namespace bankproof::symbolic
