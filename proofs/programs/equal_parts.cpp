// Claims parts equal; see equal_parts.hpp.
#include "equal_parts.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace bankproof::proofs {
namespace {

bool is_product(const WrittenNode& node) {
  return node.form == Form::times && node.parts[0]->form != Form::number &&
         node.parts[1]->form != Form::number;
}

/// The factors of a product. A sum that adds the same number again and again is one, too.
std::optional<std::array<WrittenPointer, 2>> factors_of(const WrittenNode& node) {
  if (is_product(node)) return std::array{node.parts[0], node.parts[1]};
  if (is_sum(node) && is_constant(node)) return std::array{node.parts[0], node.parts[2]};
  return std::nullopt;
}

}  // namespace

void EqualParts::claim(const std::vector<WrittenPointer>& formulas,
                       const std::vector<Relation>& relations) {
  std::vector<Parts> parts(formulas.size());
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    std::unordered_set<const WrittenNode*> met;
    collect(formulas[k], met, parts[k]);
  }
  for (const Parts& of_one : parts) {
    for (const WrittenPointer& part : of_one) {
      know_factors_of_one(part);
      know_round(part);
    }
  }
  std::set<std::pair<std::size_t, std::size_t>> related;
  for (const Relation& relation : relations) {
    for (const auto& [one, times] : relation) {
      for (const auto& [other, other_times] : relation) {
        const bool are_opposite = (times < 0) != (other_times < 0);
        if (other < one && are_opposite) related.emplace(other, one);
      }
    }
  }
  for (const auto& [k, other] : related) claim_same(parts[k], parts[other]);
}

/// The parts that the solvers know as new numbers, each one behind its own parts.
void EqualParts::collect(const WrittenPointer& node, std::unordered_set<const WrittenNode*>& met,
                         Parts& parts) const {
  if (!met.insert(node.get()).second) return;
  if (is_sum(*node)) {
    if (factors_of(*node)) {
      collect(node->parts[2], met, parts);  // no turn changes it
      parts.push_back(node);
    } else if (const AddedParts added(*node); !added.constant.empty()) {
      // All turns add this part alike, so the sum has it once for each turn.
      Written each(added.constant.front());
      for (std::size_t k = 1; k < added.constant.size(); ++k) each += Written(added.constant[k]);
      if (node->form == Form::over_numbers) {
        parts.push_back((Written(node->parts[0]) * each).node());
      }
    }
    return;
  }
  for (const WrittenPointer& part : node->parts) collect(part, met, parts);
  switch (node->form) {
    case Form::quotient:
    case Form::rest:
    case Form::ceiling:
    case Form::choice:
    case Form::divisor:
    case Form::logarithm:
      parts.push_back(node);
      break;
    default:
      if (!is_product(*node)) break;
      parts.push_back(node);
      for (const std::size_t k : {0U, 1U}) add_products(node->parts[k], node->parts[1 - k], parts);
      break;
  }
}

/// The products of the parts of a sum, which the solvers know as well as that of the sum.
void EqualParts::add_products(const WrittenPointer& sum, const WrittenPointer& factor,
                              Parts& parts) {
  const bool is_minus = sum->form == Form::minus && sum->parts[1]->form == Form::number;
  if (sum->form != Form::plus && !is_minus) return;
  for (const WrittenPointer& part : sum->parts) {
    add_products(part, factor, parts);
    if (part->form != Form::number) parts.push_back((Written(part) * Written(factor)).node());
  }
}

bool EqualParts::is_one(const WrittenPointer& formula) const {
  return are_all(values_at(samples_, formula), 1);
}

/// Products by a number that is always 1, as that of a wave's blocks over the DMMs, and the row of
/// a window that has one.
void EqualParts::know_factors_of_one(const WrittenPointer& part) {
  if (!is_product(*part) || !met_.insert(terms_.id_of(part)).second) return;
  for (const std::size_t k : {0U, 1U}) {
    const bool is_rounds = part->parts[k]->form == Form::ceiling;
    if (!is_rounds && !is_of_numbers(*part->parts[k])) continue;
    if (!is_one(part->parts[k])) continue;
    const IntTerm factor = terms_(part->parts[k]);
    if (is_rounds) q_.compare_multiples(terms_(part->parts[k]->parts[1]), factor, 1);
    q_.claim_step("a factor of 1", factor == 1);
    q_.multiply_equals(terms_(part->parts[1 - k]), factor, 1);
    return;
  }
}

