// How many words of global memory a DMM can know of (row S4): what refutes HMM theorem 7 where n is
// less than d², for every oblivious program.
//
// Each of its p threads waits L time units for a word of global memory. So in L time units a DMM
// gets to know p words more, and each of these depends on no more than some DMM knew when it was
// written. Shared memory, however fast, brings nothing from outside.
//
// Example: p = 2. Up to 2L a DMM knows 2 words, up to 3L 2 + 2·2, up to 4L 6 + 2·6.
#include "../../builder/bounds.hpp"
#include "../times.hpp"
#include "../turns/tight.hpp"
#include "programs.hpp"

namespace bankproof::proofs {
namespace {

/// An oblivious program on DMMs of p threads, whose result, known to a DMM at `time`, depends on n
/// words of global memory.
struct Dependence {
  Query& q;
  IntTerm p;
  IntTerm L;
  IntTerm n;
  IntTerm time;
  Function known;  ///< words that the DMM which knows most depends on, at a time
  Function held;   ///< likewise of a word of global memory
  Function power;  ///< of p + 1

  Dependence(Query& query, IntTerm threads, IntTerm latency, IntTerm words, IntTerm end)
      : q(query),
        p(std::move(threads)),
        L(std::move(latency)),
        n(std::move(words)),
        time(std::move(end)),
        known(query.function("known")),
        held(query.function("held")),
        power(query.function("power")) {
    q.assume(known(time) >= n);
    q.assume(power(IntTerm(0)) == IntTerm(1));
  }

  /// What L time units bring: to each thread a word at most, which was read at `before` or earlier.
  void wait(const IntTerm& before) const {
    const IntTerm one(1);
    q.assume(known(before + L) <= known(before) + p * held(before));
    q.assume(known(before) >= IntTerm(0) && held(before) >= IntTerm(0));
    q.assume(held(before) <= one || held(before) <= known(before));
    // No request is complete before L.
    q.assume(implies(before < L, known(before) <= IntTerm(0)));
  }
  /// At the end of the k-th L time units.
  IntTerm last_of(const IntTerm& k) const { return k * L + L - IntTerm(1); }

  /// Proves that (k + 1)L ≤ time where n > (p + 1)^k.
  void prove_time(const IntTerm& k) const {
    q.multiply_by({p});
    wait(last_of(IntTerm(0)));
    q.induct(
        IntTerm(0), k,
        [&](const IntTerm& i) {
          return known(last_of(i)) <= power(i) && power(i) >= IntTerm(1) && i >= IntTerm(0);
        },
        [&](const IntTerm& i) {
          q.compare_multiples(L, i, IntTerm(0));
          wait(last_of(i));
          q.assume(power(i + IntTerm(1)) == (p + IntTerm(1)) * power(i));
        });
    // What is known is not forgotten.
    q.assume(implies(time <= last_of(k), known(time) <= known(last_of(k))));
    q.prove("the time", takes(k));
  }
  Truth takes(const IntTerm& k, std::uint64_t more = 0) const {
    return implies(n > power(k), (k + IntTerm(1)) * L + IntTerm(more) <= time);
  }
};

Theorem dependence() {
  return {.id = "S4.dependence",
          .source = "bankproof",
          .statement =
              "a result of an oblivious program for DMMs of p threads that depends on more than "
              "(p + 1)^k words of global memory takes at least (k + 1)L: in L time units what a "
              "DMM knows of grows at most (p + 1)-fold",
          .domain = "all oblivious programs, p, k, L, by induction over k",
          .proof =
              [](Query& q) {
                const Dependence of(q, q.number("p", 1, 2), q.number("L", 1, 5),
                                    q.number("n", 1, 10), q.number("time", 0, 40));
                of.prove_time(q.number("k", 0, 2));
              },
          .false_twin =
              [](Query& q) {
                // Two threads: two words at L, six at 2L, and not one time unit later.
                const IntTerm L(5);
                const IntTerm one(1);
                const Dependence of(q, IntTerm(2), L, IntTerm(6), L + L);
                q.assume(of.power(one) == IntTerm(3));
                for (const IntTerm& before : {IntTerm(0), L}) of.wait(before);
                q.prove("the time", of.takes(one, 1));
              }};
}

/// n = dp numbers: `times` the time is (k + 1) times n/w + nL/P + L + log n, where nL/P = L, or
/// more. `times` is in hundredths.
Truth is_above_theorem_7(const Dependence& of, const IntTerm& w, const IntTerm& k,
                         std::uint64_t times) {
  const IntTerm bounds = IntTerm(100) * (k + IntTerm(1));
  return bounds * of.n + bounds * w * (of.L + of.L + ceil_log2(of.n)) <=
         IntTerm(times) * w * of.time;
}

Theorem theorem_7_refuted() {
  return {
      .id = "S4.refuted",
      .source = "HMM theorem 7, refuted",
      .statement =
          "without n ≥ d² the sum of n = dp numbers by p threads of each of d DMMs takes each "
          "oblivious program at least (k + 1)/4 times n/w + nL/P + L + log n, for any k",
      .domain = "all oblivious programs, k ≥ 1, p ≥ w, n = dp > (p + 1)^k, L ≥ n",
      .proof =
          [](Query& q) {
            const IntTerm one(1);
            const IntTerm w = q.number("w", 1, 2);
            const IntTerm p = q.number("p", 1, 2);
            const IntTerm d = q.number("d", 1, 2);
            const IntTerm L = q.number("L", 1, 5);
            const IntTerm k = q.number("k", 1, 1);
            const IntTerm n = q.number("n", 1, 4);
            q.assume(p >= w && n == d * p && L >= n);
            const Dependence of(q, p, L, n, q.number("time", 0, 40));
            q.assume(n > of.power(k));
            of.prove_time(k);
            // (p + 1)^k is two or more.
            q.assume(of.power(one) == (p + one) * of.power(IntTerm(0)));
            q.induct(
                one, k, [&](const IntTerm& i) { return of.power(i) >= IntTerm(2); },
                [&](const IntTerm& i) { q.assume(of.power(i + one) == (p + one) * of.power(i)); });
            prove_small_logarithm(q, n, 2, 2);
            q.multiply_by({w, k + one, w * (k + one), (k + one) * L});
            q.prove("more than the bound", is_above_theorem_7(of, w, k, 400));
          },
      .false_twin =
          [](Query& q) {
            // Four numbers in two latencies, 8; twice the bound, 4 + 4 + 4 + 2, is 3.5 times that.
            const IntTerm four(4);
            const IntTerm one(1);
            const Dependence of(q, IntTerm(2), four, four, IntTerm(8));
            for (const IntTerm& before : {IntTerm(0), four}) of.wait(before);
            q.prove("more than the bound", is_above_theorem_7(of, one, one, 349));
          }};
}

}  // namespace

std::vector<Theorem> theorems_on_dependence() { return {dependence(), theorem_7_refuted()}; }

}  // namespace bankproof::proofs
