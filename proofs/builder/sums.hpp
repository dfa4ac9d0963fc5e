// Sums on terms, by induction on the number of terms, with the invariants that the proof gives
// (invariants.hpp). If the number of terms is a constant, the code simply adds the terms up.
#pragma once

#include "../../algorithms/rounds.hpp"
#include "query.hpp"

namespace bankproof::proofs {

/// New numbers for a sum. They are ≥ 0, because the terms of the sum are counts (docs/trust.md,
/// T29).
inline void make_fresh(Query& query, IntTerm& sum) { sum = query.fresh("sum"); }
inline void make_fresh(Query& query, Rounds<IntTerm>& sum) {
  sum = {query.fresh("stages"), query.fresh("rounds"), query.fresh("requests")};
}
inline void make_fresh(Query& query, Cost<IntTerm>& sum) {
  for (Rounds<IntTerm>* rounds : {&sum.global, &sum.shared, &sum.constant}) {
    make_fresh(query, *rounds);
  }
  sum.overlap = query.fresh("overlap");
  sum.launches = query.fresh("launches");
}
template <class Sum>
Sum fresh_sum(Query& query) {
  Sum sum{};
  make_fresh(query, sum);
  return sum;
}

/// States the goal that one more term keeps the invariant true. `to_next` adds the term to a sum
/// for which the invariant holds, and returns the invariant of the new sum.
template <class ToNext>
void prove_step(Query& query, const std::string& name, ToNext to_next) {
  const Query::Scope scope(query);
  query.invariants().enter(name);
  const Truth holds = to_next();
  query.invariants().leave();
  query.claim(name + ": one term more", holds);
}

template <class F>
auto sum_over(const IntTerm& count, F f) {
  using Sum = decltype(f(count));
  if (const auto number = count.constant()) {
    Sum sum{};
    for (std::uint64_t k = 0; k < *number; ++k) sum += f(IntTerm(k));
    return sum;
  }
  Query& query = count.query();
  const auto of = query.invariants().take<OverNumbers<Sum>>();
  of.prove_base();
  query.require_not_negative(of.name() + ": a number of terms", count);
  query.claim(of.name() + ": no terms", of.statement(query.constant(0), Sum{}));
  prove_step(query, of.name(), [&] {
    const IntTerm k = query.fresh("k");
    query.assume(k < count);
    Sum sum = fresh_sum<Sum>(query);
    of.prove_step(k);
    query.assume(of.statement(k, sum));
    const Sum term = f(k);
    of.prove_after(k, term);
    sum += term;
    return of.statement(k + 1, sum);
  });
  Sum sum = fresh_sum<Sum>(query);
  query.assume(of.statement(count, sum));
  return sum;
}

template <class F>
auto sum_over_powers(const IntTerm& end, F f) {
  using Sum = decltype(f(end));
  if (const auto number = end.constant()) {
    Sum sum{};
    for (std::uint64_t power = 1; power < *number; power *= 2) sum += f(IntTerm(power));
    return sum;
  }
  Query& query = end.query();
  const auto of = query.invariants().take<OverPowers<Sum>>();
  of.prove_base();
  query.claim(of.name() + ": a number of powers", end >= 1);
  query.claim(of.name() + ": no terms", of.statement(query.constant(0), query.constant(1), Sum{}));
  prove_step(query, of.name(), [&] {
    const IntTerm k = query.fresh("k");
    const IntTerm power = query.fresh("power", 1);
    query.assume(power < end);
    Sum sum = fresh_sum<Sum>(query);
    of.prove_step(power);
    query.assume(of.statement(k, power, sum));
    const Sum term = f(power);
    of.prove_after(power, term);
    sum += term;
    return of.statement(k + 1, 2 * power, sum);
  });
  Sum sum = fresh_sum<Sum>(query);
  const IntTerm log = query.logarithm(end);
  query.assume(of.statement(log, query.power_of_two(log), sum));
  return sum;
}

template <class Next, class F>
auto sum_over_chain(const IntTerm& start, Next next, F f) {
  using Sum = decltype(f(start));
  if (start.constant()) {
    Sum sum{};
    IntTerm number = start;
    for (; *number.constant() > 1; number = next(number)) sum += f(number);
    return sum;
  }
  Query& query = start.query();
  const auto of = query.invariants().take<OverChain<Sum>>();
  of.prove_base();
  query.claim(of.name() + ": no terms", of.statement(start, Sum{}));
  prove_step(query, of.name(), [&] {
    const IntTerm number = query.fresh("number", 2);
    Sum sum = fresh_sum<Sum>(query);
    of.prove_step(number);
    query.assume(of.statement(number, sum));
    const Sum term = f(number);
    of.prove_after(number, term);
    sum += term;
    const IntTerm next_number = next(number);
    return next_number < number && of.statement(next_number, sum);
  });
  Sum sum = fresh_sum<Sum>(query);
  const IntTerm number = query.unknown("number");
  query.assume(number <= 1 && of.statement(number, sum));
  of.use_whole(sum);
  return sum;
}

}  // namespace bankproof::proofs
