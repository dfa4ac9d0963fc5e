// Bits, parts and extensions.
#include <algorithm>
#include <bit>

#include "pool.hpp"

namespace bankproof::symbolic {

std::vector<Term> Pool::flattened(Operator op, Term a, Term b) const {
  std::vector<Term> all;
  for (const Term one : {a, b}) {
    const Node& n = node(one);
    if (n.op == op) {
      all.insert(all.end(), n.operands.begin(), n.operands.end());
    } else {
      all.push_back(one);
    }
  }
  // Constants come last.
  std::sort(all.begin(), all.end(), [&](Term x, Term y) {
    return std::pair(is_constant(x), x) < std::pair(is_constant(y), y);
  });
  return all;
}

Term Pool::of_conjunction(bool is_and, std::vector<Term> operands, unsigned bits) {
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  std::uint64_t fixed = is_and ? mask_of(bits) : 0;
  while (!operands.empty() && is_constant(operands.back())) {
    const std::uint64_t value = node(operands.back()).value;
    fixed = is_and ? fixed & value : fixed | value;
    operands.pop_back();
  }
  if (fixed == (is_and ? 0 : mask_of(bits))) return constant(fixed, bits);
  if (bits == 1) {
    for (const Term one : operands) {
      if (std::binary_search(operands.begin(), operands.end(), negation(one))) {
        return truth(!is_and);
      }
    }
    if (const auto simpler = absorbed(is_and, operands)) return *simpler;
  }
  const bool is_neutral = fixed == (is_and ? mask_of(bits) : 0);
  if (operands.empty()) return constant(fixed, bits);
  if (operands.size() == 1 && is_neutral) return operands.front();
  if (!is_neutral) operands.push_back(constant(fixed, bits));
  return intern({.op = is_and ? Operator::bits_and : Operator::bits_or,
                 .width = static_cast<std::uint8_t>(bits),
                 .operands = std::move(operands)});
}

Term Pool::masked(Term a, std::uint64_t mask) {
  const unsigned bits = width(a);
  const std::uint64_t useful = mask & possible_bits(a);
  if (useful == 0) return constant(0, bits);
  if ((possible_bits(a) & ~mask) == 0) return a;
  // The ones of the mask, or its zeros, may be a row of bits.
  const auto row = [&](std::uint64_t of) {
    const auto begin = static_cast<unsigned>(std::countr_zero(of));
    const auto count = static_cast<unsigned>(std::bit_width(of)) - begin;
    return scale(zero_extended(part(a, begin, count), bits), std::uint64_t{1} << begin);
  };
  const auto is_row = [](std::uint64_t of) {
    const std::uint64_t lowest = of >> static_cast<unsigned>(std::countr_zero(of));
    return (lowest & (lowest + 1)) == 0;
  };
  if (is_row(useful)) return row(useful);
  if (is_row(mask)) return row(mask);
  const std::uint64_t zeros = ~mask & mask_of(bits);
  if (is_row(zeros)) return subtract(a, row(zeros));
  return of_conjunction(true, flattened(Operator::bits_and, a, constant(mask, bits)), bits);
}

Term Pool::bits_and(Term a, Term b) {
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(a)) return constant(node(a).value & node(b).value, width(a));
  if (is_constant(b)) return masked(a, node(b).value);
  if ((possible_bits(a) & possible_bits(b)) == 0) return constant(0, width(a));
  return of_conjunction(true, flattened(Operator::bits_and, a, b), width(a));
}

Term Pool::bits_or(Term a, Term b) {
  const unsigned bits = width(a);
  if (bits > 1 && (possible_bits(a) & possible_bits(b)) == 0) return add(a, b);
  return of_conjunction(false, flattened(Operator::bits_or, a, b), bits);
}

