// The values of sums (rows S2 to S4), for every n: each level, turn and launch preserves the sum of
// the remaining numbers, until one number remains.
#include "../values.hpp"

#include <utility>

#include "../../../algorithms/sum.hpp"
#include "../../builder/parameters.hpp"
#include "../../builder/ranges.hpp"

namespace bankproof::proofs {
namespace {

/// One level of the pairwise sum of n numbers, d < n ≤ 2d. In the false twin one pair is left out.
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
        pairs(pairs_of_level(n, d) - IntTerm(left_out)),
        before(q, "before"),
        after(q, "after") {
    q.assume(d >= IntTerm(1) && d < n && n <= IntTerm(2) * d);
    before.split(IntTerm(0), d, n);
    before.empty(IntTerm(0));
    before.empty(d);
    after.empty(IntTerm(0));
  }
  /// Thread k: a[k] ← a[k] + a[k + d], or nothing.
  void thread(const IntTerm& k) const {
    const Truth has_pair = k < pairs;
    q.assume(implies(has_pair, after.item(k) == before.item(k) + before.item(k + d)));
    q.assume(implies(!has_pair, after.item(k) == before.item(k)));
    after.split(IntTerm(0), k, k + IntTerm(1));
    before.split(IntTerm(0), k, k + IntTerm(1));
    before.split(d, k + d, k + d + IntTerm(1));
  }
  Truth keeps_the_sum() const { return after(IntTerm(0), d) == before(IntTerm(0), n); }
};

Theorem pairwise() {
  return {.id = "S2.value",
          .source = "MOD 4, HMM VI",
          .statement =
              "each level of the pairwise sum leaves numbers with the same sum, the last "
              "one a single number",
          .domain =
              "all n, by induction over the pairs of a level; the step of an induction over levels",
          .proof =
              [](Query& q) {
                const Level level(q, q.number("n", 2, 7), q.number("d", 1, 4));
                q.induct(
                    IntTerm(0), level.d,
                    [&](const IntTerm& k) {
                      return level.after(IntTerm(0), k) ==
                             level.before(IntTerm(0), k) +
                                 level.before(level.d, level.d + smaller(k, level.pairs));
                    },
                    [&](const IntTerm& k) { level.thread(k); });
                q.claim("the sum is kept", level.keeps_the_sum());
                const IntTerm half = q.number("half", 1, 2);
                q.claim("half the distance is the next level's",
                        implies(level.d == IntTerm(2) * half,
                                half < level.d && level.d <= IntTerm(2) * half));
                q.claim("the last number is the sum",
                        implies(level.d == IntTerm(1),
                                level.after.item(IntTerm(0)) == level.before(IntTerm(0), level.n)));
              },
          .false_twin =
              [](Query& q) {
                const Level level(q, IntTerm(3), IntTerm(2), 1);
                level.thread(IntTerm(0));
                level.thread(IntTerm(1));
                level.before.split(IntTerm(2), IntTerm(3), IntTerm(3));
                q.claim("the sum is kept", level.keeps_the_sum());
              }};
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
    before.empty(IntTerm(0));
    after.empty(IntTerm(0));
    numbers.empty(start);
    numbers.split(IntTerm(0), start, smaller(start + threads, n));
  }
  void thread(const IntTerm& t) const {
    const IntTerm i = start + t;
    const Truth has_number = i < n;
    const IntTerm sum = before.item(t) + numbers.item(i);
    q.assume(implies(has_number, after.item(t) == sum));
    q.assume(implies(!has_number, after.item(t) == (minds_the_end ? before.item(t) : sum)));
    before.split(IntTerm(0), t, t + IntTerm(1));
    after.split(IntTerm(0), t, t + IntTerm(1));
    numbers.split(start, i, i + IntTerm(1));
  }
  Truth starts() const { return before(IntTerm(0), threads) == numbers(IntTerm(0), start); }
  Truth ends() const {
    return after(IntTerm(0), threads) == numbers(IntTerm(0), smaller(start + threads, n));
  }
};

