// Makes terms; see formula_terms.hpp.
#include "formula_terms.hpp"

#include <stdexcept>

namespace bankproof::proofs {

Truth FormulaTerms::truth(const WrittenNode& node) {
  const auto part = [&](std::size_t k) { return (*this)(node.parts.at(k)); };
  const auto condition = [&](std::size_t k) { return truth(*node.parts.at(k)); };
  switch (node.form) {
    case Form::equal:
      return part(0) == part(1);
    case Form::at_most:
      return part(0) <= part(1);
    case Form::both:
      return condition(0) && condition(1);
    case Form::either:
      return condition(0) || condition(1);
    case Form::negation:
      return !condition(0);
    default:
      throw std::logic_error("a condition of another kind than those of programs");
  }
}

IntTerm FormulaTerms::operator()(const WrittenPointer& node) {
  if (const auto sum = sums_.find(node); sum != sums_.end()) return sum->second;
  const auto known = terms_.find(node.get());
  if (known != terms_.end()) return known->second;
  IntTerm made = made_of_parts(*node);
  terms_.insert_or_assign(node.get(), made);
  kept_.push_back(node);
  return made;
}

void FormulaTerms::know_positive(const WrittenPointer& node) {
  const bool has_parts = node->form == Form::times || node->form == Form::plus ||
                         node->form == Form::choice || node->form == Form::ceiling;
  if (!has_parts || !node->places.empty()) return;
  const IntTerm term = (*this)(node);
  if (term.constant() || !positive_.insert(id_of(node)).second) return;
  const bool is_choice = node->form == Form::choice;
  // larger(x, 1) is positive, whatever x is.
  const bool has_number =
      is_choice && (node->parts[1]->form == Form::number || node->parts[2]->form == Form::number);
  for (std::size_t k = is_choice ? 1 : 0; k < node->parts.size() && !has_number; ++k) {
    know_positive(node->parts[k]);
  }
  if (node->form == Form::times) q_.scale((*this)(node->parts[0]), 1, (*this)(node->parts[1]));
  if (node->form == Form::ceiling) {
    q_.apply(multiples_are_apart(), {(*this)(node->parts[1]), term, 1});
  }
  q_.claim_step("a positive number", term >= 1);
}

IntTerm FormulaTerms::divisor(const WrittenPointer& node) {
  know_positive(node);
  return (*this)(node);
}

IntTerm FormulaTerms::made_of_parts(const WrittenNode& node) {
  const auto part = [&](std::size_t k) { return (*this)(node.parts.at(k)); };
  switch (node.form) {
    case Form::number:
      return q_.constant(static_cast<std::uint64_t>(node.value));
    case Form::name:
      return names_.at(node.name);
    case Form::place:
      return places_.at(node.value);
    case Form::plus:
      return part(0) + part(1);
    case Form::minus:
      return part(0) - part(1);
    case Form::times:
      return part(0) * part(1);
    case Form::quotient:
      return part(0) / divisor(node.parts.at(1));
    case Form::rest:
      return part(0) % divisor(node.parts.at(1));
    case Form::ceiling:
      return ceil_div(part(0), divisor(node.parts.at(1)));
    case Form::choice:
      return select(truth(*node.parts.at(0)), part(1), part(2));
    case Form::divisor:
      return gcd(part(0), part(1));
    case Form::logarithm:
      return ceil_log2(part(0));
    default:
      throw std::logic_error("a formula of another kind than those of programs");
  }
}

}  // namespace bankproof::proofs