Term Pool::bits_exclusive_or(Term a, Term b) {
  const unsigned bits = width(a);
  if (is_constant(a) && is_constant(b)) {
    return constant(node(a).value ^ node(b).value, bits);
  }
  if (bits > 1 && (possible_bits(a) & possible_bits(b)) == 0) return add(a, b);
  std::vector<Term> all = flattened(Operator::bits_exclusive_or, a, b);
  std::uint64_t fixed = 0;
  while (!all.empty() && is_constant(all.back())) {
    fixed ^= node(all.back()).value;
    all.pop_back();
  }
  std::vector<Term> rest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Term one = all[i];
    if (i + 1 < all.size() && all[i + 1] == one) {
      ++i;  // x ^ x
      continue;
    }
    if (bits == 1 && node(one).op == Operator::negation) {
      one = node(one).operands[0];
      fixed ^= 1;
    }
    rest.push_back(one);
  }
  const bool inverts = fixed == mask_of(bits);
  if (inverts) fixed = 0;
  std::sort(rest.begin(), rest.end());
  Term result{};
  if (rest.empty()) {
    result = constant(0, bits);
  } else if (rest.size() == 1) {
    result = rest.front();
  } else {
    result = intern({.op = Operator::bits_exclusive_or,
                     .width = static_cast<std::uint8_t>(bits),
                     .operands = std::move(rest)});
  }
  if (fixed != 0) {
    std::vector<Term> with = flattened(Operator::bits_exclusive_or, result, constant(fixed, bits));
    result = is_constant(result) ? constant(node(result).value ^ fixed, bits)
                                 : intern({.op = Operator::bits_exclusive_or,
                                           .width = static_cast<std::uint8_t>(bits),
                                           .operands = std::move(with)});
  }
  return inverts ? bits_not(result) : result;
}

// ~x = -1 - x
Term Pool::bits_not(Term a) {
  return width(a) == 1 ? negation(a) : subtract(constant(mask_of(width(a)), width(a)), a);
}

Term Pool::shift_left(Term a, Term amount) {
  const unsigned bits = width(a);
  if (is_constant(amount)) {
    const std::uint64_t by = node(amount).value;
    return by >= bits ? constant(0, bits) : scale(a, std::uint64_t{1} << by);
  }
  if (is_constant(a, 0)) return a;
  return binary(Operator::shift_left, a, amount, bits);
}

Term Pool::shift_right(Term a, Term amount, bool is_signed) {
  const unsigned bits = width(a);
  is_signed = is_signed && possible_bits(a) >> (bits - 1) != 0;
  if (is_constant(amount)) {
    const std::uint64_t by = node(amount).value;
    if (by == 0) return a;
    if (by < bits) {
      return resized(part(a, static_cast<unsigned>(by), bits - static_cast<unsigned>(by)), bits,
                     is_signed);
    }
    return is_signed ? sign_extended(part(a, bits - 1, 1), bits) : constant(0, bits);
  }
  if (is_constant(a, 0)) return a;
  return binary(is_signed ? Operator::shift_right_signed : Operator::shift_right, a, amount, bits);
}

Term Pool::part(Term a, unsigned begin, unsigned bits) {
  const Node n = node(a);
  if (begin == 0 && bits == n.width) return a;
  const std::uint64_t possible = possible_bits(a) >> begin & mask_of(bits);
  if (possible == 0) return constant(0, bits);
  switch (n.op) {
    case Operator::constant:
      return constant(n.value >> begin, bits);
    case Operator::part:
      return part(n.operands[0], static_cast<unsigned>(n.value) + begin, bits);
    case Operator::zero_extended:
    case Operator::sign_extended: {
      const Term inner = n.operands[0];
      const unsigned inside = width(inner);
      if (begin + bits <= inside) return part(inner, begin, bits);
      if (begin < inside) {
        return resized(part(inner, begin, inside - begin), bits, n.op == Operator::sign_extended);
      }
      return resized(part(inner, inside - 1, 1), bits, true);  // zeros were found above
    }
    case Operator::sum:
    case Operator::product: {
      if (begin == 0) {
        // Modulo a smaller power of two.
        Polynomial cut;
        for (const auto& [monomial, coefficient] : polynomial(a)) {
          Term product = constant(coefficient, bits);
          for (const Term factor : monomial) product = multiply(product, part(factor, 0, bits));
          add_to(cut, polynomial(product), 1);
        }
        return of(cut, bits);
      }
      if (const auto known = limits(a); known.least >> begin == known.most >> begin) {
        return constant(known.least >> begin, bits);
      }
      if (is_multiple(a, begin)) return part(divided(a, begin), 0, bits);
      if (const auto quotient = quotient_by_shift(a, begin, bits)) return *quotient;
      if (const auto quotient = quotient_by_reciprocal(a, begin, bits)) return *quotient;
      // What is below and never carries: (4·x + 3) >> 3 is x >> 1.
      for (unsigned shift = begin; shift > 0; --shift) {
        if (const auto high = above(a, shift)) return part(*high, begin - shift, bits);
      }
      break;
    }
    case Operator::bits_and:
    case Operator::bits_or:
    case Operator::bits_exclusive_or: {
      std::vector<Term> parts;
      parts.reserve(n.operands.size());
      for (const Term one : n.operands) parts.push_back(part(one, begin, bits));
      return rebuilt(a, parts);
    }
    case Operator::high_product:
      if (const auto quotient = quotient_by_reciprocal(a, begin, bits)) return *quotient;
      break;
    case Operator::choice:
      return choice(n.operands[0], part(n.operands[1], begin, bits),
                    part(n.operands[2], begin, bits));
    default:
      break;
  }
  return intern({.op = Operator::part,
                 .width = static_cast<std::uint8_t>(bits),
                 .value = begin,
                 .operands = {a}});
}

