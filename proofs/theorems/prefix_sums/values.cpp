// The values of prefix sums (rows P1 and P2, MOD 6 and 7), for every n and any associative
// operation: after each level, each number is the sum, in order, of a range of the input.
#include <utility>

#include "../../../algorithms/prefix_sums.hpp"
#include "../../builder/parameters.hpp"
#include "../../builder/ranges.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// After a level of the simple algorithm, the sum at i adds up the last `reach` numbers up to
/// number i, or all numbers up to it if they are fewer. This function returns the index of the
/// first of these numbers.
IntTerm begin_of(const IntTerm& i, const IntTerm& reach) { return minus_or_zero(i + 1, reach); }

/// A level of the simple algorithm at number i. In the false twin, the operands are exchanged.
struct SimpleLevel {
  Fold range;
  Function before;
  Function after;
  IntTerm i;
  IntTerm distance;

  SimpleLevel(Query& q, IntTerm at, IntTerm from, bool in_order = true)
      : range(q, "range"),
        before(q.function("before")),
        after(q.function("after")),
        i(std::move(at)),
        distance(std::move(from)) {
    const IntTerm left = i - distance;
    const Truth has_left = i >= distance;
    q.assume(before(i) == range(begin_of(i, distance), i + 1));
    q.assume(implies(has_left, before(left) == range(begin_of(left, distance), left + 1)));
    q.assume(implies(has_left, after(i) == (in_order ? range.joined(before(left), before(i))
                                                     : range.joined(before(i), before(left)))));
    q.assume(implies(!has_left, after(i) == before(i)));
    range.split(begin_of(left, distance), left + 1, i + 1);
  }
  Truth reaches_twice_as_far() const { return after(i) == range(begin_of(i, 2 * distance), i + 1); }
};

Theorem simple() {
  return Theorem{
      .id = "P1.value",
      .source = "MOD 6",
      .statement =
          "after each level of simple prefix sums a number is the sum, in order, of those up to "
          "it, as far back as the level reaches: in the end, of all",
      .domain = "all n and associative operations; base and step of an induction over levels"}
      .proof([](Query& q) {
        const IntTerm n = q.number("n", 1, 9);
        const IntTerm i = below(q, "i", n, 6);
        q.claim("at first", begin_of(i, 1) == i);
        const SimpleLevel level(q, i, q.number("distance", 1, 2));
        q.claim("a level more", level.reaches_twice_as_far());
        const IntTerm last = q.number("reach", 1, 16);
        q.assume(last >= n);
        q.claim("in the end", begin_of(i, last) == 0);
      })
      .false_twin([](Query& q) {
        const SimpleLevel level(q, 6, 2, false);
        q.claim("a level more", level.reaches_twice_as_far());
      });
}

/// Whether number i of a turn reads nothing that number j of an earlier turn on the same level has
/// written. A turn has p threads, and turn 0 begins at number `distance`. In the false twin, lower
/// turns come first.
Truth reads_what_was(Query& q, bool highest_first) {
  const auto [p, distance, turn] = q.numbers({{"p", 1, 2}, {"distance", 1, 1}, {"turn", 0, 1}});
  const IntTerm before = q.number("earlier", 0, highest_first ? 2 : 0);
  q.assume(highest_first ? before > turn : before < turn);
  const auto number = [&](const IntTerm& of_turn, const std::string& name, std::uint64_t example) {
    return distance + of_turn * p + below(q, name, p, example);
  };
  const IntTerm i = number(turn, "t", 0);
  const IntTerm j = number(before, "u", highest_first ? 0 : 1);
  q.compare_multiples(p, turn, before);
  return j != i && j != i - distance;
}

Theorem simple_in_place() {
  return Theorem{.id = "P1.order",
                 .source = "MOD 6, mended",
                 .statement =
                     "with the highest numbers first, no turn of simple prefix sums reads what an "
                     "earlier one of its level has written; without a barrier in the last level's "
                     "turns neither does one thread what another has",
                 .domain = "all n, p and distances"}
      .proof([](Query& q) {
        q.claim("of another turn", reads_what_was(q, true));
        const auto [distance, n] = q.numbers({{"last", 1, 4}, {"n", 1, 7}});
        const IntTerm i = below(q, "i", n, 5);
        const IntTerm j = below(q, "j", n, 6);
        q.assume(n - distance <= distance && i >= distance && j >= distance);
        q.claim("of the same turn", i - distance != j);
      })
      .false_twin([](Query& q) { q.claim("of another turn", reads_what_was(q, false)); });
}

/// Two arrays of the optimal algorithm: `below` has `count` sums of `span` numbers each, and
/// `above` has the sums of the pairs of `below`.
struct Pairs {
  Fold range;
  IntTerm span;
  IntTerm count;
  IntTerm above_count;
  Function below;
  Function above;

