// Arithmetic. A term is seen as a polynomial of atoms, which are terms of other operators; products
// of sums are multiplied out while they stay small.
#include <algorithm>
#include <bit>
#include <limits>

#include "pool.hpp"

namespace bankproof::symbolic {

namespace {

/// Products with more monomials are not multiplied out.
constexpr std::size_t most_monomials = 64;

/// What the machine computes (ptx/alu/integers.cpp).
std::uint64_t whole_quotient(std::uint64_t a, std::uint64_t b, unsigned width, bool is_signed) {
  if (b == 0) return ~std::uint64_t{0};
  if (!is_signed) return a / b;
  const std::int64_t divisor = signed_value(b, width);
  return divisor == -1 ? std::uint64_t{0} - a
                       : static_cast<std::uint64_t>(signed_value(a, width) / divisor);
}

Polynomial product_of(const Polynomial& left, const Polynomial& right) {
  Polynomial product;
  for (const auto& [x, c] : left) {
    for (const auto& [y, d] : right) {
      Monomial both;
      std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
      product[both] += c * d;
    }
  }
  return product;
}

}  // namespace

Polynomial Pool::polynomial(Term term) const {
  const Node& n = node(term);
  switch (n.op) {
    case Operator::constant:
      return n.value == 0 ? Polynomial{} : Polynomial{{{}, n.value}};
    case Operator::sum: {
      Polynomial all;
      if (n.value != 0) all[{}] = n.value;
      for (std::size_t i = 0; i < n.operands.size(); ++i) {
        add_to(all, polynomial(n.operands[i]), n.coefficients[i]);
      }
      return all;
    }
    case Operator::product:
      return {{n.operands, 1}};
    default:
      return {{{term}, 1}};
  }
}

Term Pool::of(const Polynomial& polynomial, unsigned width) {
  Node sum{.op = Operator::sum, .width = static_cast<std::uint8_t>(width)};
  std::vector<std::pair<Term, std::uint64_t>> parts;
  for (const auto& [monomial, coefficient] : polynomial) {
    const std::uint64_t factor = coefficient & mask_of(width);
    if (factor == 0) continue;
    if (monomial.empty()) {
      sum.value = factor;
    } else if (monomial.size() == 1) {
      parts.emplace_back(monomial.front(), factor);
    } else {
      parts.emplace_back(intern({.op = Operator::product,
                                 .width = static_cast<std::uint8_t>(width),
                                 .operands = monomial}),
                         factor);
    }
  }
  if (parts.empty()) return constant(sum.value, width);
  if (sum.value == 0 && parts.size() == 1 && parts[0].second == 1) return parts[0].first;
  std::sort(parts.begin(), parts.end());
  for (const auto& [operand, coefficient] : parts) {
    sum.operands.push_back(operand);
    sum.coefficients.push_back(coefficient);
  }
  return intern(std::move(sum));
}

Term Pool::add(Term a, Term b) {
  Polynomial sum = polynomial(a);
  add_to(sum, polynomial(b), 1);
  join_reciprocals(sum, width(a));
  join_divisions(sum, width(a));
  return of(sum, width(a));
}

Term Pool::subtract(Term a, Term b) {
  if (const auto rest = rest_of_division(a, b)) return *rest;
  Polynomial sum = polynomial(a);
  add_to(sum, polynomial(b), ~std::uint64_t{0});
  join_reciprocals(sum, width(a));
  return of(sum, width(a));
}

Term Pool::negative(Term a) { return scale(a, ~std::uint64_t{0}); }

/// A polynomial whose lowest bits are the term. What a size is made smaller by stays a small
/// number.
Polynomial Pool::widened_polynomial(Term term, unsigned width) {
  const Node n = node(term);
  const auto wide = [&](std::uint64_t number) {
    return static_cast<std::uint64_t>(signed_value(number, n.width));
  };
  Polynomial all;
  switch (n.op) {
    case Operator::sum:
      if (n.value != 0) all[{}] = wide(n.value);
      for (std::size_t i = 0; i < n.operands.size(); ++i) {
        add_to(all, widened_polynomial(n.operands[i], width), wide(n.coefficients[i]));
      }
      return all;
    case Operator::product:
      all = {{{}, 1}};
      for (const Term factor : n.operands) all = product_of(all, widened_polynomial(factor, width));
      return all;
    case Operator::part:
      if (n.value == 0 && this->width(n.operands[0]) == width) return polynomial(n.operands[0]);
      break;
    default:
      break;
  }
  return polynomial(zero_extended(term, width));
}

/// Replaces factors of which the highest bits were cut off by factors with these bits, where the
/// polynomial, shifted left by so many places, has the same value: the shift moves the bits out.
Polynomial Pool::uncut(const Polynomial& polynomial, unsigned places, unsigned width) {
  Polynomial all;
  for (const auto& [monomial, coefficient] : polynomial) {
    const unsigned shift = places + static_cast<unsigned>(std::countr_zero(coefficient));
    Polynomial part{{{}, coefficient}};
    for (const Term factor : monomial) {
      const Node n = node(factor);
      const bool is_cut =
          n.op == Operator::zero_extended && shift + this->width(n.operands[0]) >= width;
      part = product_of(
          part, is_cut ? widened_polynomial(n.operands[0], width) : Polynomial{{{factor}, 1}});
    }
    if (all.size() + part.size() > most_monomials) return polynomial;
    add_to(all, part, 1);
  }
  return all;
}

Term Pool::scale(Term a, std::uint64_t factor) {
  Polynomial sum;
  const auto places = static_cast<unsigned>(std::countr_zero(factor));
  add_to(sum, uncut(polynomial(a), places, width(a)), factor);
  return of(sum, width(a));
}

Term Pool::multiply(Term a, Term b) {
  const auto places = [](const Polynomial& factor) {
    unsigned least = 64;
    for (const auto& [monomial, coefficient] : factor) {
      least = std::min(least, static_cast<unsigned>(std::countr_zero(coefficient)));
    }
    return least;
  };
  Polynomial left = polynomial(a);
  Polynomial right = polynomial(b);
  left = uncut(left, places(right), width(a));
  right = uncut(right, places(left), width(a));
  if (left.size() * right.size() > most_monomials) {
    Monomial factors{a, b};
    std::sort(factors.begin(), factors.end());
    return of({{factors, 1}}, width(a));
  }
  return of(product_of(left, right), width(a));
}

Term Pool::high_product(Term a, Term b, bool is_signed) {
  const unsigned bits = width(a);
  if (is_constant(a) && is_constant(b)) {
    const std::uint64_t x = node(a).value;
    const std::uint64_t y = node(b).value;
    const auto product = is_signed
                             ? static_cast<Wide>(static_cast<SignedWide>(signed_value(x, bits)) *
                                                 signed_value(y, bits))
                             : static_cast<Wide>(x) * y;
    return constant(static_cast<std::uint64_t>(product >> bits), bits);
  }
  // The product in twice the bits, where there are so many.
  if (bits <= 32) {
    return part(multiply(resized(a, 2 * bits, is_signed), resized(b, 2 * bits, is_signed)), bits,
                bits);
  }
  if (a > b) std::swap(a, b);
  return binary(is_signed ? Operator::high_product_signed : Operator::high_product, a, b, bits);
}

Term Pool::quotient(Term a, Term b, bool is_signed) {
  const unsigned bits = width(a);
  if (is_constant(b)) {
    const std::uint64_t divisor = node(b).value;
    if (is_constant(a))
      return constant(whole_quotient(node(a).value, divisor, bits, is_signed), bits);
    if (divisor == 1) return a;
    // Where no sign is set, both divisions are the same.
    const bool is_positive = ((possible_bits(a) | divisor) >> (bits - 1)) == 0;
    is_signed = is_signed && !is_positive;
    if (!is_signed && std::has_single_bit(divisor)) {
      return shift_right(a, constant(static_cast<unsigned>(std::countr_zero(divisor)), 32), false);
    }
  }
  return binary(is_signed ? Operator::quotient_signed : Operator::quotient, a, b, bits);
}

Term Pool::remainder(Term a, Term b, bool is_signed) {
  const unsigned bits = width(a);
  if (is_constant(b)) {
    const std::uint64_t divisor = node(b).value;
    if (is_constant(a)) {
      const std::uint64_t whole = whole_quotient(node(a).value, divisor, bits, is_signed);
      return constant(divisor == 0 ? node(a).value : node(a).value - whole * divisor, bits);
    }
    const bool is_positive = ((possible_bits(a) | divisor) >> (bits - 1)) == 0;
    is_signed = is_signed && !is_positive;
    if (!is_signed && std::has_single_bit(divisor)) return masked(a, divisor - 1);
  }
  return binary(is_signed ? Operator::remainder_signed : Operator::remainder, a, b, bits);
}

bool Pool::is_multiple(Term term, unsigned shift) const {
  const Polynomial all = polynomial(term);
  return std::all_of(all.begin(), all.end(),
                     [&](const auto& part) { return (part.second & (mask_of(shift))) == 0; });
}

/// A coefficient without its lowest bits. Its sign stays, so that -4·x becomes -x.
static std::uint64_t shifted(std::uint64_t coefficient, unsigned width, unsigned shift) {
  return static_cast<std::uint64_t>(signed_value(coefficient, width) >> shift) & mask_of(width);
}

Term Pool::divided(Term term, unsigned shift) {
  Polynomial all = polynomial(term);
  for (auto& [monomial, coefficient] : all) coefficient = shifted(coefficient, width(term), shift);
  return of(all, width(term));
}

std::optional<Term> Pool::without_factor(Term term, unsigned shift) {
  if (!is_multiple(term, shift)) return std::nullopt;
  return divided(term, shift);
}

std::optional<Pool::Limits> Pool::limits_of_sum(const Node& n) const {
  const SignedWide all = static_cast<SignedWide>(mask_of(n.width)) + 1;
  SignedWide least = signed_value(n.value, n.width);
  SignedWide most = least;
  for (std::size_t i = 0; i < n.operands.size(); ++i) {
    const std::int64_t factor = signed_value(n.coefficients[i], n.width);
    const SignedWide part = static_cast<SignedWide>(factor) * possible_bits(n.operands[i]);
    // A part has up to 127 bits: none that is too large is added to another one.
    if (part >= all || part <= -all) return std::nullopt;
    (factor < 0 ? least : most) += part;
    if (most - least >= all) return std::nullopt;
  }
  // Modulo 2^width, all of them by the same multiple of it.
  const SignedWide wraps = (least < 0 ? least - (all - 1) : least) / all;
  least -= wraps * all;
  most -= wraps * all;
  if (most >= all) return std::nullopt;
  return Limits{static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
}

Pool::Limits Pool::limits(Term term) const {
  const Node& n = node(term);
  if (n.op == Operator::constant) return {n.value, n.value};
  if (n.op == Operator::sum) {
    if (const auto known = limits_of_sum(n)) return *known;
  }
  return {0, possible_bits(term)};
}

std::optional<Term> Pool::above(Term term, unsigned shift) {
  Polynomial high;
  Wide most_below = 0;
  bool is_some_below = false;
  for (const auto& [monomial, coefficient] : polynomial(term)) {
    const std::uint64_t below = coefficient & mask_of(shift);
    if (monomial.empty()) {
      high[monomial] = shifted(coefficient, width(term), shift);
      most_below += below;
      is_some_below = is_some_below || below != 0;
    } else if (below == 0) {
      high[monomial] = shifted(coefficient, width(term), shift);
    } else {
      Wide most = coefficient;
      for (const Term factor : monomial) {
        const std::uint64_t possible = possible_bits(factor);
        if (most > mask_of(shift) || possible > mask_of(shift)) return std::nullopt;
        most *= mask_of(static_cast<unsigned>(std::bit_width(possible)));
      }
      most_below += most;
      is_some_below = true;
    }
    if (most_below > mask_of(shift)) return std::nullopt;
  }
  if (!is_some_below) return std::nullopt;
  return of(high, width(term));
}

}  // namespace bankproof::symbolic
