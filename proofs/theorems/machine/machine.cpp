// Lower bounds that no program on a memory machine can beat (rows S5, X3, H8). A port passes w
// words in a time unit. A thread waits for its request before it makes the next one. If data
// decides no access, a request adds to the knowledge of its thread only what one word knows. If
// data decides accesses, a thread also learns from an access that does not happen. For these
// programs the theorems only bound the number of values that a result takes.
#include <functional>

#include "../lists.hpp"
#include "programs.hpp"

namespace bankproof::proofs {
namespace {

using OfRounds = Rounds<IntTerm>;

/// Whether `words` words can pass through the port until `time`, if the last stage takes `latency`
/// time units to complete.
Truth pass(const IntTerm& words, const IntTerm& w, const IntTerm& latency, const IntTerm& time) {
  return words <= w * (time + 1 - latency);
}

/// The number of words that accesses with these stages touch until `time`, if the last stage takes
/// `latency` time units to complete. On banks, an access of k stages touches at most k words of
/// each bank. On groups, a stage touches at most one group of w words (M1, M2).
IntTerm words_accessed(Query& q, bool banks, const IntTerm& w, const IntTerm& latency,
                       const IntTerm& time, const IntTerm& accesses,
                       const std::function<IntTerm(const IntTerm&)>& stages) {
  const Function free = q.function("free");  // when the port is free after this many accesses
  const Function part = q.counts("part", 2);
  const auto most = [=](const IntTerm& access) { return banks ? stages(access) : w; };
  const auto words_of = [&](const IntTerm& access) {
    const IntTerm k = stages(access);
    const IntTerm& parts = banks ? w : k;
    q.assume(k >= 0);
    return sum_over(parts, [&](const IntTerm& b) {
      q.assume(part(access, b) <= most(access));
      return part(access, b);
    });
  };
  q.assume(free(0) >= 0);
  const auto give_parts = [=, &q](const IntTerm& access) {
    q.give(OverNumbers<IntTerm>(banks ? "banks of an access" : "stages of an access")
               .holds([=](auto& done, auto& sum) { return sum <= done * most(access); }));
  };
  q.give(OverNumbers<OfRounds>("accesses")
             .holds([=](auto& k, auto& sum) {
               return sum.requests <= w * sum.stages && sum.stages <= free(k);
             })
             .step(give_parts));
  const OfRounds all = sum_over(accesses, [&](const IntTerm& k) {
    q.assume(free(k + 1) >= free(k) + stages(k));
    return OfRounds{stages(k), 1, words_of(k)};
  });
  q.assume(time >= free(accesses) + latency - 1);
  return all.requests;
}

Theorem bandwidth(MachineKind machine) {
  const bool banks = machine == MachineKind::dmm;
  return Theorem{.id = std::string("S5.bandwidth.") + (banks ? "DMM" : "UMM"),
                 .source = "MOD theorem 2",
                 .statement = std::string("a program that accesses n different words of a ") +
                              (banks ? "DMM" : "UMM") + " takes at least n/w + l − 1",
                 .domain = "all programs, n ≥ 1, w, l"}
      .proof([=](Query& q) {
        const auto [w, l, accesses, time] =
            q.numbers({{"w", 1, 4}, {"l", 1, 5}, {"accesses", 1, 3}, {"time", 1, 20}});
        const Function stages = q.function("stages");
        q.multiply_by({w});
        const IntTerm words = words_accessed(q, banks, w, l, time, accesses,
                                             [&](const IntTerm& k) { return stages(k); });
        q.claim("the bound", pass(words, w, l, time));
      })
      .false_twin([=](Query& q) {
        // Two accesses of one stage each. The last completes at l + 1 = 6, and not at 7.
        const IntTerm words =
            words_accessed(q, banks, 4, 5, 6, 2, [](const IntTerm&) { return 1; });
        q.claim("the bound", pass(words, 4, 6, 6));
      });
}

Theorem latency() {
  return Theorem{.id = "S5.latency",
                 .source = "MOD theorem 2",
                 .statement =
                     "in time t a thread makes at most t/l requests, so that n requests by p "
                     "threads take at least nl/p",
                 .domain = "all programs, n, p, l"}
      .proof([](Query& q) {
        const auto [p, l, time] = q.numbers({{"p", 1, 3}, {"l", 1, 5}, {"time", 1, 20}});
        const IntTerm n = requests_waited_for(q, p, l, time);
        q.claim("the bound", are_waited_for(n, p, l, time));
      })
      .false_twin([](Query& q) {
        // Two threads make four requests each, one after another. The latency is 5; the false claim
        // says 6.
        const IntTerm n = requests_waited_for(q, 2, 5, 20, 4);
        q.claim("the bound", are_waited_for(n, 2, 6, 20));
      });
}

/// The least number of tokens that are left after l time units. At first, `boxed` of the `tokens`
/// are in boxes. In these l time units, each box with a token can accept one token from outside.
IntTerm left_of(const IntTerm& tokens, const IntTerm& boxed) {
  return tokens - smaller(boxed, tokens - boxed);
}

Theorem tokens() {
  return Theorem{.id = "S5.tokens",
                 .source = "MOD theorem 2",
                 .statement =
                     "of n tokens, k of them in boxes, at least n/2 are left after l time units in "
                     "which each box accepts one",
                 .domain = "all n, k"}
      .proof([](Query& q) {
        const auto [n, k] = q.numbers({{"n", 1, 7}, {"k", 0, 3}});
        q.assume(k <= n);
        q.claim("at most halving", n <= 2 * left_of(n, k));
      })
      .false_twin([](Query& q) {
        // Eight tokens, half of them in boxes: exactly four are left.
        q.claim("at most halving", 9 <= 2 * left_of(8, 4));
      });
}

Theorem reduction() {
  return Theorem{.id = "S5.reduction",
                 .source = "MOD theorem 2",
                 .statement =
                     "a result of an oblivious program that depends on n words takes at least l "
                     "log n: with each read a thread knows what one word depends on besides",
                 .domain = "all oblivious programs without votes, n ≥ 2, l"}
      .proof([](Query& q) {
        const auto [n, l, time] = q.numbers({{"n", 2, 9}, {"l", 1, 5}, {"time", 1, 40}});
        reduce(q, n, l, time);
      })
      .false_twin([](Query& q) {
        // Eight words take 15 time units, and not one more.
        reduce(q, 8, 5, 15, 1);
      });
}

Theorem values() {
  return Theorem{
      .id = "S5.values",
      .source = "bankproof",
      .statement =
          "given that by time t a word takes at most (p + 3)^(2^⌊t/l⌋) values, a sum of n words, "
          "each 0 or a power of two of its own, takes at least l log (n/⌈log (p + 3)⌉)",
      .domain = "all programs of p threads without votes, n, l"}
      .proof([](Query& q) {
        const auto [n, p, l, time] =
            q.numbers({{"n", 1, 9}, {"p", 1, 2}, {"l", 1, 5}, {"time", 1, 40}});
        count_values(q, n, p, l, time);
      })
      .false_twin([](Query& q) {
        // 24 bits, at first three in a word, take 15 time units, and not one more.
        count_values(q, 24, 5, 5, 15, 1);
      });
}

/// The products that a program makes, and the words that it reads as their factors.
struct Made {
  IntTerm products = 0;
  IntTerm words = 0;

