// Sums on terms, by induction on the number of terms. If that number is a constant, the terms are
// simply added up.
#pragma once

#include "../../algorithms/rounds.hpp"
#include "query.hpp"

namespace bankproof::proofs {

/// Invariants: for the sum of k terms; for the sum of the k powers of two below `power`; for the
/// sum of the links of a chain before `number`.
template <class Sum>
using SumInvariant = std::function<Truth(const IntTerm& k, const Sum& sum)>;
template <class Sum>
using PowersInvariant =
    std::function<Truth(const IntTerm& k, const IntTerm& power, const Sum& sum)>;
template <class Sum>
using ChainInvariant = std::function<Truth(const IntTerm& number, const Sum& sum)>;

/// New numbers for a sum whose terms are counts, which are not negative (docs/trust.md, T29).
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

template <class F>
auto sum_over(const IntTerm& count, F f) {
  using Sum = decltype(f(count));
  if (const auto number = count.constant()) {
    Sum sum{};
    for (std::uint64_t k = 0; k < *number; ++k) sum += f(IntTerm(k));
    return sum;
  }
  Query& query = count.query();
  const auto holds = query.take_invariant<SumInvariant<Sum>>();
  query.require_not_negative("a number of terms", count);
  query.prove("no terms", holds(IntTerm(0), Sum{}));
  {
    const Query::Scope scope(query);
    const IntTerm k = query.fresh("k");
    query.assume(k < count);
    Sum sum = fresh_sum<Sum>(query);
    query.assume(holds(k, sum));
    sum += f(k);
    query.prove("one term more", holds(k + IntTerm(1), sum));
  }
  Sum sum = fresh_sum<Sum>(query);
  query.assume(holds(count, sum));
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
  const auto holds = query.take_invariant<PowersInvariant<Sum>>();
  query.prove("a number of powers", end >= IntTerm(1));
  query.prove("no powers", holds(IntTerm(0), IntTerm(1), Sum{}));
  {
    const Query::Scope scope(query);
    const IntTerm k = query.fresh("k");
    const IntTerm power = query.fresh("power", 1);
    query.assume(power < end);
    Sum sum = fresh_sum<Sum>(query);
    query.assume(holds(k, power, sum));
    sum += f(power);
    query.prove("one power more", holds(k + IntTerm(1), IntTerm(2) * power, sum));
  }
  Sum sum = fresh_sum<Sum>(query);
  const IntTerm log = query.logarithm(end);
  query.assume(holds(log, query.power_of_two(log), sum));
  return sum;
}

template <class Next, class F>
auto sum_over_chain(const IntTerm& start, Next next, F f) {
  using Sum = decltype(f(start));
  Query& query = start.query();
  if (start.constant()) {
    Sum sum{};
    IntTerm number = start;
    for (; *number.constant() > 1; number = next(number)) sum += f(number);
    return sum;
  }
  const auto holds = query.take_invariant<ChainInvariant<Sum>>();
  query.prove("no links", holds(start, Sum{}));
  {
    const Query::Scope scope(query);
    const IntTerm number = query.fresh("number", 2);
    Sum sum = fresh_sum<Sum>(query);
    query.assume(holds(number, sum));
    sum += f(number);
    const IntTerm after = next(number);
    query.prove("one link more", after < number && holds(after, sum));
  }
  Sum sum = fresh_sum<Sum>(query);
  const IntTerm number = query.unknown("number");
  query.assume(number <= IntTerm(1) && holds(number, sum));
  return sum;
}

}  // namespace bankproof::proofs
