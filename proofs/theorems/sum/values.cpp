// The values of sums (rows S2 to S4), for every n: each level, turn and launch preserves the sum of
// the remaining numbers, until one number remains.
#include <utility>

#include "../../../algorithms/sum.hpp"
#include "../../builder/parameters.hpp"
#include "../../builder/ranges.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// The level of the pairwise sum of n numbers that adds number k + d to number k, for d < n ≤ 2d.
/// In the false twin one pair is left out.
struct Level {
  Query& q;
  IntTerm n;
  IntTerm d;
  IntTerm pairs;
  RangeSum before;
  RangeSum after;

  Level(Query& query, IntTerm count, IntTerm distance, std::uint64_t left_out = 0)
      : q(query),
        n(std::move(count)),
        d(std::move(distance)),
        pairs(pairs_of_level(n, d) - left_out),
        before(q, "before"),
        after(q, "after") {
    q.assume(d >= 1 && d < n && n <= 2 * d);
    before.split(0, d, n);
    before.empty(0);
    before.empty(d);
    after.empty(0);
  }
  /// Thread k: a[k] ← a[k] + a[k + d], or nothing.
  void thread(const IntTerm& k) const {
    const Truth has_pair = k < pairs;
    q.assume(implies(has_pair, after.item(k) == before.item(k) + before.item(k + d)));
    q.assume(implies(!has_pair, after.item(k) == before.item(k)));
    after.split(0, k, k + 1);
    before.split(0, k, k + 1);
    before.split(d, k + d, k + d + 1);
  }
  Truth keeps_the_sum() const { return after(0, d) == before(0, n); }
};

Theorem pairwise() {
  return Theorem{
      .id = "S2.value",
      .source = "MOD 4, HMM VI",
      .statement =
          "each level of the pairwise sum leaves numbers with the same sum, the last one a single "
          "number",
      .domain =
          "all n, by induction over the pairs of a level; the step of an induction over levels"}
      .proof([](Query& q) {
        const Level level(q, q.number("n", 2, 7), q.number("d", 1, 4));
        q.induct(
            0, level.d,
            [&](const IntTerm& k) {
              return level.after(0, k) ==
                     level.before(0, k) + level.before(level.d, level.d + smaller(k, level.pairs));
            },
            [&](const IntTerm& k) { level.thread(k); });
        q.claim("the sum is kept", level.keeps_the_sum());
        const IntTerm half = q.number("half", 1, 2);
        q.claim("half the distance is the next level's",
                implies(level.d == 2 * half, half < level.d && level.d <= 2 * half));
        q.claim("the last number is the sum",
                implies(level.d == 1, level.after.item(0) == level.before(0, level.n)));
      })
      .false_twin([](Query& q) {
        const Level level(q, 3, 2, 1);
        level.thread(0);
        level.thread(1);
        level.before.split(2, 3, 3);
        q.claim("the sum is kept", level.keeps_the_sum());
      });
}

/// A turn in which each of P threads adds a number to its sum. The turn takes its numbers from
/// number kP on; there are n numbers. In the false twin, threads past the last number also add a
/// number.
struct Turn {
  Query& q;
  IntTerm n;
  IntTerm threads;
  IntTerm start;
  RangeSum numbers;
  RangeSum before;
  RangeSum after;
  bool minds_the_end;

  Turn(Query& query, IntTerm count, const IntTerm& p, const IntTerm& turn, RangeSum of_numbers,
       bool to_the_end = true)
      : q(query),
        n(std::move(count)),
        threads(p),
        start(turn * p),
        numbers(std::move(of_numbers)),
        before(q, "before"),
        after(q, "after"),
        minds_the_end(to_the_end) {
    before.empty(0);
    after.empty(0);
    numbers.empty(start);
    numbers.split(0, start, smaller(start + threads, n));
  }
  void thread(const IntTerm& t) const {
    const IntTerm i = start + t;
    const Truth has_number = i < n;
    const IntTerm sum = before.item(t) + numbers.item(i);
    q.assume(implies(has_number, after.item(t) == sum));
    q.assume(implies(!has_number, after.item(t) == (minds_the_end ? before.item(t) : sum)));
    before.split(0, t, t + 1);
    after.split(0, t, t + 1);
    numbers.split(start, i, i + 1);
  }
  Truth starts() const { return before(0, threads) == numbers(0, start); }
  Truth ends() const { return after(0, threads) == numbers(0, smaller(start + threads, n)); }
};

