// Bounds the number of words of global memory that a DMM can know (row S4). The bound refutes HMM
// theorem 7 for n less than d², for every oblivious program.
//
// Each of a DMM's p threads waits L time units for a word of global memory. So a DMM reads at most
// p more words in L time units. A word that a DMM has written depends at most on the words that
// this DMM knew when it wrote the word. Shared memory, however fast, brings no words from outside
// the DMM.
//
// Example: p = 2. Before 2L a DMM knows at most 2 words, before 3L at most 2 + 2·2 = 6, and before
// 4L at most 6 + 2·6 = 18.
#include "../../builder/bounds.hpp"
#include "../lists.hpp"
#include "../turns/tight.hpp"
#include "programs.hpp"

namespace bankproof::proofs {
namespace {

/// An oblivious program on DMMs of p threads. A DMM knows its result at `time`, and the result
/// depends on n words of global memory.
struct Dependence {
  Query& q;
  IntTerm p;
  IntTerm L;
  IntTerm n;
  IntTerm time;
  Function known;  ///< the most words that a DMM knows at a time
  Function held;   ///< the most words that a word of global memory depends on
  Function power;  ///< powers of p + 1

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
    q.assume(power(0) == 1);
  }

  /// The effect of L time units: each thread reads at most one word, whose value is from `before`
  /// or earlier.
  void wait(const IntTerm& before) const {
    q.assume(known(before + L) <= known(before) + p * held(before));
    q.assume(known(before) >= 0 && held(before) >= 0);
    q.assume(held(before) <= 1 || held(before) <= known(before));
    // No request completes before L.
    q.assume(implies(before < L, known(before) <= 0));
  }
  /// The last time unit of the k-th period of L, counted from 0.
  IntTerm last_of(const IntTerm& k) const { return k * L + L - 1; }

  /// Proves that (k + 1)L ≤ time if n > (p + 1)^k.
  void prove_time(const IntTerm& k) const {
    q.multiply_by({p});
    wait(last_of(0));
    q.induct(
        0, k,
        [&](const IntTerm& i) { return known(last_of(i)) <= power(i) && power(i) >= 1 && i >= 0; },
        [&](const IntTerm& i) {
          q.compare_multiples(L, i, 0);
          wait(last_of(i));
          q.assume(power(i + 1) == (p + 1) * power(i));
        });
    // A DMM never forgets what it knows.
    q.assume(implies(time <= last_of(k), known(time) <= known(last_of(k))));
    q.claim("the time", takes(k));
  }
  Truth takes(const IntTerm& k, std::uint64_t more = 0) const {
    return implies(n > power(k), (k + 1) * L + more <= time);
  }
};

Theorem dependence() {
  return Theorem{.id = "S4.dependence",
                 .source = "bankproof",
                 .statement =
                     "a result of an oblivious program for DMMs of p threads that depends on more "
                     "than (p + 1)^k words of global memory takes at least (k + 1)L: in L time "
                     "units what a DMM knows of grows at most (p + 1)-fold",
                 .domain = "all oblivious programs, p, k, L, by induction over k"}
      .proof([](Query& q) {
        const Dependence of(q, q.number("p", 1, 2), q.number("L", 1, 5), q.number("n", 1, 10),
                            q.number("time", 0, 40));
        of.prove_time(q.number("k", 0, 2));
      })
      .false_twin([](Query& q) {
        // A DMM of two threads knows two words at L and six at 2L, so it needs no further time unit
        // for six.
        const IntTerm L(5);
        const Dependence of(q, 2, L, 6, L + L);
        q.assume(of.power(1) == 3);
        for (const IntTerm& before : {IntTerm(0), L}) of.wait(before);
        q.claim("the time", of.takes(1, 1));
      });
}

/// times/100·time ≥ (k + 1)(n/w + nL/P + L + log n), for n = dp = P numbers, where nL/P = L.
Truth is_above_theorem_7(const Dependence& of, const IntTerm& w, const IntTerm& k,
                         std::uint64_t times) {
  const IntTerm bounds = 100 * (k + 1);
  return bounds * of.n + bounds * w * (of.L + of.L + ceil_log2(of.n)) <= times * w * of.time;
}

Theorem theorem_7_refuted() {
  return Theorem{
      .id = "S4.refuted",
      .source = "HMM theorem 7, refuted",
      .statement =
          "without n ≥ d² the sum of n = dp numbers by p threads of each of d DMMs takes each "
          "oblivious program at least (k + 1)/4 times n/w + nL/P + L + log n, for any k",
      .domain = "all oblivious programs, k ≥ 1, p ≥ w, n = dp > (p + 1)^k, L ≥ n"}
      .proof([](Query& q) {
        const auto [w, p, d, L, k, n] = q.numbers(
            {{"w", 1, 2}, {"p", 1, 2}, {"d", 1, 2}, {"L", 1, 5}, {"k", 1, 1}, {"n", 1, 4}});
        q.assume(p >= w && n == d * p && L >= n);
        const Dependence of(q, p, L, n, q.number("time", 0, 40));
        q.assume(n > of.power(k));
        of.prove_time(k);
        // (p + 1)^k ≥ 2.
        q.assume(of.power(1) == (p + 1) * of.power(0));
        q.induct(
            1, k, [&](const IntTerm& i) { return of.power(i) >= 2; },
            [&](const IntTerm& i) { q.assume(of.power(i + 1) == (p + 1) * of.power(i)); });
        prove_small_logarithm(q, n, 2, 2);
        q.multiply_by({w, k + 1, w * (k + 1), (k + 1) * L});
        q.claim("more than the bound", is_above_theorem_7(of, w, k, 400));
      })
      .false_twin([](Query& q) {
        // Four numbers take two latencies, 8. Twice the bound, 2·(4 + 4 + 4 + 2) = 28, is 3.5 times
        // 8.
        const Dependence of(q, 2, 4, 4, 8);
        for (const IntTerm& before : {IntTerm(0), IntTerm(4)}) of.wait(before);
        q.claim("more than the bound", is_above_theorem_7(of, 1, 1, 349));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_dependence() { return {dependence(), theorem_7_refuted()}; }

}  // namespace bankproof::proofs
