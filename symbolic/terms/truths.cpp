// Comparisons and choices.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "pool.hpp"

namespace bankproof::symbolic {

Term Pool::negation(Term a) {
  const Node n = node(a);
  if (n.op == Operator::constant) return truth(n.value == 0);
  if (n.op == Operator::negation) return n.operands[0];
  if (n.op == Operator::bits_and || n.op == Operator::bits_or) {
    // Negations stand at the leaves, where what two statements have in common is found.
    const auto known = negations_.find(a);
    if (known != negations_.end()) return known->second;
    const std::vector<Term> operands = n.operands;
    const bool is_and = n.op == Operator::bits_and;
    Term all = negation(operands[0]);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const Term next = negation(operands[i]);
      all = is_and ? either(all, next) : both(all, next);
    }
    negations_[a] = all;
    negations_[all] = a;
    return all;
  }
  return intern({.op = Operator::negation, .width = 1, .operands = {a}});
}

Term Pool::equal(Term a, Term b) {
  if (a == b) return truth(true);
  if (is_constant(a)) std::swap(a, b);
  if (width(a) == 1)
    return is_constant(b, 0) ? negation(a) : is_constant(b) ? a : negation(bits_exclusive_or(a, b));
  // The difference tells it, and is a constant more often than the terms are.
  const Term difference = subtract(a, b);
  if (is_constant(difference)) return truth(is_constant(difference, 0));
  // So do bits in which they differ: x and x ^ 1 are never equal.
  if (node(a).op == Operator::bits_exclusive_or || node(b).op == Operator::bits_exclusive_or) {
    const Term bits = bits_exclusive_or(a, b);
    if (is_constant(bits)) return truth(is_constant(bits, 0));
  }
  if (is_constant(b)) {
    const Node n = node(a);
    const std::uint64_t value = node(b).value;
    // 4·x is 0 if x is, where no bit of x is shifted out.
    if (value == 0 && n.op == Operator::sum && n.value == 0 && n.operands.size() == 1 &&
        std::has_single_bit(n.coefficients[0]) &&
        possible_bits(n.operands[0]) <= mask_of(n.width) / n.coefficients[0]) {
      return equal(n.operands[0], b);
    }
    if ((value & ~possible_bits(a)) != 0) return truth(false);
    if (n.op == Operator::zero_extended) {
      return equal(n.operands[0], constant(value, width(n.operands[0])));
    }
    if (n.op == Operator::choice && (is_constant(n.operands[1]) || is_constant(n.operands[2]))) {
      return choice(n.operands[0], equal(n.operands[1], b), equal(n.operands[2], b));
    }
    // x | y is 0 if both are, as compilers write threadIdx.x == 0 && threadIdx.y == 0.
    if (n.op == Operator::bits_or && value == 0) {
      Term all = truth(true);
      for (const Term operand : n.operands) all = both(all, equal(operand, b));
      return all;
    }
  }
  if (a > b) std::swap(a, b);
  return binary(Operator::equal, a, b, 1);
}

Term Pool::below(Term a, Term b, bool is_signed) {
  if (a == b) return truth(false);
  const unsigned bits = width(a);
  const Node left = node(a);
  const Node right = node(b);
  if (left.op == Operator::constant && right.op == Operator::constant) {
    return truth(is_signed ? signed_value(left.value, bits) < signed_value(right.value, bits)
                           : left.value < right.value);
  }
  // Where no sign is set, both comparisons are the same.
  if (((possible_bits(a) | possible_bits(b)) >> (bits - 1)) == 0) is_signed = false;
  if (!is_signed) {
    if (is_constant(b, 0)) return truth(false);
    if (is_constant(b, 1)) return equal(a, constant(0, bits));
    if (is_constant(a, 0)) return negation(equal(b, constant(0, bits)));
    if (is_constant(a, mask_of(bits))) return truth(false);
    if (limits(a).most < limits(b).least) return truth(true);
    if (limits(b).most <= limits(a).least) return truth(false);
  }
  if (is_signed && is_constant(b, 0)) {
    // The sign is a bit as any other.
    const auto sign = [&](Term x) { return below(x, b, true); };
    if (left.op == Operator::bits_or || left.op == Operator::bits_and) {
      Term all = sign(left.operands[0]);
      for (std::size_t i = 1; i < left.operands.size(); ++i) {
        const Term next = sign(left.operands[i]);
        all = left.op == Operator::bits_or ? either(all, next) : both(all, next);
      }
      return all;
    }
  }
  if (is_signed && is_constant(a, mask_of(bits)))
    return negation(below(b, constant(0, bits), true));
  const auto of_constants = [&](const Node& n) {
    return n.op == Operator::choice && is_constant(n.operands[1]) && is_constant(n.operands[2]);
  };
  if (right.op == Operator::constant && of_constants(left)) {
    return choice(left.operands[0], below(left.operands[1], b, is_signed),
                  below(left.operands[2], b, is_signed));
  }
  if (left.op == Operator::constant && of_constants(right)) {
    return choice(right.operands[0], below(a, right.operands[1], is_signed),
                  below(a, right.operands[2], is_signed));
  }
  return binary(is_signed ? Operator::below_signed : Operator::below, a, b, 1);
}

