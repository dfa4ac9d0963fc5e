// What no program on a memory machine can beat (rows S5, X3, H8): a port passes w words a time
// unit, a thread waits for its request before it makes the next one, and what it knows is from one
// word more with each request.
#include "programs.hpp"
#include "times.hpp"

namespace bankproof::proofs {
namespace {

using OfRounds = Rounds<IntTerm>;

/// The time in which so many words pass, when the last stage takes `latency` to complete.
Truth pass(const IntTerm& words, const IntTerm& w, const IntTerm& latency, const IntTerm& time) {
  return words <= w * (time + IntTerm(1) - latency);
}

Theorem bandwidth(MachineKind machine) {
  const bool banks = machine == MachineKind::dmm;
  return {
      .id = std::string("S5.bandwidth.") + (banks ? "DMM" : "UMM"),
      .source = "MOD theorem 2",
      .statement = std::string("a program that accesses n different words of a ") +
                   (banks ? "DMM" : "UMM") + " takes at least n/w + l − 1",
      .domain = "all programs, n, w, l",
      .proof =
          [=](Query& q) {
            const IntTerm one(1);
            const IntTerm w = q.number("w", 1, 4);
            const IntTerm l = q.number("l", 1, 5);
            const IntTerm accesses = q.number("accesses", 1, 3);
            const IntTerm time = q.number("time", 1, 20);
            const Function stages = q.function("stages");
            const Function free = q.function("free");  // the port, after so many accesses
            q.multiply_by({w});
            // Each bank has at most as many words of an access as that has stages; each stage
            // is a group of w words (M1, M2).
            const Function part = q.function("part", 2);
            const auto words_of = [&](const IntTerm& access) {
              const IntTerm k = stages(access);
              const IntTerm& parts = banks ? w : k;
              const IntTerm& most = banks ? k : w;
              q.assume(k >= IntTerm(0));
              q.give_invariant<SumInvariant<IntTerm>>(
                  [=](const IntTerm& done, const IntTerm& sum) { return sum <= done * most; });
              return sum_over(parts, [&](const IntTerm& b) {
                q.assume(part(access, b) <= most);
                return part(access, b);
              });
            };
            q.assume(free(IntTerm(0)) >= IntTerm(0));
            q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
              return sum.requests <= w * sum.stages && sum.stages <= free(k);
            });
            const OfRounds all = sum_over(accesses, [&](const IntTerm& k) {
              q.assume(free(k + one) >= free(k) + stages(k));
              return OfRounds{stages(k), one, words_of(k)};
            });
            q.assume(time >= free(accesses) + l - one);
            q.prove("the bound", pass(all.requests, w, l, time));
          },
      .false_twin =
          [=](Query& q) {
            // One access of a stage, which completes at l = 5.
            const IntTerm w(4);
            q.prove("the bound", pass(w, w, IntTerm(6), IntTerm(5)));
          }};
}

Theorem latency() {
  return {.id = "S5.latency",
          .source = "MOD theorem 2",
          .statement =
              "in time t a thread makes at most t/l requests, so that n requests by p "
              "threads take at least nl/p",
          .domain = "all programs, n, p, l",
          .proof =
              [](Query& q) {
                const IntTerm p = q.number("p", 1, 3);
                const IntTerm l = q.number("l", 1, 5);
                const IntTerm time = q.number("time", 1, 20);
                const IntTerm n = requests_waited_for(q, p, l, time);
                q.prove("the bound", are_waited_for(n, p, l, time));
              },
          .false_twin =
              [](Query& q) {
                // Two threads make four requests each, one after another.
                q.prove("the bound",
                        are_waited_for(IntTerm(8), IntTerm(2), IntTerm(6), IntTerm(20)));
              }};
}

/// Of `tokens`, `boxed` are in boxes, and so many merge in l time units: a box with a token accepts
/// one from outside.
IntTerm left_of(const IntTerm& tokens, const IntTerm& boxed) {
  return tokens - smaller(boxed, tokens - boxed);
}

