// Counting, finding and extracting bits (PTX ISA, "Integer Arithmetic Instructions").
#include "form.hpp"

namespace bankproof::symbolic {

namespace {

Term highest_bit(const Form& form, Term a, bool is_signed) {
  Pool& p = form.pool;
  const unsigned bits = p.width(a);
  const Term magnitude = is_signed ? p.choice(form.is_negative(a), p.bits_not(a), a) : a;
  return p.subtract(form.number(bits - 1, 32), p.count_leading_zeros(magnitude, 32));
}

Term reversed(const Form& form, Term a) {
  Pool& p = form.pool;
  const unsigned bits = p.width(a);
  Term result = form.number(0, bits);
  for (unsigned i = 0; i < bits; ++i) {
    const Term bit = p.zero_extended(p.part(a, i, 1), bits);
    result = p.add(result, p.scale(bit, std::uint64_t{1} << (bits - 1 - i)));
  }
  return result;
}

/// bfe. A signed field is extended by its highest bit, or by the register's highest bit if the
/// field reaches beyond the register.
Term extracted(const Form& form, Term a, Term position, Term length) {
  Pool& p = form.pool;
  const unsigned bits = p.width(a);
  const bool is_signed = form.is_signed();
  position = p.zero_extended(p.part(position, 0, 8), 32);
  length = p.zero_extended(p.part(length, 0, 8), 32);
  const Term zero = form.number(0, bits);
  if (p.is_constant(position) && p.is_constant(length)) {
    const auto begin = static_cast<unsigned>(p.node(position).value);
    const auto count = static_cast<unsigned>(p.node(length).value);
    if (count == 0) return zero;
    if (begin < bits) {
      return p.resized(p.part(a, begin, std::min(count, bits - begin)), bits, is_signed);
    }
    return is_signed ? p.sign_extended(form.is_negative(a), bits) : zero;
  }
  const Term moved = p.shift_right(a, position, false);
  if (!is_signed) return p.bits_and(moved, form.low_bits(length, bits));
  const Term width = form.number(bits, 32);
  const Term last = form.smaller(p.subtract(p.add(position, length), form.number(1, 32)),
                                 form.number(bits - 1, 32), false);
  const Term fill = p.sign_extended(p.part(p.shift_right(a, last, false), 0, 1), bits);
  const Term inside =
      p.choice(p.below(position, width, false),
               form.smaller(length, p.subtract(width, position), false), form.number(0, 32));
  const Term field = form.low_bits(inside, bits);
  const Term result = p.bits_or(p.bits_and(moved, field), p.bits_and(fill, p.bits_not(field)));
  return p.choice(p.equal(length, form.number(0, 32)), zero, result);
}

/// bfi
Term inserted(const Form& form, Term a, Term b, Term position, Term length) {
  Pool& p = form.pool;
  const unsigned bits = p.width(a);
  position = p.zero_extended(p.part(position, 0, 8), 32);
  length = p.zero_extended(p.part(length, 0, 8), 32);
  const Term field = p.shift_left(form.low_bits(length, bits), position);
  const Term result =
      p.bits_or(p.bits_and(b, p.bits_not(field)), p.bits_and(p.shift_left(a, position), field));
  return p.choice(p.below(position, form.number(bits, 32), false), result, b);
}

/// The bit of the mask where the count of set bits from `base` on is n, upwards or downwards.
Term nth_set(const Form& form, Term mask, Term base, Term n) {
  Pool& p = form.pool;
  const Term none = form.number(0xffffffff, 32);
  const Term all_but_below = p.bits_not(form.low_bits(base, 32));
  const Term upwards = p.bits_and(mask, all_but_below);
  const Term to_base = form.low_bits(p.add(base, form.number(1, 32)), 32);
  const Term downwards = p.bits_and(mask, to_base);
  const Term is_downwards = form.is_negative(n);
  const Term magnitude = p.choice(is_downwards, p.negative(n), n);
  Term up = none;
  Term down = none;
  for (unsigned at = 0; at < 32; ++at) {
    const auto chosen = [&](Term set, unsigned begin, unsigned count, Term other) {
      const Term ones = p.count_ones(p.part(set, begin, count), 32);
      return p.choice(p.both(p.part(set, at, 1), p.equal(ones, magnitude)), form.number(at, 32),
                      other);
    };
    up = chosen(upwards, 0, at + 1, up);
    down = chosen(downwards, at, 32 - at, down);
  }
  const Term here = p.choice(p.part(p.shift_right(mask, base, false), 0, 1), base, none);
  const Term found =
      p.choice(p.equal(n, form.number(0, 32)), here, p.choice(is_downwards, down, up));
  return p.choice(p.below(base, form.number(32, 32), false), found, none);
}

}  // namespace

std::optional<Results> bit_fields(const Form& form) {
  Pool& p = form.pool;
  const auto source = [&](std::size_t i) { return form.sources[i]; };
  const auto low_five = [&](Term a) { return p.zero_extended(p.part(a, 0, 5), 32); };
  if (form.base == "popc") return Results{p.count_ones(source(0), 32)};
  if (form.base == "clz") return Results{p.count_leading_zeros(source(0), 32)};
  if (form.base == "brev") return Results{reversed(form, source(0))};
  if (form.base == "bfe") return Results{extracted(form, source(0), source(1), source(2))};
  if (form.base == "bfi") {
    return Results{inserted(form, source(0), source(1), source(2), source(3))};
  }
  if (form.base == "fns") return Results{nth_set(form, source(0), source(1), source(2))};
  if (form.base == "bfind") {
    const Term position = highest_bit(form, source(0), form.is_signed());
    if (!form.has("shiftamt")) return Results{position};
    const Term none = form.number(0xffffffff, 32);
    const Term amount = p.subtract(form.number(p.width(source(0)) - 1, 32), position);
    return Results{p.choice(p.equal(position, none), none, amount)};
  }
  if (form.base == "bmsk") {
    const bool wraps = form.has("wrap");
    const Term position = wraps ? low_five(source(0)) : source(0);
    const Term length = wraps ? low_five(source(1)) : source(1);
    return Results{p.shift_left(form.low_bits(length, 32), position)};
  }
  if (form.base == "szext") {
    const Term n = form.has("wrap") ? low_five(source(1)) : source(1);
    const Term free = p.subtract(form.number(32, 32), n);
    const Term cut = p.shift_right(p.shift_left(source(0), free), free, form.is_signed());
    const Term is_whole = p.at_most(form.number(32, 32), n, false);
    return Results{p.choice(is_whole, source(0),
                            p.choice(p.equal(n, form.number(0, 32)), form.number(0, 32), cut))};
  }
  return std::nullopt;
}

}  // namespace bankproof::symbolic