  Made& operator+=(const Made& other) {
    products += other.products;
    words += other.words;
    return *this;
  }
};
template <class F>
void each_number(Made& sum, F f) {
  f(sum.products, "products");
  f(sum.words, "words");
}

/// A phase that reads α + β words, and makes `products` products, each of one of the α words and
/// one of the β words.
Made phase(Query& q, const IntTerm& products, const IntTerm& m, const IntTerm& alpha,
           const IntTerm& beta) {
  q.assume(alpha >= 0 && beta >= 0);
  q.assume(products <= alpha * beta && products <= m * m);
  return {products, alpha + beta};
}

/// words ≥ 2·products/m. A false twin adds `more` to the right side.
Truth are_enough(const Made& made, const IntTerm& m, std::uint64_t more = 0) {
  return 2 * made.products + m * more <= m * made.words;
}

Theorem reads_of_products() {
  return Theorem{
      .id = "X3.reads",
      .source = "OPT theorem 9",
      .statement =
          "a program in phases, each of which makes at most m² products of α words and β words "
          "that it reads in the phase, reads at least 2n³/m words for n³ products",
      .domain = "all programs that keep no operand from phase to phase, n, m"}
      .proof([](Query& q) {
        const auto [n, m, phases] = q.numbers({{"n", 1, 2}, {"m", 1, 4}, {"phases", 1, 2}});
        const Function made = q.counts("products");
        const Function alpha = q.counts("alpha");
        const Function beta = q.counts("beta");
        q.give(OverNumbers<Made>("phases").holds(
            [=](auto&, auto& sum) { return are_enough(sum, m); }));
        const Made all = sum_over(phases, [&](const IntTerm& k) {
          Made one = phase(q, made(k), m, alpha(k), beta(k));
          // The proof uses (α + β)² ≥ 4αβ, and has two cases: α + β ≥ 2m, and α + β < 2m.
          q.apply(squares_are_not_negative(), {alpha(k), beta(k)});
          const IntTerm two_m = 2 * m;
          q.suppose(one.words >= two_m, [&] {
            q.multiply_by({m});
            return are_enough(one, m);
          });
          q.suppose(one.words < two_m, [&] {
            q.multiply_by({one.words});
            return are_enough(one, m);
          });
          return one;
        });
        q.assume(all.products >= n * n * n);
        q.claim("the bound", are_enough({n * n * n, all.words}, m));
      })
      .false_twin([](Query& q) {
        // A tile of 4 × 4 products needs 4 words of each factor, and not one word more.
        q.claim("the bound", are_enough(phase(q, 4 * 4, 4, 4, 4), 4, 1));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_machines() {
  return {bandwidth(MachineKind::dmm),
          bandwidth(MachineKind::umm),
          latency(),
          tokens(),
          reduction(),
          values(),
          reads_of_products()};
}

}  // namespace bankproof::proofs