Theorem tokens() {
  return {.id = "S5.tokens",
          .source = "MOD theorem 2",
          .statement =
              "of n tokens, k of them in boxes, at least n/2 are left after l time units "
              "in which each box accepts one",
          .domain = "all n, k",
          .proof =
              [](Query& q) {
                const IntTerm n = q.number("n", 1, 7);
                const IntTerm k = q.number("k", 0, 3);
                q.assume(k <= n);
                q.prove("at most halving", n <= IntTerm(2) * left_of(n, k));
              },
          .false_twin =
              [](Query& q) {
                q.prove("at most halving", IntTerm(8) <= left_of(IntTerm(8), IntTerm(4)));
              }};
}

Theorem reduction() {
  return {.id = "S5.reduction",
          .source = "MOD theorem 2",
          .statement =
              "a result that depends on n words takes at least l log n: what a thread "
              "knows is from one read more after l time units",
          .domain = "all programs, n ≥ 2, l",
          .proof =
              [](Query& q) {
                const IntTerm n = q.number("n", 2, 9);
                const IntTerm l = q.number("l", 1, 5);
                const IntTerm time = q.number("time", 1, 40);
                reduce(q, n, l, time);
                q.prove("the bound", l * ceil_log2(n) <= time);
              },
          .false_twin =
              [](Query& q) {
                // Nine words in four reads, and not in three.
                q.prove("the bound", IntTerm(5) * ceil_log2(IntTerm(9)) <= IntTerm(15));
              }};
}

Theorem reads_of_products() {
  const auto at_least_twice_the_root = [](const IntTerm& m, const IntTerm& products,
                                          const IntTerm& words, std::uint64_t times) {
    return IntTerm(times) * products <= m * words;
  };
  return {.id = "X3.reads",
          .source = "OPT theorem 9",
          .statement =
              "a program that makes at most m² products of what it holds at a time, each of "
              "one of α words and one of β words, reads at least 2n³/m words for n³ products",
          .domain = "all programs, n, m",
          .proof =
              [=](Query& q) {
                const IntTerm two(2);
                const IntTerm m = q.number("m", 1, 4);
                const IntTerm phases = q.number("phases", 1, 2);
                const Function alpha = q.function("alpha");
                const Function beta = q.function("beta");
                // Requests are the words, stages the products.
                using Sum = Rounds<IntTerm>;
                q.give_invariant<SumInvariant<Sum>>([=](const IntTerm&, const Sum& sum) {
                  return two * sum.stages <= m * sum.requests;
                });
                const Sum all = sum_over(phases, [&](const IntTerm& k) {
                  const IntTerm a = alpha(k);
                  const IntTerm b = beta(k);
                  const IntTerm words = a + b;
                  const IntTerm products = a * b;
                  q.assume(a >= IntTerm(0) && b >= IntTerm(0) && products <= m * m);
                  // (α + β)² ≥ 4αβ; and α + β is at least 2m, or less.
                  q.apply(squares_are_not_negative(), {a, b});
                  const Truth enough = two * products <= m * words;
                  q.suppose(words >= two * m, [&] {
                    q.multiply_by({m});
                    return Truth(enough);
                  });
                  q.suppose(words < two * m, [&] {
                    q.multiply_by({words});
                    return Truth(enough);
                  });
                  return Sum{products, IntTerm(1), words};
                });
                q.prove("the bound", at_least_twice_the_root(m, all.stages, all.requests, 2));
              },
          .false_twin =
              [=](Query& q) {
                // A tile of 4 by 4, from 4 words of each.
                q.prove("the bound",
                        at_least_twice_the_root(IntTerm(4), IntTerm(16), IntTerm(8), 3));
              }};
}

}  // namespace

std::vector<Theorem> theorems_on_machines() {
  return {
      bandwidth(MachineKind::dmm), bandwidth(MachineKind::umm), latency(), tokens(), reduction(),
      reads_of_products()};
}

}  // namespace bankproof::proofs
