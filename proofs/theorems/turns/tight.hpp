// What proofs share that say how near times come to their upper bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../../builder/bounds.hpp"
#include "../../builder/theorem.hpp"
#include "close.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// More than 0.99 times the bound.
template <class Family>
Truth comes_near(const IntTerm& time, const TaskOf<IntTerm>& task) {
  return is_above(time, 99 * Family::factor, *Family::Algorithm::upper(task));
}

/// The theorem about a family.
template <class Family>
Theorem tight(const std::function<void(Query&)>& proof) {
  const std::uint64_t hundredths = 99 * Family::factor;
  return {.id = std::string(Family::id),
          .source = std::string(Family::source),
          .statement = std::string(Family::what) + " more than " +
                       std::to_string(hundredths / 100) + "." + (hundredths % 100 < 10 ? "0" : "") +
                       std::to_string(hundredths % 100) + std::string(Family::terms),
          .domain = std::string(Family::domain),
          .proof = proof,
          .false_twin = prove_a_hundredth_more<Family>};
}

/// x to the powers first … last, of which the first is at least 1.
inline std::vector<IntTerm> powers(const IntTerm& x, std::uint64_t first, std::uint64_t last) {
  IntTerm power = x;
  for (std::uint64_t k = 1; k < first; ++k) power = power * x;
  std::vector<IntTerm> all;
  all.reserve(last - first + 1);
  for (std::uint64_t k = first; k <= last; ++k, power = power * x) all.push_back(power);
  return all;
}

/// The theorem about a family by a number of turns, with what is known of a member's sums.
template <class Family>
Theorem tight_by_turns(const std::function<void(Query&)>& give) {
  return tight<Family>([=](Query& q) {
    const IntTerm k = q.number("k", Family::least, Family::least);
    give(q);
    const auto task = Family::task(k);
    q.prove("near", comes_near<Family>(closed_time<Family>(task), task));
  });
}

/// Of a family by L, in which all but L is stated.
template <class Family>
Theorem tight_by_latency() {
  return tight<Family>([](Query& q) {
    const auto task = Family::task(q.number("L", Family::least, 5));
    q.prove("near", comes_near<Family>(time_of<typename Family::Algorithm>(task), task));
  });
}

/// Gives the invariants of what all blocks of a wave do on the global memory, of which nothing has
/// to be known.
inline void give_windows(Query& q) {
  const auto yes = [](const auto&...) { return IntTerm(0) == IntTerm(0); };
  q.give_invariant<SumInvariant<OfRounds>>(yes);
  q.give_invariant<SumInvariant<OfRounds>>(yes);
  q.give_invariant<SumInvariant<IntTerm>>(yes);
}

/// k ≥ from is at most a `part`-th of 2^k, if `from` is of 2^from.
inline void prove_large_power(Query& q, const IntTerm& k, std::uint64_t from, std::uint64_t part) {
  q.induct(
      IntTerm(from), k, [&](const IntTerm& i) { return IntTerm(part) * i <= q.power_of_two(i); },
      [&](const IntTerm& i) {  // what defines powers of two
        q.assume(q.power_of_two(i + IntTerm(1)) == IntTerm(2) * q.power_of_two(i));
      });
}

/// The logarithm of n > 2^(from − 1) is less than a `part`-th of 2n, if `from` is of 2^from.
inline void prove_small_logarithm(Query& q, const IntTerm& n, std::uint64_t from,
                                  std::uint64_t part) {
  const IntTerm log = q.logarithm(n);
  q.apply(powers_of_two_grow(), {log, IntTerm(from)});
  q.prove("a large logarithm", log >= IntTerm(from));
  prove_large_power(q, log, from, part);
  q.prove("a small logarithm", IntTerm(part) * log < IntTerm(2) * n);
}

}  // namespace bankproof::proofs
