// Checks whether a property really fails, by evaluating the formulas and asking the machine. No
// solver is involved.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "question.hpp"

namespace bankproof::formulas {

/// Evaluates a question's formulas for given values of the variables. Not thread-safe.
class Replay {
 public:
  explicit Replay(const Question& question) : question_(question), rule_(question.rule) {
    inputs_.assign(question.variables.size() + 1, 0);
  }

  const Question& question() const { return question_; }
  void set_variables(std::span<const std::uint32_t> values) {
    std::copy(values.begin(), values.end(), inputs_.begin() + 1);
  }

  /// The value of an access for a thread.
  Outcome value(std::size_t access, std::uint64_t thread) {
    inputs_[0] = static_cast<std::uint32_t>(thread);
    return question_.accesses[access].formula(inputs_);
  }

  /// The formula that has no value at a thread, if there is one.
  std::optional<NoValue> undefined(std::uint64_t thread) {
    Outcome source;
    for (std::size_t k = 0; k < question_.accesses.size(); ++k) {
      const Access& access = question_.accesses[k];
      const Outcome outcome = value(k, thread);
      if (!outcome.is_defined()) {
        return NoValue{access.name, thread, access.formula.undefined(inputs_)};
      }
      if (access.name == "source") source = outcome;
    }
    if (!question_.permutation) return std::nullopt;
    inputs_[0] = source.value;
    if ((*question_.permutation)(inputs_).is_defined()) return std::nullopt;
    return NoValue{"permutation", source.value, question_.permutation->undefined(inputs_)};
  }

  /// The elements that a warp's lanes touch. Requires that they have values.
  const std::vector<Address>& elements(std::size_t access, std::uint64_t warp) {
    const std::uint64_t first = warp * question_.width();
    elements_.resize(question_.lanes_of(warp));
    for (std::size_t lane = 0; lane < elements_.size(); ++lane) {
      elements_[lane] = value(access, first + lane).value;
    }
    return elements_;
  }

  /// The warp's conflict, if it takes more stages than allowed.
  std::optional<Conflict> conflict(std::size_t access, std::uint64_t warp) {
    const std::uint64_t stages = stages_of(rule_, elements(access, warp));
    if (stages <= question_.max_stages) return std::nullopt;
    return Conflict{warp, stages, elements_};
  }

  /// The mismatch at a thread, if P(s(i)) is not d(i).
  std::optional<Mismatch> mismatch(std::uint64_t thread) {
    const std::uint32_t source = value(0, thread).value;
    const std::uint32_t destination = value(1, thread).value;
    inputs_[0] = source;
    const std::uint32_t permuted = (*question_.permutation)(inputs_).value;
    if (permuted == destination) return std::nullopt;
    return Mismatch{thread, source, permuted, destination};
  }

  /// The failure of a property at a witness, if the property fails there.
  std::optional<Counterexample> confirm(const Property& property, const Witness& witness) {
    set_variables(witness.variables);
    const auto as_counterexample = [&](auto failure) -> std::optional<Counterexample> {
      if (!failure) return std::nullopt;
      return Counterexample{witness.variables, *failure};
    };
    const std::uint64_t thread = witness.threads.front();
    switch (property.kind) {
      case Kind::defined:
        return as_counterexample(undefined(thread));
      case Kind::conflict_free:
        return as_counterexample(conflict(property.access, thread / question_.width()));
      case Kind::composition:
        return as_counterexample(mismatch(thread));
      case Kind::permutation:
        break;
    }
    const std::uint32_t value_there = value(property.access, thread).value;
    if (value_there >= question_.size) {
      return Counterexample{witness.variables, OutOfRange{thread, value_there}};
    }
    if (witness.threads.size() < 2) return std::nullopt;
    const std::uint64_t other = witness.threads[1];
    if (other == thread || value(property.access, other).value != value_there) return std::nullopt;
    return Counterexample{witness.variables,
                          Repeated{std::min(thread, other), std::max(thread, other), value_there}};
  }

 private:
  const Question& question_;
  AccessRule rule_;
  std::vector<std::uint32_t> inputs_;
  std::vector<Address> elements_;
};

}  // namespace bankproof::formulas