/// A round in which some thread takes part: smaller(stages, 1) is 1.
void EqualParts::know_round(const WrittenPointer& part) {
  if (part->form != Form::choice || part->places.empty()) return;
  const WrittenNode& one = *part->parts[2];
  const Form stages = part->parts[1]->form;
  const bool is_of_rows =
      stages == Form::times || stages == Form::ceiling || stages == Form::over_numbers;
  if (one.form != Form::number || one.value != 1 || !is_of_rows || !is_one(part)) return;
  if (!met_.insert(terms_.id_of(part)).second) return;
  if (know_at_least_one(part->parts[1])) q_.claim_step("a round", terms_(part) == 1);
}
/// Adds the facts from which it follows that the formula is at least 1; returns false if it does
/// not know them.
bool EqualParts::know_at_least_one(const WrittenPointer& formula) {
  const auto scale = [&](const IntTerm& a, const IntTerm& b) {
    q_.claim_step("some rows, some stages", a >= 1 && b >= 1);
    q_.scale(a, 1, b);
  };
  switch (formula->form) {
    case Form::times:
      if (!know_at_least_one(formula->parts[0]) || !know_at_least_one(formula->parts[1])) {
        return false;
      }
      scale(terms_(formula->parts[0]), terms_(formula->parts[1]));
      return true;
    case Form::ceiling:
      q_.apply(multiples_are_apart(), {terms_(formula->parts[1]), terms_(formula), 1});
      return true;
    case Form::over_numbers:
      if (!is_constant(*formula) || !know_at_least_one(formula->parts[2])) return false;
      scale(terms_(formula->parts[0]), terms_(formula->parts[2]));
      return true;
    default:
      return true;
  }
}

/// Words that are a multiple of the width apart are at the same place in their address groups: if
/// another quotient or rest by the same number is of a dividend that is so much less, the solvers
/// need to know it.
void EqualParts::know_shift(const WrittenPointer& part, const Parts& of_one,
                            const Parts& of_other) {
  if (part->form != Form::quotient && part->form != Form::rest) return;
  const WrittenPointer& by = part->parts[1];
  const SampledValues values = values_at(samples_, part->parts[0]);
  std::set<unsigned> met;
  for (const WrittenPointer& one : of_one) {
    if (one->form != part->form || !met.insert(terms_.id_of(one)).second ||
        terms_.id_of(one->parts[1]) != terms_.id_of(by))
      continue;
    const SampledValues others = values_at(samples_, one->parts[0]);
    if (others == values) continue;
    SampledValues apart(values.size());
    std::transform(values.begin(), values.end(), others.begin(), apart.begin(), std::minus<>());
    const bool is_less = std::any_of(apart.begin(), apart.end(), [](auto a) { return a < 0; });
    if (is_less) std::transform(apart.begin(), apart.end(), apart.begin(), std::negate<>());
    std::set<unsigned> tried;
    for (const Parts* const all : {&of_one, &of_other}) {
      for (const WrittenPointer& product : *all) {
        if (!tried.insert(terms_.id_of(product)).second) continue;
        const auto times = is_product(*product) ? without_factor(*product, by) : std::nullopt;
        if (!times || values_at(samples_, product) != apart) continue;
        const auto quotient = [&](const WrittenPointer& of) {
          return terms_((Written(of->parts[0]) / Written(by)).node());
        };
        const IntTerm low = quotient(is_less ? part : one);
        const IntTerm high = quotient(is_less ? one : part);
        q_.compare_multiples(terms_(by), low + terms_(times->node()), high);
      }
    }
  }
}
/// The product without one of its factors, if it has it.
std::optional<Written> EqualParts::without_factor(const WrittenNode& product,
                                                  const WrittenPointer& factor) {
  for (const std::size_t k : {0U, 1U}) {
    const WrittenPointer& part = product.parts[k];
    const Written other(product.parts[1 - k]);
    if (terms_.id_of(part) == terms_.id_of(factor)) return other;
    if (!is_product(*part)) continue;
    if (const auto rest = without_factor(*part, factor)) return *rest * other;
  }
  return std::nullopt;
}

