// Claims about the times of tasks and about bounds on them. The tasks are terms, and cost() and
// upper() are the functions that also run on machine words.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "../../algorithms/algorithm.hpp"
#include "sums.hpp"

namespace bankproof::proofs {

/// time·b₁·b₂… ≤ factor·(a₁·b₂… + a₂·b₁… + …), for a bound with the terms a₁/b₁, a₂/b₂, …
inline Truth is_at_most(const IntTerm& time, const IntTerm& factor, const BoundOf<IntTerm>& bound) {
  IntTerm all(1);
  for (const auto& term : bound.terms) all = all * term.denominator;
  IntTerm sum(0);
  for (std::size_t i = 0; i < bound.terms.size(); ++i) {
    IntTerm product = bound.terms[i].numerator;
    for (std::size_t j = 0; j < bound.terms.size(); ++j) {
      if (j != i) product = product * bound.terms[j].denominator;
    }
    sum += product;
  }
  return all * time <= factor * sum;
}

/// The time is more than `hundredths`/100 times the sum of the bound's terms.
inline Truth is_above(const IntTerm& time, std::uint64_t hundredths,
                      const BoundOf<IntTerm>& bound) {
  return !is_at_most(100 * time, IntTerm(hundredths), bound);
}

/// The lockstep time of algorithm A. The sums in this time are proved by inductions, which may
/// multiply facts by the query's current factors.
template <class A>
IntTerm time_of(const TaskOf<IntTerm>& task) {
  return lockstep_time(A::cost(task), task.machine);
}

/// The time is at most `factor` times the sum of the terms of A's upper bound.
template <class A>
Truth is_bounded(const IntTerm& time, const TaskOf<IntTerm>& task, std::uint64_t factor) {
  return is_at_most(time, IntTerm(factor), *A::upper(task));
}
template <class A>
Truth takes_at_most(const TaskOf<IntTerm>& task, std::uint64_t factor) {
  return is_bounded<A>(time_of<A>(task), task, factor);
}

/// A task on this kind of machine, with these machine parameters and sizes.
inline TaskOf<IntTerm> task_on(MachineKind machine, std::string_view variant,
                               MachineParametersOf<IntTerm> letters,
                               const std::vector<std::pair<std::string_view, IntTerm>>& sizes) {
  letters.machine = machine;
  TaskOf<IntTerm> task{variant, {}, letters};
  for (const auto& [name, value] : sizes) task.sizes.add(name, value);
  return task;
}

}  // namespace bankproof::proofs
