// Makes terms of formulas; see formula.hpp.
#include "formula.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "../../proofs/formulas/parser.hpp"

namespace bankproof::symbolic {

namespace {

using formulas::BinaryOperator;
using formulas::Expression;
using formulas::UnaryOperator;

class Computing {
 public:
  Computing(Pool& pool, std::function<Term(std::size_t)> name)
      : pool_(pool), name_(std::move(name)) {}

  Term value(const Expression& e) {
    return e.visit([this](const auto& node) { return of(node); });
  }
  Term truth(const Expression& e) { return is_not_zero(value(e)); }

 private:
  Term number(std::uint64_t value) { return pool_.constant(value, 64); }
  Term is_not_zero(Term x) { return pool_.negation(pool_.equal(x, number(0))); }
  Term of_bit(Term bit) { return pool_.zero_extended(bit, 64); }

  Term of(const formulas::Number& e) { return number(e.value); }
  Term of(const formulas::Name& e) { return name_(e.slot); }
  Term of(const formulas::Unary& e) {
    const Term x = value(e.operand);
    switch (e.operation) {
      case UnaryOperator::plus:
        return x;
      case UnaryOperator::minus:
        return pool_.negative(x);
      case UnaryOperator::complement:
        return pool_.bits_not(x);
      default:
        return of_bit(pool_.negation(is_not_zero(x)));
    }
  }
  Term of(const formulas::Conditional& e) {
    return pool_.choice(truth(e.condition), value(e.then), value(e.otherwise));
  }
  Term of(const formulas::Binary& e) {
    const Term a = value(e.left);
    const Term b = value(e.right);
    switch (e.operation) {
      case BinaryOperator::multiply:
        return pool_.multiply(a, b);
      case BinaryOperator::divide:
        return pool_.quotient(a, b, true);
      case BinaryOperator::remainder:
        return pool_.remainder(a, b, true);
      case BinaryOperator::add:
        return pool_.add(a, b);
      case BinaryOperator::subtract:
        return pool_.subtract(a, b);
      case BinaryOperator::shift_left:
        return pool_.shift_left(a, b);
      case BinaryOperator::shift_right:
        return pool_.shift_right(a, b, true);
      case BinaryOperator::less:
        return of_bit(pool_.below(a, b, true));
      case BinaryOperator::less_or_equal:
        return of_bit(pool_.at_most(a, b, true));
      case BinaryOperator::greater:
        return of_bit(pool_.below(b, a, true));
      case BinaryOperator::greater_or_equal:
        return of_bit(pool_.at_most(b, a, true));
      case BinaryOperator::equal:
        return of_bit(pool_.equal(a, b));
      case BinaryOperator::not_equal:
        return of_bit(pool_.negation(pool_.equal(a, b)));
      case BinaryOperator::bit_and:
        return pool_.bits_and(a, b);
      case BinaryOperator::bit_xor:
        return pool_.bits_exclusive_or(a, b);
      case BinaryOperator::bit_or:
        return pool_.bits_or(a, b);
      case BinaryOperator::logical_and:
        return of_bit(pool_.both(is_not_zero(a), is_not_zero(b)));
      case BinaryOperator::logical_or:
        return of_bit(pool_.either(is_not_zero(a), is_not_zero(b)));
      default:
        return b;
    }
  }

  Pool& pool_;
  std::function<Term(std::size_t)> name_;
};

/// gridDim.x as a name: gridDim_x. Positions stay the same.
std::string as_names(std::string text) {
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    const auto is_letter = [&](std::size_t k) {
      return std::isalpha(static_cast<unsigned char>(text[k])) != 0;
    };
    if (text[at] == '.' && is_letter(at - 1) && is_letter(at + 1)) text[at] = '_';
  }
  return text;
}

}  // namespace

Formulas::Formulas(Subject& subject, const ptx::Function& kernel,
                   const std::vector<NamedParameter>& parameters, About about)
    : subject_(subject) {
  const auto add = [&](const std::string& name, const Meaning& meaning) {
    names_.push_back(name);
    meanings_.push_back(meaning);
  };
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const ptx::Variable& variable = kernel.parameters[k];
    const std::uint64_t bytes = ptx::bytes_of(variable.type);
    if (parameters[k].is_pointer || !variable.dimensions.empty() || bytes == 0 || bytes > 8) {
      continue;
    }
    const Term term = subject.inputs().parameter(k, 0, static_cast<std::uint32_t>(bytes));
    const Meaning meaning{.special = {}, .term = term, .is_signed = parameters[k].is_signed};
    add(parameters[k].name, meaning);
    const std::string other = "arg" + std::to_string(k);
    if (other != parameters[k].name) add(other, meaning);
  }
  for (const char axis : {'x', 'y', 'z'}) {
    add(std::string("blockDim_") + axis, {.special = std::string("%ntid.") + axis});
    add(std::string("gridDim_") + axis, {.special = std::string("%nctaid.") + axis});
    if (about == About::launches) continue;
    add(std::string("threadIdx_") + axis, {.special = std::string("%tid.") + axis});
    add(std::string("blockIdx_") + axis, {.special = std::string("%ctaid.") + axis});
  }
}

bool Formulas::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

void Formulas::put(const std::string& name, std::uint64_t value) {
  const auto slot =
      static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  if (slot == names_.size()) {
    names_.push_back(name);
    meanings_.emplace_back();
  }
  meanings_[slot] = {.special = {}, .term = subject_.pool.constant(value, 64)};
}

Term Formulas::term(std::size_t slot) {
  const Meaning& meaning = meanings_[slot];
  const Term term =
      meaning.special.empty() ? meaning.term : *subject_.inputs().special(meaning.special);
  if (meaning.special.empty() && !meaning.is_signed && subject_.pool.width(term) == 64) {
    limit(names_[slot], term);
  }
  return subject_.pool.resized(term, 64, meaning.is_signed);
}

/// A formula has a sign, and the parameter has none: it is small enough to be the same with one.
void Formulas::limit(const std::string& name, Term term) {
  std::vector<std::string>& limited = subject_.limited;
  if (subject_.pool.is_constant(term)) return;
  if (std::find(limited.begin(), limited.end(), name) != limited.end()) return;
  limited.push_back(name);
  const Term zero = subject_.pool.constant(0, 64);
  subject_.premises.push_back(subject_.pool.negation(subject_.pool.below(term, zero, true)));
}

Term Formulas::value(const std::string& text) {
  return Computing(subject_.pool, [this](std::size_t slot) { return term(slot); })
      .value(formulas::parse(as_names(text), {names_, {}}));
}

Term Formulas::condition(const std::string& text) {
  const Term zero = subject_.pool.constant(0, 64);
  return subject_.pool.negation(subject_.pool.equal(value(text), zero));
}

}  // namespace bankproof::symbolic
