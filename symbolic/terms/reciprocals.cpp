// Recognizes divisions by constants, which compilers write as shifts, and as products with
// reciprocals.
//
// For M = (2^p + e) / d and 0 <= x with x·e < 2^p, ⌊x·M / 2^p⌋ = ⌊x / d⌋: the product is larger
// than x·2^p / d by less than 2^p / d. If e > 0, ⌊x·M / 2^p⌋ + 1 is x / d, rounded towards zero,
// for negative x with -x·e < 2^p.
//
//   mul.hi.s32  %r7, %r1, -1840700269;      x·M / 2^32 - x
//   add.s32     %r8, %r1, %r7;              x·M / 2^32, for M = 2^32 - 1840700269
//   shr.u32     %r9, %r8, 31;               1 if x is negative
//   shr.s32     %r10, %r8, 4;               x·M / 2^36
//   add.s32     %r11, %r10, %r9;            x / 28
#include <algorithm>
#include <numeric>

#include "pool.hpp"

namespace bankproof::symbolic {

namespace {

/// The d of a reciprocal M, for all x up to `most`, or with a sign from -`most` to `most` - 1;
/// nothing if there is none.
std::optional<std::uint64_t> divisor_of(Wide reciprocal, unsigned p, Wide most,
                                        bool is_signed = false) {
  constexpr unsigned most_bits = 126;
  if (reciprocal <= 1 || p > most_bits) return std::nullopt;
  const Wide all = Wide{1} << p;
  if (reciprocal >= all) return std::nullopt;
  const Wide divisor = (all - 1) / reciprocal + 1;
  const Wide error = divisor * reciprocal - all;
  // Without an error, it is a shift.
  if (divisor >> 63U != 0 || error == 0) return std::nullopt;
  if (most > (is_signed ? all : all - 1) / error) return std::nullopt;
  return static_cast<std::uint64_t>(divisor);
}

}  // namespace

/// x·M / 2^p, rounded down, for x with a sign.
struct Pool::Scaled {
  Term x;
  Wide reciprocal;
  unsigned p;
};

/// Recognizes x·M / 2^p in a term: the upper half of a product of x and a constant, perhaps with x
/// added to it.
std::optional<Pool::Scaled> Pool::scaled(Term term) {
  const auto of_product = [&](Term half) -> std::optional<std::pair<Term, std::int64_t>> {
    const Node& n = node(half);
    if (n.op == Operator::high_product_signed) {
      const std::size_t constant = is_constant(n.operands[0]) ? 0 : 1;
      if (!is_constant(n.operands[constant])) return std::nullopt;
      return std::pair(n.operands[1 - constant],
                       signed_value(node(n.operands[constant]).value, n.width));
    }
    if (n.op != Operator::part || n.value != n.width || n.width != 32) return std::nullopt;
    const Node& product = node(n.operands[0]);
    if (product.width != 2 * n.width || product.op != Operator::sum || product.value != 0 ||
        product.operands.size() != 1) {
      return std::nullopt;
    }
    const Node& extended = node(product.operands[0]);
    const std::int64_t factor = signed_value(product.coefficients[0], product.width);
    const bool is_narrow = factor >> 31 == 0 || factor >> 31 == -1;
    if (extended.op != Operator::sign_extended || width(extended.operands[0]) != n.width ||
        !is_narrow) {
      return std::nullopt;
    }
    return std::pair(extended.operands[0], factor);
  };
  const unsigned bits = width(term);
  if (const auto plain = of_product(term)) {
    if (plain->second < 0) return std::nullopt;
    return Scaled{plain->first, static_cast<Wide>(plain->second), bits};
  }
  // x·(M - 2^bits) / 2^bits + x
  if (node(term).op != Operator::sum) return std::nullopt;
  const Polynomial rest = polynomial(term);
  for (const auto& [monomial, coefficient] : rest) {
    if (monomial.size() != 1 || coefficient != 1) continue;
    const auto half = of_product(monomial.front());
    if (!half || half->second >= 0) continue;
    Polynomial others = rest;
    others.erase(monomial);
    if (of(others, bits) != half->first) continue;
    const auto reciprocal = (SignedWide{1} << bits) + half->second;
    return Scaled{half->first, static_cast<Wide>(reciprocal), bits};
  }
  return std::nullopt;
}

/// c·(⌊x·M / 2^p⌋ + (x < 0 ? 1 : 0)) in the sum becomes c·(x / d).
void Pool::join_reciprocals(Polynomial& sum, unsigned bits) {
  // The sign of x, as one bit, and whether it is 1 or -1 for a negative x.
  struct Sign {
    Term of;
    std::uint64_t coefficient;
    Monomial monomial;
  };
  std::vector<Sign> signs;
  for (const auto& [monomial, coefficient] : sum) {
    if (monomial.size() != 1) continue;
    const Node& n = node(monomial.front());
    const bool is_extended = n.op == Operator::zero_extended || n.op == Operator::sign_extended;
    if (!is_extended || width(n.operands[0]) != 1) continue;
    const Node& bit = node(n.operands[0]);
    if (bit.op != Operator::part || bit.value + 1 != width(bit.operands[0])) continue;
    const std::uint64_t factor = n.op == Operator::zero_extended ? coefficient : ~coefficient + 1;
    signs.push_back({bit.operands[0], factor & mask_of(bits), monomial});
  }
  if (signs.empty()) return;
  for (const auto& [monomial, coefficient] : sum) {
    if (monomial.size() != 1) continue;
    const Term whole = monomial.front();
    // t >> s
    Term shifted = whole;
    unsigned shift = 0;
    const Node n = node(whole);
    if (n.op == Operator::sign_extended && node(n.operands[0]).op == Operator::part) {
      const Node upper = node(n.operands[0]);
      const Node inner = node(upper.operands[0]);
      if (upper.value + upper.width != inner.width) continue;
      const auto begin = static_cast<unsigned>(upper.value);
      if (inner.width == bits) {
        shifted = upper.operands[0];
        shift = begin;
      } else if (inner.width == 2 * bits && begin >= bits) {
        shift = begin - bits;
        shifted = part(upper.operands[0], bits, bits);
      }
    }
    const auto found = scaled(shifted);
    if (!found) continue;
    const Wide most = Wide{1} << (bits - 1);
    const auto divisor = divisor_of(found->reciprocal, found->p + shift, most, true);
    if (!divisor || *divisor >> (bits - 1) != 0) continue;
    for (const Sign& sign : signs) {
      const bool is_its =
          sign.of == found->x || sign.of == shifted ||
          (node(shifted).op == Operator::part && sign.of == node(shifted).operands[0]);
      if (!is_its || sign.coefficient != (coefficient & mask_of(bits))) continue;
      const std::uint64_t factor = coefficient;
      const Monomial of_product = monomial;
      sum.erase(sign.monomial);
      sum.erase(of_product);
      add_to(sum, polynomial(quotient(found->x, constant(*divisor, bits), true)), factor);
      return;
    }
  }
}

/// Bits from `begin` on, of a product with a reciprocal.
std::optional<Term> Pool::quotient_by_reciprocal(Term a, unsigned begin, unsigned bits) {
  const Node n = node(a);
  const auto of = [&](Term x, std::uint64_t divisor) {
    return resized(quotient(x, constant(divisor, width(x)), false), bits, false);
  };
  if (n.op == Operator::high_product) {
    const std::size_t at = is_constant(n.operands[0]) ? 0 : 1;
    if (!is_constant(n.operands[at])) return std::nullopt;
    const Term x = n.operands[1 - at];
    const auto divisor = divisor_of(node(n.operands[at]).value, n.width + begin, possible_bits(x));
    return divisor ? std::optional(of(x, *divisor)) : std::nullopt;
  }
  if (n.op != Operator::sum) return std::nullopt;
  if (const auto whole = halved(a)) {
    const auto divisor = divisor_of(whole->reciprocal, whole->p + begin, possible_bits(whole->x));
    return divisor ? std::optional(of(whole->x, *divisor)) : std::nullopt;
  }
  // Nothing in it wraps around.
  Wide most = n.value;
  std::uint64_t reciprocal = n.value;
  for (std::size_t k = 0; k < n.operands.size(); ++k) {
    most += static_cast<Wide>(n.coefficients[k]) * possible_bits(n.operands[k]);
    if (most > mask_of(n.width)) return std::nullopt;
    reciprocal = std::gcd(reciprocal, n.coefficients[k]);
  }
  // x may be a multiple of a power of two.
  for (;; reciprocal /= 2) {
    const auto divisor = divisor_of(reciprocal, begin, most / reciprocal);
    if (divisor) {
      Polynomial x = polynomial(a);
      for (auto& [monomial, coefficient] : x) coefficient /= reciprocal;
      const unsigned narrow = most / reciprocal <= mask_of(32) ? 32 : 64;
      const Term dividend = part(this->of(x, n.width), 0, std::min<unsigned>(narrow, n.width));
      if (*divisor <= mask_of(width(dividend))) return of(dividend, *divisor);
    }
    if (reciprocal % 2 != 0) return std::nullopt;
  }
}

/// ((x - t) >> 1) + t for t = x·M / 2^bits: it is x·(2^bits + M) / 2^(bits + 1), without a sign.
std::optional<Pool::Scaled> Pool::halved(Term term) {
  const unsigned bits = width(term);
  const Polynomial sum = polynomial(term);
  if (bits != 32 || sum.size() != 2) return std::nullopt;
  for (const auto& [monomial, coefficient] : sum) {
    if (monomial.size() != 1 || coefficient != 1) return std::nullopt;
  }
  for (const auto& [first, one] : sum) {
    const Node t = node(first.front());
    if (t.op != Operator::part || t.value != bits || t.width != bits) continue;
    const Node product = node(t.operands[0]);
    if (product.width != 2 * bits || product.op != Operator::sum || product.value != 0 ||
        product.operands.size() != 1 || product.coefficients[0] > mask_of(bits)) {
      continue;
    }
    const Node extended = node(product.operands[0]);
    if (extended.op != Operator::zero_extended || width(extended.operands[0]) != bits) continue;
    const Term x = extended.operands[0];
    for (const auto& [second, other] : sum) {
      const Node half = node(second.front());
      if (half.op != Operator::zero_extended) continue;
      const Node upper = node(half.operands[0]);
      if (upper.op != Operator::part || upper.value != 1 || upper.width != bits - 1) continue;
      Polynomial difference = polynomial(x);
      add_to(difference, {{first, 1}}, ~std::uint64_t{0});
      if (of(difference, bits) != upper.operands[0]) continue;
      return Scaled{x, (Wide{1} << bits) + product.coefficients[0], bits + 1};
    }
  }
  return std::nullopt;
}

/// Whether the highest bits are the same: the sign.
bool Pool::has_signs(Term term, unsigned bits) const {
  const Node& n = node(term);
  const Wide end = Wide{1} << (n.width - bits);
  if (n.op == Operator::sign_extended) return width(n.operands[0]) + bits <= n.width + 1U;
  const bool divides = n.op == Operator::quotient_signed || n.op == Operator::remainder_signed;
  if (!divides || !is_constant(n.operands[1])) return false;
  const std::int64_t divisor = signed_value(node(n.operands[1]).value, n.width);
  if (divisor <= 1) return false;
  const auto by = static_cast<Wide>(divisor);
  if (n.op == Operator::remainder_signed) return by <= end;
  const Wide all = Wide{1} << (n.width - 1);
  return all / by <= end && (all - 1) / by < end;
}

/// (x + (x < 0 ? 2^k - 1 : 0)) >> k is x / 2^k, rounded towards zero.
std::optional<Term> Pool::quotient_by_shift(Term a, unsigned begin, unsigned bits) {
  const Polynomial sum = polynomial(a);
  const unsigned all = width(a);
  for (const auto& [monomial, coefficient] : sum) {
    if (monomial.size() != 1 || coefficient != 1) continue;
    const Node extended = node(monomial.front());
    if (extended.op != Operator::zero_extended) continue;
    const unsigned k = width(extended.operands[0]);
    if (k > begin || k + 1 >= all) continue;
    Polynomial rest = sum;
    rest.erase(monomial);
    const Term x = of(rest, all);
    const Term added = extended.operands[0];
    const bool is_sign = added == sign_extended(part(x, all - 1, 1), k);
    if (!is_sign && (added != part(x, all - k, k) || !has_signs(x, k))) continue;
    return part(quotient(x, constant(std::uint64_t{1} << k, all), true), begin - k, bits);
  }
  return std::nullopt;
}

}  // namespace bankproof::symbolic