//   x ∨ (x ∧ y)           x, also where x is a conjunction, whose parts stand beside y
//   x ∨ (¬x ∧ y)          x ∨ y
//   (x ∧ y) ∨ (¬x ∧ y)    y
//
// and the same with ∧ and ∨ exchanged.
std::optional<Term> Pool::absorbed(bool is_and, const std::vector<Term>& operands) {
  const Operator inner = is_and ? Operator::bits_or : Operator::bits_and;
  const auto joined = [&](const std::vector<Term>& some, bool by_and) {
    Term all = truth(by_and);
    for (const Term one : some) all = by_and ? both(all, one) : either(all, one);
    return all;
  };
  const auto has = [](const std::vector<Term>& some, Term one) {
    return std::find(some.begin(), some.end(), one) != some.end();
  };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (node(operands[i]).op != inner) continue;
    const std::vector<Term> parts = node(operands[i]).operands;
    std::vector<Term> rest = operands;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    std::vector<Term> kept;
    bool is_absorbed = false;
    for (const Term part : parts) {
      is_absorbed = is_absorbed || has(rest, part);
      if (!has(rest, negation(part))) kept.push_back(part);
    }
    is_absorbed =
        is_absorbed || std::any_of(rest.begin(), rest.end(), [&](Term one) {
          const Node& other = node(one);
          return other.op == inner && std::all_of(other.operands.begin(), other.operands.end(),
                                                  [&](Term part) { return has(parts, part); });
        });
    if (is_absorbed) return joined(rest, is_and);
    if (kept.size() != parts.size()) {
      rest.push_back(joined(kept, !is_and));
      return joined(rest, is_and);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (node(operands[j]).op != inner) continue;
      const std::vector<Term> others = node(operands[j]).operands;
      if (others.size() != parts.size()) continue;
      std::vector<Term> common;
      std::vector<Term> own;
      for (const Term part : parts) (has(others, part) ? common : own).push_back(part);
      if (own.size() != 1 || !has(others, negation(own[0]))) continue;
      rest.erase(std::find(rest.begin(), rest.end(), operands[j]));
      rest.push_back(joined(common, !is_and));
      return joined(rest, is_and);
    }
  }
  return std::nullopt;
}

/// Whether the term is 0 wherever the condition holds, as n / 4 · d if n < 4: each product in it
/// has a factor that is.
bool Pool::vanishes(Term term, Term condition) {
  const Polynomial all = polynomial(term);
  return std::all_of(all.begin(), all.end(), [&](const auto& part) {
    return std::any_of(part.first.begin(), part.first.end(),
                       [&](Term factor) { return is_zero_where(condition, factor); });
  });
}

