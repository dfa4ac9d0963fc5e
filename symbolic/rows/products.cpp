// mul, mad, mul24, mad24, and the dot products of bytes (PTX ISA, "Integer Arithmetic
// Instructions").
#include "form.hpp"

namespace bankproof::symbolic {

namespace {

Term product(const Form& form, Term a, Term b) {
  Pool& p = form.pool;
  const bool is_signed = form.is_signed();
  if (form.has("wide")) {
    const unsigned bits = 2 * p.width(a);
    return p.multiply(p.resized(a, bits, is_signed), p.resized(b, bits, is_signed));
  }
  return form.has("hi") ? p.high_product(a, b, is_signed) : p.multiply(a, b);
}

/// Bits 31…0 or 47…16 of the product of the low 24 bits.
Term product_24(const Form& form, Term a, Term b) {
  Pool& p = form.pool;
  const auto low = [&](Term x) { return p.resized(p.part(x, 0, 24), 64, form.is_signed()); };
  return p.part(p.multiply(low(a), low(b)), form.has("hi") ? 16 : 0, 32);
}

/// dp4a and dp2a: elements of the two types, in order.
Term dot(const Form& form, unsigned bits, unsigned count, unsigned second_begin) {
  Pool& p = form.pool;
  Term sum = form.sources[2];
  for (unsigned i = 0; i < count; ++i) {
    const Term a = p.resized(p.part(form.sources[0], bits * i, bits), 32, form.is_signed(1));
    const Term b =
        p.resized(p.part(form.sources[1], 8 * (second_begin + i), 8), 32, form.is_signed());
    sum = p.add(sum, p.multiply(a, b));
  }
  return sum;
}

}  // namespace

std::optional<Results> products(const Form& form) {
  Pool& p = form.pool;
  if (form.has("cc")) return std::nullopt;
  if (form.base == "dp4a") return Results{dot(form, 8, 4, 0)};
  if (form.base == "dp2a") return Results{dot(form, 16, 2, form.has("hi") ? 2 : 0)};
  const bool is_24 = form.base == "mul24" || form.base == "mad24";
  if (!is_24 && form.base != "mul" && form.base != "mad") return std::nullopt;
  const Term a = form.sources[0];
  const Term b = form.sources[1];
  const Term result = is_24 ? product_24(form, a, b) : product(form, a, b);
  if (form.sources.size() == 2) return Results{result};
  if (form.has("sat")) {
    return Results{form.clamped_to_s32(
        p.add(p.sign_extended(result, 64), p.sign_extended(form.sources[2], 64)))};
  }
  return Results{p.add(result, form.sources[2])};
}

}  // namespace bankproof::symbolic
