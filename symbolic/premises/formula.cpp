// Makes terms of formulas; see formula.hpp.
#include "formula.hpp"

#include <algorithm>
#include <map>

#include "computing.hpp"

namespace bankproof::symbolic {

namespace {

std::string divides_by_none(const std::string& text) {
  return "nothing is divided by 0 in '" + text + "'";
}

}  // namespace

void Formulas::put(const std::string& name, std::uint64_t value) {
  names_.put(name, subject_.pool.constant(value, 64));
}

Term Formulas::term(const Names::Meaning& meaning) {
  if (!meaning.special.empty()) {
    return subject_.pool.resized(*subject_.inputs().special(meaning.special), 64, false);
  }
  if (!meaning.value) return meaning.term;
  const NamedValue& value = *meaning.value;
  const Term term = subject_.inputs().member(value.index, value.offset, value.bytes);
  subject_.names_members = subject_.names_members || value.is_member;
  const bool may_be_large = !value.is_signed && value.bytes == 8;
  if (may_be_large || !value.has_known_sign) limit(value.name, term);
  return subject_.pool.resized(term, 64, value.is_signed);
}

bool Formulas::put_limit(const std::string& limit) {
  std::vector<std::string>& limited = subject_.limited;
  if (std::find(limited.begin(), limited.end(), limit) != limited.end()) return false;
  limited.push_back(limit);
  return true;
}

/// A formula has a sign, and the value has none, or nobody knows whether it has: it is small enough
/// to be the same with one.
void Formulas::limit(const std::string& name, Term term) {
  Pool& pool = subject_.pool;
  if (pool.is_constant(term)) return;
  const unsigned width = pool.width(term);
  const std::string limit = name + " is less than 2^" + std::to_string(width - 1);
  if (!put_limit(limit)) return;
  subject_.premises.push_back(pool.negation(pool.below(term, pool.constant(0, width), true)));
}

Term Formulas::value(const std::string& text) {
  const auto name = [this](std::size_t slot) { return term(names_.meaning(slot)); };
  const auto divisor = [&](Term by) {
    if (about_ != About::launches) return;
    put_limit(divides_by_none(text));
    subject_.premises.push_back(
        subject_.pool.negation(subject_.pool.equal(by, subject_.pool.constant(0, 64))));
  };
  return Computing(subject_.pool, name, divisor).value(names_.parsed(text));
}

Term Formulas::condition(const std::string& text) {
  const Term zero = subject_.pool.constant(0, 64);
  return subject_.pool.negation(subject_.pool.equal(value(text), zero));
}

ElementStatement Formulas::statement(const ElementCondition& condition) {
  Pool& pool = subject_.pool;
  ElementStatement made;
  std::map<std::size_t, Term> own;  // by slot
  const auto unknown = [&](std::size_t slot) {
    const std::string& name = condition.names.meaning(slot).name;
    return own[slot] = subject_.inputs().unknown(name, 64, Scope::launch);
  };
  for (const std::size_t slot : condition.variables) made.variables.push_back(unknown(slot));
  const auto name = [&](std::size_t slot) {
    const auto found = own.find(slot);
    return found == own.end() ? term(condition.names.meaning(slot)) : found->second;
  };
  Computing computing(pool, name, [&](Term) { put_limit(divides_by_none(condition.text)); });
  for (const ElementCondition::Use& use : condition.uses) {
    const NamedValue& pointer = use.pointer;
    const Term object = subject_.inputs().parameter(pointer.index, pointer.offset, 8);
    const std::string start = "'" + condition.text + "': ";
    if (is_written(subject_, object) && !is_only_raised(subject_, object)) {
      throw ElementError(start + "the kernel may write to " + pointer.name +
                         " otherwise than by atomicAdd of a positive constant, so that this need "
                         "not hold while it runs");
    }
    if (!pointer.element_bytes) {
      throw ElementError(start + "the type of the elements of " + pointer.name +
                         " is not known; state it by --buffer, as in " + pointer.name +
                         "=i32:COUNT");
    }
    const std::uint32_t bytes = *pointer.element_bytes;
    if (pointer.has_float_elements || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)) {
      throw ElementError(start + "the elements of " + pointer.name +
                         " are no whole numbers of 8 to 64 bits");
    }
    subject_.names_members = subject_.names_members || pointer.is_member;
    made.uses.push_back({.object = object,
                         .subscript = computing.value(use.subscript),
                         .bytes = bytes,
                         .is_signed = pointer.is_signed,
                         .value = unknown(use.slot)});
  }
  made.statement = computing.truth(condition.condition);
  return made;
}

}  // namespace bankproof::symbolic
