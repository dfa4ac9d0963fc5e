// Makes terms of formulas; see formula.hpp.
#include "formula.hpp"

#include <algorithm>

#include "computing.hpp"

namespace bankproof::symbolic {

void Formulas::put(const std::string& name, std::uint64_t value) {
  names_.put(name, subject_.pool.constant(value, 64));
}

Term Formulas::term(std::size_t slot) {
  const Names::Meaning& meaning = names_.meaning(slot);
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
  return Computing(subject_.pool, [this](std::size_t slot) { return term(slot); })
      .value(names_.parsed(text));
}

Term Formulas::condition(const std::string& text) {
  const Term zero = subject_.pool.constant(0, 64);
  return subject_.pool.negation(subject_.pool.equal(value(text), zero));
}

}  // namespace bankproof::symbolic
