// Sums, differences, quotients, extremes and distances (PTX ISA, "Integer Arithmetic
// Instructions").
#include "form.hpp"

namespace bankproof::symbolic {

namespace {

/// f on both halves of words.
template <class F>
Term by_halves(const Form& form, F f) {
  Pool& p = form.pool;
  const auto half = [&](unsigned begin) {
    return f(p.part(form.sources[0], begin, 16), p.part(form.sources[1], begin, 16));
  };
  return p.joined(half(16), half(0));
}

std::optional<Term> of_two(const Form& form, Term a, Term b, bool is_signed) {
  Pool& p = form.pool;
  const auto not_below_zero = [&](Term x) {
    return form.has("relu") ? form.larger(x, form.number(0, p.width(x)), true) : x;
  };
  if (form.base == "add") return p.add(a, b);
  if (form.base == "sub") return p.subtract(a, b);
  if (form.base == "div") return p.quotient(a, b, is_signed);
  if (form.base == "rem") return p.remainder(a, b, is_signed);
  if (form.base == "min") return not_below_zero(form.smaller(a, b, is_signed));
  if (form.base == "max") return not_below_zero(form.larger(a, b, is_signed));
  return std::nullopt;
}

Term absolute(const Form& form, Term a) {
  return form.pool.choice(form.is_negative(a), form.pool.negative(a), a);
}

}  // namespace

std::optional<Results> integers(const Form& form) {
  Pool& p = form.pool;
  if (form.has("cc")) return std::nullopt;
  if (form.base == "abs") return Results{absolute(form, form.sources[0])};
  if (form.base == "neg") return Results{p.negative(form.sources[0])};
  if (form.base == "sad") {
    const Term a = form.sources[0];
    const Term b = form.sources[1];
    const Term distance =
        p.choice(p.below(a, b, form.is_signed()), p.subtract(b, a), p.subtract(a, b));
    return Results{p.add(form.sources[2], distance)};
  }
  if (form.sources.size() != 2) return std::nullopt;
  if (form.has("sat")) {
    if (form.base != "add" && form.base != "sub") return std::nullopt;
    const Term a = p.sign_extended(form.sources[0], 64);
    const Term b = p.sign_extended(form.sources[1], 64);
    return Results{form.clamped_to_s32(form.base == "add" ? p.add(a, b) : p.subtract(a, b))};
  }
  if (form.type().ends_with("x2")) {
    if (!of_two(form, form.sources[0], form.sources[1], false)) return std::nullopt;
    return Results{
        by_halves(form, [&](Term a, Term b) { return *of_two(form, a, b, form.is_signed()); })};
  }
  const auto result = of_two(form, form.sources[0], form.sources[1], form.is_signed());
  return result ? std::optional(Results{*result}) : std::nullopt;
}

}  // namespace bankproof::symbolic
