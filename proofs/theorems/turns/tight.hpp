// Shared parts of the proofs that times come near to their upper bounds.
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

/// The time exceeds 0.99 times the bound.
template <class Family>
Truth comes_near(const IntTerm& time, const TaskOf<IntTerm>& task) {
  return is_above(time, 99 * Family::row.factor, *Family::Algorithm::upper(task));
}

/// The theorem that a family's times come near to its bound.
template <class Family>
Theorem tight(const std::function<void(Query&)>& proof) {
  const std::uint64_t hundredths = 99 * Family::row.factor;
  return Theorem{.id = std::string(Family::row.id),
                 .source = std::string(Family::row.source),
                 .statement = std::string(Family::row.what) + " more than " +
                              std::to_string(hundredths / 100) + "." +
                              (hundredths % 100 < 10 ? "0" : "") +
                              std::to_string(hundredths % 100) + std::string(Family::row.terms),
                 .domain = std::string(Family::row.domain)}
      .proof(proof)
      .false_twin(prove_a_hundredth_more<Family>);
}

/// The powers of x from x^first to x^last, with first ≥ 1.
inline std::vector<IntTerm> powers(const IntTerm& x, std::uint64_t first, std::uint64_t last) {
  IntTerm power = x;
  for (std::uint64_t k = 1; k < first; ++k) power = power * x;
  std::vector<IntTerm> all;
  all.reserve(last - first + 1);
  for (std::uint64_t k = first; k <= last; ++k, power = power * x) all.push_back(power);
  return all;
}

/// The theorem on a family whose members are numbered by turns. `give` gives invariants of the
/// member's sums.
template <class Family>
Theorem tight_by_turns(const std::function<void(Query&)>& give) {
  return tight<Family>([=](Query& q) {
    const IntTerm k = q.number("k", Family::row.least, Family::row.least);
    give(q);
    const auto task = Family::task(k);
    q.claim("near", comes_near<Family>(closed_time<Family>(task), task));
  });
}

/// The theorem on a family whose members are numbered by L. All its other machine parameters and
/// sizes are constants.
template <class Family>
Theorem tight_by_latency() {
  return tight<Family>([](Query& q) {
    const auto task = Family::task(q.number("L", Family::row.least, 5));
    q.claim("near", comes_near<Family>(time_of<typename Family::Algorithm>(task), task));
  });
}

/// A trivial invariant. `step` gives the invariants of the sums in a term.
template <class Sum>
OverNumbers<Sum> anything(const std::string& name,
                          const std::function<void(const IntTerm&)>& step = nullptr) {
  return OverNumbers<Sum>(name).holds([](auto&, auto&) { return IntTerm(0) == 0; }).step(step);
}

/// Gives trivial invariants for the work of all blocks of a wave on global memory. The proof needs
/// no facts about this work.
inline void give_windows(Query& q) {
  q.give(anything<OfRounds>("turns of a window", [&q](const IntTerm&) {
    q.give(anything<OfRounds>("blocks of a wave", [&q](const IntTerm&) {
      q.give(anything<IntTerm>("rows of a window"));
    }));
  }));
}

/// Proves part·k ≤ 2^k for k ≥ from, if it holds for k = from.
inline void prove_large_power(Query& q, const IntTerm& k, std::uint64_t from, std::uint64_t part) {
  q.induct(
      from, k, [&](const IntTerm& i) { return part * i <= q.power_of_two(i); },
      [&](const IntTerm& i) {  // the definition of powers of two
        q.double_power(i);
      });
}

/// Proves part·⌈log₂ n⌉ < 2n for n > 2^(from − 1), if part·from ≤ 2^from.
inline void prove_small_logarithm(Query& q, const IntTerm& n, std::uint64_t from,
                                  std::uint64_t part) {
  const IntTerm log = q.logarithm(n);
  q.apply(powers_of_two_grow(), {log, from});
  q.claim("a large logarithm", log >= from);
  prove_large_power(q, log, from, part);
  q.claim("a small logarithm", part * log < 2 * n);
}

}  // namespace bankproof::proofs
