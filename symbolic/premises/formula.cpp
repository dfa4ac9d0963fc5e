// Makes terms of formulas; see formula.hpp.
#include "formula.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string_view>
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

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where a number in brackets ends that begins at text[at]: `[2]`. Else `at`.
std::size_t end_of_index(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  return end > at + 1 && end < text.size() && text[end] == ']' ? end + 1 : at;
}

/// Members as names: gridDim.x is gridDim_x, and a.sizes[1] is a_sizes_1_. Positions stay the same.
std::string as_names(std::string text) {
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (!is_of_word(text[at - 1])) continue;
    const bool is_word = std::isdigit(static_cast<unsigned char>(text[at + 1])) == 0;
    if (text[at] == '.' && is_of_word(text[at + 1]) && is_word) text[at] = '_';
    if (text[at] != '[') continue;
    const std::size_t end = end_of_index(text, at);
    if (end == at) continue;
    text[at] = text[end - 1] = '_';
  }
  return text;
}

}  // namespace

Formulas::Formulas(Subject& subject, const std::vector<NamedValue>& values, About about)
    : subject_(subject) {
  for (const NamedValue& value : values) {
    if (!value.is_number()) continue;
    add(value.name, {.value = value});
    if (value.numbered != value.name) add(value.numbered, {.value = value});
  }
  for (const char axis : {'x', 'y', 'z'}) {
    add(std::string("blockDim.") + axis, {.special = std::string("%ntid.") + axis});
    add(std::string("gridDim.") + axis, {.special = std::string("%nctaid.") + axis});
    if (about == About::launches) continue;
    add(std::string("threadIdx.") + axis, {.special = std::string("%tid.") + axis});
    add(std::string("blockIdx.") + axis, {.special = std::string("%ctaid.") + axis});
  }
}

void Formulas::add(const std::string& name, const Meaning& meaning) {
  const std::string written = as_names(name);
  const auto known = std::find(names_.begin(), names_.end(), written);
  // A parameter `a_n` beside a member `a.n`: nobody may name either, but by arg0.
  if (known != names_.end()) {
    *known += " ";
    return;
  }
  names_.push_back(written);
  meanings_.push_back(meaning);
  meanings_.back().name = name;
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
  meanings_[slot] = {.name = name, .term = subject_.pool.constant(value, 64)};
}

Term Formulas::term(std::size_t slot) {
  const Meaning& meaning = meanings_[slot];
  if (!meaning.special.empty()) {
    return subject_.pool.resized(*subject_.inputs().special(meaning.special), 64, false);
  }
  if (!meaning.value) return meaning.term;
  const NamedValue& value = *meaning.value;
  const Term term = subject_.inputs().parameter(value.index, value.offset, value.bytes);
  if (!value.is_signed && value.bytes == 8) limit(value.name, term);
  return subject_.pool.resized(term, 64, value.is_signed);
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
  try {
    return Computing(subject_.pool, [this](std::size_t slot) { return term(slot); })
        .value(formulas::parse(as_names(text), {names_, {}}));
  } catch (const formulas::ParseError& error) {
    throw formulas::ParseError(text, error.at(), as_typed(error.what(), text));
  }
}

/// The message with the names as the user knows them.
std::string Formulas::as_typed(const std::string& message, const std::string& text) const {
  const std::string written = as_names(text);
  std::string made;
  for (std::size_t at = 0; at < message.size();) {
    std::size_t end = at;
    while (end < message.size() && is_of_word(message[end])) ++end;
    const std::string word = message.substr(at, std::max<std::size_t>(end - at, 1));
    const auto known = std::find(names_.begin(), names_.end(), word);
    const std::size_t in_text = written.find(word);
    if (known != names_.end()) {
      made += meanings_[static_cast<std::size_t>(known - names_.begin())].name;
    } else {
      made += in_text != std::string::npos && end > at ? text.substr(in_text, word.size()) : word;
    }
    at += word.size();
  }
  return made;
}

Term Formulas::condition(const std::string& text) {
  const Term zero = subject_.pool.constant(0, 64);
  return subject_.pool.negation(subject_.pool.equal(value(text), zero));
}

}  // namespace bankproof::symbolic