Term Pool::zero_extended(Term a, unsigned bits) {
  const Node n = node(a);
  if (n.width == bits) return a;
  if (n.op == Operator::constant) return constant(n.value, bits);
  if (n.op == Operator::zero_extended) return zero_extended(n.operands[0], bits);
  if (n.op == Operator::part && n.value == 0 && width(n.operands[0]) == bits &&
      (possible_bits(n.operands[0]) & ~mask_of(n.width)) == 0) {
    return n.operands[0];
  }
  if (n.op == Operator::sum && limits_of_sum(n)) {
    Term sum = constant(n.value, bits);
    for (std::size_t i = 0; i < n.operands.size(); ++i) {
      const auto factor = static_cast<std::uint64_t>(signed_value(n.coefficients[i], n.width));
      sum = add(sum, scale(zero_extended(n.operands[i], bits), factor));
    }
    // The same number, if it did not wrap around below 0 before.
    if (limits(sum).most <= mask_of(n.width)) return sum;
  }
  return intern(
      {.op = Operator::zero_extended, .width = static_cast<std::uint8_t>(bits), .operands = {a}});
}

Term Pool::sign_extended(Term a, unsigned bits) {
  const Node n = node(a);
  if (n.width == bits) return a;
  if (possible_bits(a) >> (n.width - 1) == 0) return zero_extended(a, bits);
  if (n.op == Operator::constant) {
    return constant(static_cast<std::uint64_t>(signed_value(n.value, n.width)), bits);
  }
  if (n.op == Operator::sign_extended) return sign_extended(n.operands[0], bits);
  if (n.op == Operator::part && n.value == 0 && width(n.operands[0]) == bits &&
      has_signs(n.operands[0], bits - n.width + 1)) {
    return n.operands[0];
  }
  return intern(
      {.op = Operator::sign_extended, .width = static_cast<std::uint8_t>(bits), .operands = {a}});
}

Term Pool::resized(Term a, unsigned bits, bool is_signed) {
  if (bits < width(a)) return part(a, 0, bits);
  return is_signed ? sign_extended(a, bits) : zero_extended(a, bits);
}

Term Pool::joined(Term high, Term low) {
  const unsigned bits = width(high) + width(low);
  return add(scale(zero_extended(high, bits), std::uint64_t{1} << width(low)),
             zero_extended(low, bits));
}

Term Pool::count_ones(Term a, unsigned bits) {
  if (is_constant(a)) return constant(static_cast<unsigned>(std::popcount(node(a).value)), bits);
  return intern(
      {.op = Operator::count_ones, .width = static_cast<std::uint8_t>(bits), .operands = {a}});
}

Term Pool::count_leading_zeros(Term a, unsigned bits) {
  if (is_constant(a)) {
    return constant(width(a) - static_cast<unsigned>(std::bit_width(node(a).value)), bits);
  }
  return intern({.op = Operator::count_leading_zeros,
                 .width = static_cast<std::uint8_t>(bits),
                 .operands = {a}});
}

}  // namespace bankproof::symbolic