/// Parts that only one of two formulas has may still be the same as a part of the other one.
void EqualParts::claim_same(const Parts& of_one, const Parts& of_other) {
  const auto ids = [&](const Parts& parts) {
    std::set<unsigned> all;
    for (const WrittenPointer& part : parts) all.insert(terms_.id_of(part));
    return all;
  };
  const std::set<unsigned> ids_of_one = ids(of_one);
  const std::set<unsigned> ids_of_other = ids(of_other);
  std::vector<std::pair<WrittenPointer, SampledValues>> own;
  for (const WrittenPointer& part : of_one) {
    if (ids_of_other.count(terms_.id_of(part)) == 0)
      own.emplace_back(part, values_at(samples_, part));
  }
  for (const WrittenPointer& part : of_other) {
    if (own.empty() || ids_of_one.count(terms_.id_of(part)) != 0) continue;
    know_shift(part, of_one, of_other);
    const SampledValues values = values_at(samples_, part);
    const std::vector<SampledValues> parts = values_of_parts(samples_, *part);
    const auto may_be_same = [&](const auto& one) {
      const bool are_products = factors_of(*one.first) && factors_of(*part);
      return (are_products || one.first->form == part->form) && one.second == values;
    };
    // Rounds of several accesses may be the same; those of one access have the same stages, too.
    auto found = std::find_if(own.begin(), own.end(), [&](const auto& one) {
      return may_be_same(one) && values_of_parts(samples_, *one.first) == parts;
    });
    if (found == own.end() && part->form != Form::choice) {
      found = std::find_if(own.begin(), own.end(), may_be_same);
    }
    if (found != own.end()) {
      claim_same(found->first, part);
    } else if (!is_product(*part)) {
      // The other formula may have it once more, written in the same way.
      const auto shared = std::find_if(of_one.begin(), of_one.end(), [&](const auto& one) {
        return one->form == part->form && values_of_parts(samples_, *one) == parts &&
               values_at(samples_, one) == values;
      });
      if (shared != of_one.end()) claim_same(*shared, part);
    }
    // The same number of rows may have as many stages for several reasons.
    for (const auto& one : own) {
      if (factors_of(*part) && may_be_same(one) && &one != &*found) claim_same(one.first, part);
    }
  }
}

/// ⌈n/w⌉ is ⌊(n − 1)/w⌋ + 1, as the other formula may say it.
void EqualParts::know_rounded(const WrittenPointer& ceiling, const WrittenPointer& other) {
  if (ceiling->form != Form::ceiling) return;
  if (other->form == Form::quotient) {
    if (terms_.id_of(other->parts[1]) == terms_.id_of(ceiling->parts[1])) {
      q_.compare_multiples(terms_(ceiling->parts[1]), terms_(ceiling), terms_(other) + 1);
    }
  } else if (!is_sum(*other)) {
    for (const WrittenPointer& part : other->parts) know_rounded(ceiling, part);
  }
}

void EqualParts::claim_same(const WrittenPointer& a, const WrittenPointer& b) {
  const auto of_a = factors_of(*a);
  const auto of_b = factors_of(*b);
  if (!of_a || !of_b) {
    q_.claim_step("equal parts", terms_(a) == terms_(b));
    return;
  }
  // Products with a common factor; else with factors that are the same at all samples.
  for (const bool is_known : {true, false}) {
    for (const std::size_t k : {0U, 1U}) {
      for (const std::size_t l : {0U, 1U}) {
        const WrittenPointer& x = (*of_a)[k];
        const WrittenPointer& y = (*of_b)[l];
        const bool are_same = is_known ? terms_.id_of(x) == terms_.id_of(y)
                                       : values_at(samples_, x) == values_at(samples_, y);
        if (!are_same) continue;
        claim_factors(x, (*of_a)[1 - k], (*of_b)[1 - l]);
        if (!is_known) claim_factors((*of_b)[1 - l], x, y);
        return;
      }
    }
  }
}

/// The sum's products are not negative: so larger(0, x) may be x.
void EqualParts::know_products(const WrittenPointer& sum) {
  if (is_product(*sum)) q_.scale(terms_(sum->parts[1]), 0, terms_(sum->parts[0]));
  if (sum->form != Form::plus) return;
  for (const WrittenPointer& part : sum->parts) know_products(part);
}

/// Claims that two factors are the same, and so are their multiples.
void EqualParts::claim_factors(const WrittenPointer& factor, const WrittenPointer& x,
                               const WrittenPointer& y) {
  know_rounded(x, y);
  know_rounded(y, x);
  if (x->form == Form::choice) know_products(y);
  if (y->form == Form::choice) know_products(x);
  q_.claim_step("equal factors", terms_(x) == terms_(y));
  q_.multiply_equals(terms_(factor), terms_(x), terms_(y));
}

}  // namespace bankproof::proofs