bool Pool::is_zero_where(Term condition, Term factor) {
  Node small = node(condition);
  const Node extended = node(factor);
  if (small.op == Operator::equal) {
    const Term uncut = extended.op == Operator::zero_extended ? extended.operands[0] : factor;
    for (const std::size_t side : {0U, 1U}) {
      const Term other = small.operands[1 - side];
      if (is_constant(small.operands[side], 0) && (other == factor || other == uncut)) return true;
    }
    return false;
  }
  const bool is_negation = small.op == Operator::negation;
  if (is_negation) small = node(small.operands[0]);
  if (small.op != Operator::below) return false;
  const Term number = small.operands[is_negation ? 1 : 0];
  const Term limit = small.operands[is_negation ? 0 : 1];
  // The high bits of a number that is a little more than this one.
  if (!is_constant(limit) || extended.op != Operator::zero_extended) return false;
  const Node high = node(extended.operands[0]);
  if (high.op != Operator::part) return false;
  const Term whole = high.operands[0];
  if (high.value + high.width != width(whole) || width(whole) != width(number)) return false;
  const Term more = subtract(whole, number);
  const std::uint64_t most = node(limit).value;
  const std::uint64_t end = std::uint64_t{1} << high.value;
  return is_constant(more) && most <= end && node(more).value < end &&
         node(more).value + most + (is_negation ? 1 : 0) <= end;
}

/// The products that both sums have as often.
Term Pool::common_part(Term a, Term b) {
  Polynomial both = polynomial(a);
  const Polynomial other = polynomial(b);
  std::erase_if(both, [&](const auto& part) {
    const auto found = other.find(part.first);
    return found == other.end() || found->second != part.second;
  });
  return of(both, width(a));
}

/// What divides all coefficients of both; 1 if both are constants.
std::uint64_t Pool::common_factor(Term a, Term b) const {
  if (is_constant(a) && is_constant(b)) return 1;
  std::uint64_t factor = 0;
  for (const Term term : {a, b}) {
    for (const auto& [monomial, coefficient] : polynomial(term)) {
      factor = std::gcd(factor, coefficient);
    }
  }
  return factor;
}

Term Pool::divided(Term term, std::uint64_t factor) {
  Polynomial parts = polynomial(term);
  for (auto& [monomial, coefficient] : parts) coefficient /= factor;
  return of(parts, width(term));
}

//   c ? (d ? x : y) : y    (c ∧ d) ? x : y
//   c ? (c ∨ d ? x : y) : z    c ? x : z
std::optional<Term> Pool::choice_of_choice(Term condition, Term yes, Term no) {
  const Term otherwise = negation(condition);
  for (const bool is_yes : {true, false}) {
    const Node& inner = node(is_yes ? yes : no);
    if (inner.op != Operator::choice) continue;
    const Term outer = is_yes ? condition : otherwise;
    const Term other = is_yes ? no : yes;
    const Term is_first = inner.operands[0];
    const Term first = inner.operands[1];
    const Term second = inner.operands[2];
    if (second == other) return choice(both(outer, is_first), first, second);
    if (first == other) return choice(both(outer, negation(is_first)), second, first);
  }
  const auto facts_of = [&](Term one) {
    return node(one).op == Operator::bits_and ? node(one).operands : std::vector<Term>{one};
  };
  const Term yes_there = where(facts_of(condition), yes);
  const Term no_there = where(facts_of(otherwise), no);
  if (yes_there == yes && no_there == no) return std::nullopt;
  return choice(condition, yes_there, no_there);
}

Term Pool::choice(Term condition, Term yes, Term no) {
  if (yes == no) return yes;
  const Node n = node(condition);
  if (n.op == Operator::constant) return n.value != 0 ? yes : no;
  if (n.op == Operator::negation) return choice(n.operands[0], no, yes);
  if (width(yes) == 1) {
    return either(both(condition, yes), both(negation(condition), no));
  }
  if (const auto division = division_by_halves(condition, yes, no)) return *division;
  if (is_constant(yes, 0) && vanishes(no, condition)) return no;
  if (is_constant(no, 0) && vanishes(yes, negation(condition))) return yes;
  // x + d or x, as an optional loop leaves it: what is chosen is d or nothing.
  if (const Term x = common_part(yes, no); !is_constant(x)) {
    return add(x, choice(condition, subtract(yes, x), subtract(no, x)));
  }
  if (const std::uint64_t factor = common_factor(yes, no); factor > 1) {
    return scale(choice(condition, divided(yes, factor), divided(no, factor)), factor);
  }
  if (const auto simpler = choice_of_choice(condition, yes, no)) return *simpler;
  return intern({.op = Operator::choice,
                 .width = static_cast<std::uint8_t>(width(yes)),
                 .operands = {condition, yes, no}});
}

}  // namespace bankproof::symbolic
