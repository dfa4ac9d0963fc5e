// Logic and shifts (PTX ISA, "Logic and Shift Instructions").
#include "form.hpp"

namespace bankproof::symbolic {

namespace {

/// mask ? one : zero, bit by bit, in few operators.
Term bitwise_choice(Pool& p, Term mask, Term one, Term zero) {
  const unsigned bits = p.width(mask);
  const Term none = p.constant(0, bits);
  const Term all = p.constant(mask_of(bits), bits);
  if (one == zero) return one;
  if (zero == none) return p.bits_and(mask, one);
  if (one == none) return p.bits_and(p.bits_not(mask), zero);
  if (one == all) return p.bits_or(mask, zero);
  if (zero == all) return p.bits_or(p.bits_not(mask), one);
  if (one == p.bits_not(zero)) return p.bits_exclusive_or(mask, zero);
  return p.bits_or(p.bits_and(mask, one), p.bits_and(p.bits_not(mask), zero));
}

/// Bit i of the result is bit 4·a_i + 2·b_i + c_i of the table.
Term looked_up(Pool& p, Term a, Term b, Term c, Term table) {
  const auto all = [&](unsigned bit) { return p.sign_extended(p.part(table, bit, 1), 32); };
  const auto of_c = [&](unsigned at) { return bitwise_choice(p, c, all(at + 1), all(at)); };
  const auto of_b = [&](unsigned at) { return bitwise_choice(p, b, of_c(at + 2), of_c(at)); };
  return bitwise_choice(p, a, of_b(4), of_b(0));
}

Term funnel(const Form& form) {
  Pool& p = form.pool;
  const Term amount = form.sources[2];
  const Term n = form.has("wrap") ? p.zero_extended(p.part(amount, 0, 5), 32)
                                  : form.smaller(amount, form.number(32, 32), false);
  const Term both = p.joined(form.sources[1], form.sources[0]);
  return form.has("l") ? p.part(p.shift_left(both, n), 32, 32)
                       : p.part(p.shift_right(both, n, false), 0, 32);
}

}  // namespace

std::optional<Results> logic(const Form& form) {
  Pool& p = form.pool;
  const auto source = [&](std::size_t i) { return form.sources[i]; };
  if (form.base == "and") return Results{p.bits_and(source(0), source(1))};
  if (form.base == "or") return Results{p.bits_or(source(0), source(1))};
  if (form.base == "xor") return Results{p.bits_exclusive_or(source(0), source(1))};
  if (form.base == "not") return Results{p.bits_not(source(0))};
  if (form.base == "cnot") {
    const unsigned bits = p.width(source(0));
    return Results{p.zero_extended(p.equal(source(0), form.number(0, bits)), bits)};
  }
  if (form.base == "shl") return Results{p.shift_left(source(0), source(1))};
  if (form.base == "shr") return Results{p.shift_right(source(0), source(1), form.is_signed())};
  if (form.base == "shf") return Results{funnel(form)};
  if (form.base == "lop3") {
    const Term result = looked_up(p, source(0), source(1), source(2), source(3));
    if (form.sources.size() == 4) return Results{result};
    const Term any = p.negation(p.equal(result, form.number(0, 32)));
    const Term other = source(4);
    return Results{result, form.has("or") ? p.either(any, other) : p.both(any, other)};
  }
  return std::nullopt;
}

}  // namespace bankproof::symbolic