Theorem columns() {
  return Theorem{
      .id = "S4.columns",
      .source = "HMM VII",
      .statement = "the sums of columns, one for each of P threads, have the sum of the n numbers",
      .domain = "all n and P, by induction over threads and turns"}
      .proof([](Query& q) {
        const auto [n, p] = q.numbers({{"n", 1, 7}, {"P", 1, 3}});
        // The total of the sums of all threads after each turn. At first all sums are 0.
        const Function sums = q.function("sums");
        const RangeSum none(q, "none");
        none.empty(0);
        q.induct(
            0, p, [&](const IntTerm& t) { return none(0, t) == 0; },
            [&](const IntTerm& t) {
              q.assume(none.item(t) == 0);
              none.split(0, t, t + 1);
            });
        q.assume(sums(0) == none(0, p));
        const RangeSum numbers(q, "numbers");
        numbers.empty(0);
        const IntTerm turns = ceil_div(n, p);
        q.multiply_by({p});
        q.claim("turns for all numbers", turns * p >= n);
        q.induct(
            0, turns,
            [&](const IntTerm& turn) { return sums(turn) == numbers(0, smaller(turn * p, n)); },
            [&](const IntTerm& turn) {
              q.multiply_by({p, turn});
              q.claim("nothing before the first turn", turn * p >= 0);
              q.claim("a turn that there is", turn * p < n);
              q.multiply_by({});
              const Turn of(q, n, p, turn, numbers);
              q.assume(of.before(0, p) == sums(turn));
              q.assume(of.after(0, p) == sums(turn + 1));
              q.claim("so far", of.starts());
              q.induct(
                  0, p,
                  [&](const IntTerm& t) {
                    return of.after(0, t) ==
                           of.before(0, t) + of.numbers(of.start, smaller(of.start + t, of.n));
                  },
                  [&](const IntTerm& t) { of.thread(t); });
              q.claim("a turn more", of.ends());
            });
        q.claim("all numbers", sums(turns) == numbers(0, n));
      })
      .false_twin([](Query& q) {
        const Turn of(q, 3, 2, 1, RangeSum(q, "numbers"), false);
        q.assume(of.starts());
        of.thread(0);
        of.thread(1);
        of.numbers.split(2, 2, 3);
        q.claim("a turn more", of.ends());
      });
}

/// Blocks of p threads, and the sums of their threads. Block b leaves the sum of its first min(p,
/// n) threads. In the false twin, it leaves out one thread.
struct SumOfBlocks {
  Query& q;
  IntTerm n;
  IntTerm p;
  IntTerm kept;  ///< sums in the shared memory of a block
  RangeSum threads;
  RangeSum blocks;

  SumOfBlocks(Query& query, IntTerm count, IntTerm of_block, std::uint64_t left_out = 0)
      : q(query),
        n(std::move(count)),
        p(std::move(of_block)),
        kept(smaller(p, n) - left_out),
        threads(q, "threads"),
        blocks(q, "blocks") {
    threads.empty(0);
    blocks.empty(0);
  }
  void block(const IntTerm& b) const {
    const IntTerm first = b * p;
    q.assume(blocks.item(b) == threads(first, first + kept));
    blocks.split(0, b, b + 1);
    threads.split(0, first, first + p);
    threads.split(first, first + kept, first + p);
  }
  Truth have_the_sum(const IntTerm& b) const { return blocks(0, b) == threads(0, b * p); }
};

Theorem blocks() {
  return Theorem{.id = "S4.blocks",
                 .source = "HMM VII",
                 .statement = "the sums that the blocks leave have the sum of those of all threads",
                 .domain = "all n, p and numbers of blocks, by induction over threads and blocks"}
      .proof([](Query& q) {
        const SumOfBlocks of(q, q.number("n", 1, 5), q.number("p", 1, 8));
        const IntTerm count = q.number("blocks", 1, 2);
        q.multiply_by({of.p});
        q.induct(
            0, count, [&](const IntTerm& b) { return of.have_the_sum(b); },
            [&](const IntTerm& b) {
              of.block(b);
              const IntTerm first = b * of.p;
              q.compare_multiples(of.p, 0, b);
              q.claim("a thread's number", first >= 0);
              of.threads.empty(first + of.kept);
              // The other threads have no numbers, because they are past the n-th thread.
              q.induct(
                  first + of.kept, first + of.p,
                  [&](const IntTerm& t) { return of.threads(first + of.kept, t) == 0; },
                  [&](const IntTerm& t) {
                    q.assume(implies(t >= of.n, of.threads.item(t) == 0));
                    of.threads.split(first + of.kept, t, t + 1);
                  });
            });
        q.claim("the sum of all", of.have_the_sum(count));
      })
      .false_twin([](Query& q) {
        const SumOfBlocks of(q, 5, 2, 1);
        of.block(0);
        of.block(1);
        q.claim("the sum of all", of.have_the_sum(2));
      });
}

Theorem recursion() {
  return Theorem{.id = "S4.recursion",
                 .source = "HMM VII",
                 .statement =
                     "each launch of the recursive sum leaves fewer numbers than there were, and "
                     "at least one, until there is one",
                 .domain = "all p, d and numbers of sums above 1"}
      .proof([](Query& q) {
        const auto [sums, p, d] = q.numbers({{"sums", 2, 5}, {"p", 1, 2}, {"d", 1, 3}});
        const IntTerm each = larger(p, 2);
        const IntTerm blocks = ceil_div(sums, each);
        q.claim("at least two each", each >= 2);
        q.compare_multiples(each, 0, blocks);
        q.multiply_by({blocks - 1});
        const IntTerm next = Sum::blocks_of(sums, each, d);
        q.claim("fewer", next < sums && next >= 1);
      })
      .false_twin([](Query& q) {
        // If each block of one thread takes only one number, a launch leaves as many sums
        // as there were numbers.
        const IntTerm sums = q.number("sums", 2, 2);
        const IntTerm next = Sum::blocks_of(sums, IntTerm(1), q.number("d", 1, 3));
        q.claim("fewer", next < sums && next >= 1);
      });
}

}  // namespace

std::vector<Theorem> theorems_on_values_of_sums() {
  return {pairwise(), columns(), blocks(), recursion()};
}

}  // namespace bankproof::proofs
