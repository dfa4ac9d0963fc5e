// Claims parts equal; see equal_parts.hpp.
#include "equal_parts.hpp"

#include <algorithm>
#include <array>
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
      if (is_product(*node)) parts.push_back(node);
      break;
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
    if (found == own.end()) found = std::find_if(own.begin(), own.end(), may_be_same);
    if (found != own.end()) claim_same(found->first, part);
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
  // Products with a common factor.
  for (const std::size_t k : {0U, 1U}) {
    for (const std::size_t l : {0U, 1U}) {
      if (terms_.id_of((*of_a)[k]) != terms_.id_of((*of_b)[l])) continue;
      know_rounded((*of_a)[1 - k], (*of_b)[1 - l]);
      know_rounded((*of_b)[1 - l], (*of_a)[1 - k]);
      const IntTerm x = terms_((*of_a)[1 - k]);
      const IntTerm y = terms_((*of_b)[1 - l]);
      q_.claim_step("equal factors", x == y);
      q_.multiply_equals(terms_((*of_a)[k]), x, y);
      return;
    }
  }
}

}  // namespace bankproof::proofs
