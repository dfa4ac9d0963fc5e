// Puts loaded elements into statements; see elements_in_statements.hpp.
#include "elements_in_statements.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// No array has more elements.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 40;

class Instances {
 public:
  Instances(Subject& subject, const ElementStatement& statement, const std::vector<Element>& loaded,
            std::vector<Element>& named, std::size_t most_instances)
      : subject_(subject),
        pool_(subject.pool),
        statement_(statement),
        loaded_(loaded),
        named_(named),
        most_instances_(most_instances) {}

  std::vector<Term> all() {
    std::vector<std::vector<Term>> values;
    values.reserve(statement_.variables.size());
    for (const Term variable : statement_.variables) values.push_back(values_of(variable));
    const bool has_all =
        std::none_of(values.begin(), values.end(), [](const auto& some) { return some.empty(); });
    std::vector<Term> facts;
    if (!has_all) return facts;
    std::vector<std::size_t> next(values.size());
    for (std::size_t count = 0; count < most_instances_; ++count) {
      Substitution chosen(pool_);
      for (std::size_t v = 0; v < values.size(); ++v) {
        chosen.put(statement_.variables[v], values[v][next[v]]);
      }
      if (const auto fact = instance(std::move(chosen))) facts.push_back(*fact);
      std::size_t v = 0;
      while (v < next.size() && ++next[v] == values[v].size()) next[v++] = 0;
      if (v == next.size()) break;
    }
    return facts;
  }

 private:
  /// What the variable is if a loaded element is one that the statement names.
  std::vector<Term> values_of(Term variable) {
    std::vector<Term> all;
    for (const ElementStatement::Use& use : statement_.uses) {
      const Term distance = pool_.subtract(use.subscript, variable);
      if (!pool_.is_constant(distance)) continue;
      for (const Element& element : loaded_) {
        if (!is_of(use, element)) continue;
        const auto index = pool_.without_factor(element.offset,
                                                static_cast<unsigned>(std::countr_zero(use.bytes)));
        if (!index) continue;
        const Term value = pool_.subtract(*index, distance);
        if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
      }
    }
    return all;
  }

  /// Nothing if it names an element that nobody loads, of an array of which nobody says how large
  /// it is.
  std::optional<Term> instance(Substitution chosen) {
    Term are_there = pool_.truth(true);
    for (const ElementStatement::Use& use : statement_.uses) {
      const Term subscript = chosen(use.subscript);
      const bool is_any_size = subject_.bytes.count(use.object) == 0;
      const Term offset = pool_.scale(subscript, use.bytes);
      const auto value = value_at(use, offset, is_any_size);
      if (!value) return std::nullopt;
      chosen.put(use.value, pool_.resized(*value, 64, use.is_signed));
      are_there = pool_.both(are_there, is_there(use, subscript, is_any_size));
      if (is_any_size) are_there = pool_.both(are_there, is_loaded(use, offset));
    }
    return pool_.either(pool_.negation(are_there), chosen(statement_.statement));
  }

  std::optional<Term> value_at(const ElementStatement::Use& use, Term offset, bool is_any_size) {
    for (const Element& element : named_) {
      if (is_of(use, element) && element.offset == offset) return element.value;
    }
    if (is_any_size) return std::nullopt;
    const Term made = subject_.inputs().unknown("element", 8 * use.bytes, Scope::launch);
    named_.push_back({made, use.object, offset, pool_.truth(true)});
    return made;
  }

  /// One of the threads loads the element.
  Term is_loaded(const ElementStatement::Use& use, Term offset) {
    Term some = pool_.truth(false);
    for (const Element& element : loaded_) {
      if (is_of(use, element) && element.offset == offset) some = pool_.either(some, element.guard);
    }
    return some;
  }

  bool is_of(const ElementStatement::Use& use, const Element& element) const {
    return element.object == use.object && pool_.width(element.value) == 8 * use.bytes;
  }

  Term is_there(const ElementStatement::Use& use, Term subscript, bool is_any_size) {
    const Term most = pool_.constant(most_elements, 64);
    // A pointer may point into an array.
    if (is_any_size) {
      const Term from_begin = pool_.add(subscript, most);
      return pool_.at_most(from_begin, pool_.constant(2 * most_elements, 64), false);
    }
    const Term is_number = pool_.below(subscript, most, false);
    const Term end = subject_.bytes.at(use.object);
    return pool_.both(is_number, pool_.below(pool_.scale(subscript, use.bytes), end, false));
  }

  Subject& subject_;
  Pool& pool_;
  const ElementStatement& statement_;
  const std::vector<Element>& loaded_;
  std::vector<Element>& named_;  // the loaded ones among them
  std::size_t most_instances_;
};

}  // namespace

std::vector<Term> instances_of(Subject& subject, const ElementStatement& statement,
                               const std::vector<Element>& loaded, std::vector<Element>& named,
                               std::size_t most_instances) {
  return Instances(subject, statement, loaded, named, most_instances).all();
}

}  // namespace bankproof::symbolic