Theorem columns() {
  return {.id = "S4.columns",
          .source = "HMM VII",
          .statement =
              "the sums of columns, one for each of P threads, have the sum of the n "
              "numbers",
          .domain = "all n and P, by induction over threads and turns",
          .proof =
              [](Query& q) {
                const IntTerm n = q.number("n", 1, 7);
                const IntTerm p = q.number("P", 1, 3);
                const IntTerm zero(0);
                // The total of the sums of all threads after each turn. At first all sums are 0.
                const Function sums = q.function("sums");
                const RangeSum none(q, "none");
                none.empty(zero);
                q.induct(
                    zero, p, [&](const IntTerm& t) { return none(zero, t) == zero; },
                    [&](const IntTerm& t) {
                      q.assume(none.item(t) == zero);
                      none.split(zero, t, t + IntTerm(1));
                    });
                q.assume(sums(zero) == none(zero, p));
                const RangeSum numbers(q, "numbers");
                numbers.empty(zero);
                const IntTerm turns = ceil_div(n, p);
                q.multiply_by({p});
                q.claim("turns for all numbers", turns * p >= n);
                q.induct(
                    zero, turns,
                    [&](const IntTerm& turn) {
                      return sums(turn) == numbers(zero, smaller(turn * p, n));
                    },
                    [&](const IntTerm& turn) {
                      q.multiply_by({p, turn});
                      q.claim("nothing before the first turn", turn * p >= zero);
                      q.claim("a turn that there is", turn * p < n);
                      q.multiply_by({});
                      const Turn of(q, n, p, turn, numbers);
                      q.assume(of.before(zero, p) == sums(turn));
                      q.assume(of.after(zero, p) == sums(turn + IntTerm(1)));
                      q.claim("so far", of.starts());
                      q.induct(
                          zero, p,
                          [&](const IntTerm& t) {
                            return of.after(zero, t) ==
                                   of.before(zero, t) +
                                       of.numbers(of.start, smaller(of.start + t, of.n));
                          },
                          [&](const IntTerm& t) { of.thread(t); });
                      q.claim("a turn more", of.ends());
                    });
                q.claim("all numbers", sums(turns) == numbers(zero, n));
              },
          .false_twin =
              [](Query& q) {
                const Turn of(q, IntTerm(3), IntTerm(2), IntTerm(1), RangeSum(q, "numbers"), false);
                q.assume(of.starts());
                of.thread(IntTerm(0));
                of.thread(IntTerm(1));
                of.numbers.split(IntTerm(2), IntTerm(2), IntTerm(3));
                q.claim("a turn more", of.ends());
              }};
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
        kept(smaller(p, n) - IntTerm(left_out)),
        threads(q, "threads"),
        blocks(q, "blocks") {
    threads.empty(IntTerm(0));
    blocks.empty(IntTerm(0));
  }
  void block(const IntTerm& b) const {
    const IntTerm first = b * p;
    q.assume(blocks.item(b) == threads(first, first + kept));
    blocks.split(IntTerm(0), b, b + IntTerm(1));
    threads.split(IntTerm(0), first, first + p);
    threads.split(first, first + kept, first + p);
  }
  Truth have_the_sum(const IntTerm& b) const {
    return blocks(IntTerm(0), b) == threads(IntTerm(0), b * p);
  }
};

Theorem blocks() {
  return {.id = "S4.blocks",
          .source = "HMM VII",
          .statement = "the sums that the blocks leave have the sum of those of all threads",
          .domain = "all n, p and numbers of blocks, by induction over threads and blocks",
          .proof =
              [](Query& q) {
                const SumOfBlocks of(q, q.number("n", 1, 5), q.number("p", 1, 8));
                const IntTerm count = q.number("blocks", 1, 2);
                q.multiply_by({of.p});
                q.induct(
                    IntTerm(0), count, [&](const IntTerm& b) { return of.have_the_sum(b); },
                    [&](const IntTerm& b) {
                      of.block(b);
                      const IntTerm first = b * of.p;
                      q.compare_multiples(of.p, IntTerm(0), b);
                      q.claim("a thread's number", first >= IntTerm(0));
                      of.threads.empty(first + of.kept);
                      // The other threads have no numbers, because they are past the n-th thread.
                      q.induct(
                          first + of.kept, first + of.p,
                          [&](const IntTerm& t) {
                            return of.threads(first + of.kept, t) == IntTerm(0);
                          },
                          [&](const IntTerm& t) {
                            q.assume(implies(t >= of.n, of.threads.item(t) == IntTerm(0)));
                            of.threads.split(first + of.kept, t, t + IntTerm(1));
                          });
                    });
                q.claim("the sum of all", of.have_the_sum(count));
              },
          .false_twin =
              [](Query& q) {
                const SumOfBlocks of(q, IntTerm(5), IntTerm(2), 1);
                of.block(IntTerm(0));
                of.block(IntTerm(1));
                q.claim("the sum of all", of.have_the_sum(IntTerm(2)));
              }};
}

Theorem recursion() {
  return {.id = "S4.recursion",
          .source = "HMM VII",
          .statement =
              "each launch of the recursive sum leaves fewer numbers than there were, and "
              "at least one, until there is one",
          .domain = "all p, d and numbers of sums above 1",
          .proof =
              [](Query& q) {
                const IntTerm sums = q.number("sums", 2, 5);
                const IntTerm p = q.number("p", 1, 2);
                const IntTerm d = q.number("d", 1, 3);
                const IntTerm each = larger(p, IntTerm(2));
                const IntTerm blocks = ceil_div(sums, each);
                q.claim("at least two each", each >= IntTerm(2));
                q.compare_multiples(each, IntTerm(0), blocks);
                q.multiply_by({blocks - IntTerm(1)});
                const IntTerm next = Sum::blocks_of(sums, each, d);
                q.claim("fewer", next < sums && next >= IntTerm(1));
              },
          .false_twin =
              [](Query& q) {
                // If each block of one thread takes only one number, a launch leaves as many sums
                // as there were numbers.
                const IntTerm sums = q.number("sums", 2, 2);
                const IntTerm next = Sum::blocks_of(sums, IntTerm(1), q.number("d", 1, 3));
                q.claim("fewer", next < sums && next >= IntTerm(1));
              }};
}

}  // namespace

std::vector<Theorem> theorems_on_values_of_sums() {
  return {pairwise(), columns(), blocks(), recursion()};
}

}  // namespace bankproof::proofs