  Pairs(Query& q, IntTerm numbers, IntTerm each)
      : range(q, "range"),
        span(std::move(each)),
        count(std::move(numbers)),
        above_count(count / 2),
        below(q.function("below")),
        above(q.function("above")) {}
  /// The sum of interval k, where intervals have `each` numbers.
  IntTerm interval(const IntTerm& k, const IntTerm& each) const {
    return range(k * each, k * each + each);
  }
  IntTerm up_to(const IntTerm& end) const { return range(0, end); }
};

/// Whether, on the way down, sum i of the array above has the right numbers. In the false twin, the
/// pairs begin at odd numbers.
Truth sums_pairs(Query& q, bool even) {
  const Pairs of(q, q.number("count", 2, 5), q.number("span", 1, 4));
  const IntTerm i = below(q, "i", of.above_count, 1);
  const IntTerm first = 2 * i + (even ? 0 : 1);
  const IntTerm second = first + 1;
  for (const IntTerm& k : {first, second}) q.assume(of.below(k) == of.interval(k, of.span));
  q.assume(of.above(i) == of.range.joined(of.below(first), of.below(second)));
  of.range.split(first * of.span, second * of.span, second * of.span + of.span);
  return second < of.count && of.above(i) == of.interval(i, 2 * of.span);
}

Theorem sums_of_pairs() {
  return Theorem{
      .id = "P2.down",
      .source = "MOD 7, first stage",
      .statement =
          "each work array of optimal prefix sums holds the sums, in order, of intervals that "
          "follow each other, twice as long as those of the array before",
      .domain = "all n and associative operations; base and step of an induction over arrays"}
      .proof([](Query& q) {
        const Pairs numbers(q, q.number("n", 1, 9), 1);
        const IntTerm k = q.number("k", 0, 3);
        q.assume(numbers.below(k) == numbers.range(k, k + 1));
        q.claim("the numbers", numbers.below(k) == numbers.interval(k, 1));
        q.claim("their pairs", sums_pairs(q, true));
      })
      .false_twin([](Query& q) { q.claim("pairs", sums_pairs(q, false)); });
}

/// The way up: number k of the array below gets its prefix sum from the prefix sums of the array
/// above. In the false twin, an even number takes the prefix sum of its own pair.
struct Spread {
  Pairs of;
  IntTerm k;
  Function after;
  Query& q;

  Spread(Query& query, const IntTerm& count, const IntTerm& span, IntTerm number)
      : of(query, count, span), k(std::move(number)), after(query.function("after")), q(query) {
    q.assume(of.below(k) == of.interval(k, span));
  }
  /// Assumes the values that thread i writes.
  void thread(const IntTerm& i, std::uint64_t wrong = 0) const {
    const IntTerm end = 2 * (i + 1) * of.span;
    q.assume(of.above(i) == of.up_to(end));
    const Truth has_thread = i >= 0 && i < of.above_count;
    q.assume(implies(has_thread && k == 2 * i + 1, after(k) == of.above(i)));
    const Truth even = k == 2 * i + 2 && k < of.count;
    q.assume(
        implies(has_thread && even, after(k) == of.range.joined(of.above(i + wrong), of.below(k))));
    of.range.split(0, k * of.span, k * of.span + of.span);
  }
  Truth is_prefix_sum() const { return after(k) == of.up_to(k * of.span + of.span); }
};

Theorem spread_sums() {
  return Theorem{
      .id = "P2.up",
      .source = "MOD 7, second stage",
      .statement =
          "from the prefix sums of pairs each number of the array below gets its own, also where "
          "that has an odd size",
      .domain = "all n and associative operations; base and step of an induction over arrays"}
      .proof([](Query& q) {
        const auto [count, span] = q.numbers({{"count", 2, 5}, {"span", 1, 4}});
        const Spread spread(q, count, span, below(q, "k", count, 2));
        const IntTerm k = spread.k;
        // No thread writes number 0. Thread (k − 1)/2 writes number k if k is odd, and thread k/2 −
        // 1 if k is even.
        const IntTerm half = k / 2;
        q.assume(implies(k == 0, spread.after(k) == spread.of.below(k)));
        spread.thread(half);
        spread.thread(half - 1);
        q.multiply_by({span});
        const Truth odd = k % 2 == 1;
        q.claim("its span is there", k * span >= 0);
        q.claim("odd numbers", implies(odd, k == 2 * half + 1 && half < spread.of.above_count));
        q.claim("even numbers", implies(!odd, k == 2 * half));
        q.compare_multiples(span, 0, k);
        q.claim("the prefix sum", spread.is_prefix_sum());
        const Pairs top(q, 1, q.number("top", 1, 8));
        q.claim("at the top one sum, its own prefix sum",
                top.interval(0, top.span) == top.up_to(top.span));
      })
      .false_twin([](Query& q) {
        const Spread spread(q, 5, 1, 2);
        spread.thread(0, 1);
        spread.thread(1, 1);
        q.claim("the prefix sum", spread.is_prefix_sum());
      });
}

}  // namespace

std::vector<Theorem> theorems_on_values_of_prefix_sums() {
  return {simple(), simple_in_place(), sums_of_pairs(), spread_sums()};
}

}  // namespace bankproof::proofs
