// The upper bound on the recursive sum by all DMMs (row S4), in which later launches sum the sums
// of the DMMs in the same way. The proof is an induction over the launches, for all sizes, threads,
// numbers of DMMs, widths and latencies.
//
// Each launch with p ≥ w threads in a block turns s numbers into b ≤ ⌈s/p⌉ sums. Its stages, times
// w, are at most 5(s − b) + 5w(log s − log b) + 10w. If several blocks have numbers, each block has
// p ≥ w numbers. If there is one block, s = p is the worst case: 5 accesses read, write and add
// each number, w numbers in a stage. The launch has 2 rounds on shared memory, and 3 more for each
// of log p levels. It makes log s less by at least log p − 1.
#include <memory>
#include <utility>

#include "../lists.hpp"
#include "../turns/close.hpp"
#include "columns.hpp"

namespace bankproof::proofs {
namespace {

/// The number of launches that it takes to add up a given number of sums. It is 0 for one sum.
class LaunchesLeft {
 public:
  LaunchesLeft(Query& q, TaskOf<IntTerm> task)
      : task_(std::move(task)), launches_(q.function("launches")) {}

  IntTerm operator()(const IntTerm& sums) const { return launches_(sums); }
  IntTerm next(const IntTerm& sums) const { return Sum::further_blocks(task_, sums); }
  void define(const IntTerm& sums) const {
    Query& q = sums.query();
    q.assume(implies(sums > 1, launches_(sums) == 1 + launches_(next(sums))));
    q.assume(implies(sums <= 1, launches_(sums) == 0));
  }
  /// Proves that each launch leaves fewer sums than there were.
  void prove_fewer(const IntTerm& sums) const {
    Query& q = sums.query();
    const IntTerm each = larger(task_.machine.p, 2);
    q.conclude("fewer sums", [&] {
      q.multiply_by({});
      q.multiply_equals(each, ceil_div(sums, each), 0);
      q.apply(multiples_are_apart(), {each, sums - 2, ceil_div(sums, each) - 1});
      q.apply(multiples_are_apart(), {sums - 1, 1, each});
      return implies(sums > 1, next(sums) < sums && next(sums) >= 1);
    });
  }
  /// Gives the invariant of the sum with which the bound counts launches.
  void give(const IntTerm& start) const {
    start.query().give(
        OverChain<IntTerm>("launches").holds([start, of = *this](auto& sums, auto& sum) {
          of.define(sums);
          of.prove_fewer(sums);
          return sums >= 1 && sum + of(sums) == of(start);
        }));
  }

 private:
  TaskOf<IntTerm> task_;
  Function launches_;
};

/// If each block adds p ≥ 2 numbers and there are more than p numbers, log b + log p ≤ log s + 1.
void prove_fewer_levels(Query& q, const Columns& of) {
  const IntTerm log = ceil_log2(of.n);
  const IntTerm less = of.levels() - 1;
  const auto power = [&](const IntTerm& k) { return q.power_of_two(k); };
  const auto doubles = [&](const IntTerm& k) {  // the definition of powers of two
    q.assume(power(k + 1) == 2 * power(k));
  };
  q.apply(powers_of_two_grow(), {of.levels(), 1});
  q.claim("a level", less >= 0 && less <= log);
  q.induct(
      0, less, [&](const IntTerm& k) { return power(log - k) * power(k) == power(log); },
      [&](const IntTerm& k) {
        const IntTerm rest = log - k - 1;
        doubles(k);
        doubles(rest);
        q.multiply_equals(power(k), power(log - k), 2 * power(rest));
        q.multiply_equals(power(rest), power(k + 1), 2 * power(k));
      });
  doubles(less);
  const IntTerm left = of.blocks - 1;
  q.apply(multiples_are_apart(), {power(less), power(log - less) - 1, left});
  q.apply(powers_of_two_grow(), {log - less, ceil_log2(of.blocks)});
  q.multiply_by({left});
  q.claim("few blocks", of.blocks <= power(log - less));
  q.multiply_by({});
  q.claim("fewer levels", ceil_log2(of.blocks) + less <= log);
}

/// The upper bound on a launch.
Truth is_bounded_launch(const Columns& of, const Cost<IntTerm>& cost) {
  const IntTerm log = ceil_log2(of.n);
  const IntTerm after = ceil_log2(of.blocks);
  return of.w * (cost.global.stages + cost.shared.stages) + 5 * (of.blocks + of.w * after) <=
             5 * (of.n + of.w * log) + 10 * of.w &&
         cost.shared.rounds + 5 * after <= 5 * (log + 1);
}

/// Proves is_bounded_launch() for a launch with max(p, 2) numbers in a block, if there are enough
/// DMMs.
void prove_launch(Query& q, const Columns& of, const Cost<IntTerm>& cost) {
  const IntTerm each = larger(of.p, 2);
  const IntTerm log = ceil_log2(of.n);
  const IntTerm after = ceil_log2(of.blocks);
  const IntTerm pieces = of.pieces();
  const IntTerm most = ceil_div(of.n, each);
  const IntTerm levels = of.levels();
  Truth claim = is_bounded_launch(of, cost);
  q.conclude("a launch", [&] {
    q.multiply_by({of.ends(), of.p});
    q.claim("its columns", of.w * cost.global.stages <= of.global_stages() &&
                               implies(of.p == of.w, cost.global.stages <= pieces + of.blocks));
    q.multiply_by({of.w});
    q.claim("its sums", of.w * cost.shared.stages <= of.shared_stages() &&
                            cost.shared.rounds <= of.shared_rounds());
    q.multiply_by({});
    q.suppose(of.p == 1, [&] {
      q.claim("a thread", of.w == 1 && each == 2 && of.sums() == 1 && levels == 0);
      q.multiply_equals(pieces, of.p, 1);
      q.multiply_equals(most, each, 2);
      q.multiply_equals(levels, of.ends(), 0);
      for (const IntTerm& term : {cost.global.stages, cost.shared.stages, log, after}) {
        q.multiply_equals(term, of.w, 1);
      }
      return claim;
    });
    q.suppose(of.p >= 2 && of.n <= of.p, [&] {
      q.compare_multiples(of.p, pieces, 1);
      q.compare_multiples(each, most, 1);
      q.claim("one block", pieces == 1 && of.blocks == 1 && each == of.p);
      q.claim("levels", levels == log && after == 0);
      q.multiply_by({of.w});
      return claim;
    });
    q.suppose(of.p >= 2 && of.n > of.p, [&] {
      q.multiply_equals(most, each, of.p);
      q.compare_multiples(of.p, most, pieces);
      q.compare_multiples(of.p, pieces, 1);
      q.claim("several", pieces >= 2 && of.blocks <= pieces && of.sums() == of.p);
      q.scale(of.p, of.blocks, pieces);
      q.claim("a block has p", of.p * (of.blocks - 1) < of.n);
      prove_fewer_levels(q, of);
      q.multiply_by({of.w, pieces - 2, of.p - of.w});
      return claim;
    });
    return claim;
  });
}

/// Proves that there are at most two rounds of reads if no block has more than max(p, 2) numbers.
void prove_few_rounds(Query& q, const Columns& of) {
  const IntTerm each = larger(of.p, 2);
  const IntTerm rounds = ceil_div(of.n, of.blocks * of.p);
  const IntTerm most = ceil_div(of.n, each);
  q.conclude("rounds", [&] {
    q.multiply_equals(each, of.blocks, most);
    q.multiply_by({of.blocks});
    q.compare_multiples(of.blocks * of.p, rounds, 2);
    return implies(of.blocks == most, rounds <= 2);
  });
}

/// Gives the invariant of the launches after the first. It bounds their total cost, `further`, and
/// says that the bound counts exactly these launches.
void give_further_launches(Query& q, const Columns& first, const LaunchesLeft& left,
                           const std::shared_ptr<Cost<IntTerm>>& further) {
  const auto launched = [=](const IntTerm& sums) {
    return Columns{sums, left.next(sums), first.p, first.w};
  };
  q.give(OverChain<Cost<IntTerm>>("further launches")
             .holds([=](auto& sums, auto& sum) {
               const auto& [n, blocks, p, w] = first;
               left.define(sums);
               const IntTerm log = ceil_log2(blocks);
               const IntTerm after = ceil_log2(sums);
               return sum.overlap == 0 && sum.constant.stages == 0 && sum.constant.rounds == 0 &&
                      sums >= 1 && sums <= blocks && sum.launches + left(sums) == left(blocks) &&
                      w * (sum.global.stages + sum.shared.stages) + 5 * (sums + w * after) <=
                          5 * (blocks + w * log) + 10 * w * sum.launches &&
                      sum.shared.rounds + 5 * after <= 5 * (log + sum.launches) &&
                      sum.global.rounds <= 3 * sum.launches;
             })
             .step([=, &q](auto& sums) {
               const Columns of = launched(sums);
               left.prove_fewer(sums);
               q.multiply_by({of.p, of.ends(), of.blocks * of.p});
               of.give(q, true);
             })
             .after([=, &q](auto& sums, auto& launch) {
               prove_launch(q, launched(sums), launch);
               prove_few_rounds(q, launched(sums));
             })
             .whole([=](auto& all) { *further = all; }));
}

Theorem sum_recursive() {
  return Theorem{
      .id = "S4.recursive.upper",
      .source = "HMM theorem 7",
      .statement =
          "the recursive sum takes at most 5(n/w + nL/P + k(L + l) + l log n) in k launches",
      .domain = "all n, p ≥ w, d, w, l, L"}
      .proof([](Query& q) {
        const SumLetters of{q};
        const auto [n, p, w, l, L, d] = of.tie();
        q.assume(p >= w);
        const auto task = of.task("recursive");
        const IntTerm blocks = Sum::blocks(task, n);
        const Columns first{n, blocks, p, w};
        const LaunchesLeft left(q, task);
        const IntTerm each = larger(p, 2);
        q.multiply_equals(each, ceil_div(n, each), 0);
        q.claim("some blocks", blocks >= 1 && blocks <= d);
        q.multiply_by({p, w - 1, blocks * p});
        first.give(q, true);
        const auto further = std::make_shared<Cost<IntTerm>>();
        give_further_launches(q, first, left, further);
        const Cost<IntTerm> cost = Sum::cost(task);
        Cost<IntTerm> one_launch;
        one_launch.global.stages = cost.global.stages - further->global.stages;
        one_launch.shared.stages = cost.shared.stages - further->shared.stages;
        one_launch.shared.rounds = cost.shared.rounds - further->shared.rounds;
        prove_launch(q, first, one_launch);
        left.give(blocks);
        const IntTerm log = ceil_log2(n);
        q.multiply_by({});
        const BoundOf<IntTerm> bound = *Sum::upper(task);
        const IntTerm& launches = cost.launches;
        q.claim("a launch", launches >= 1 && launches == 1 + left(blocks));
        q.multiply_by({L, l});
        q.claim("as many launches", bound.terms[2].numerator == launches * (L + l));
        const IntTerm stages = w * (cost.global.stages + cost.shared.stages);
        q.multiply_by({w});
        q.claim("the stages", stages <= 5 * (n + w * log) + 10 * w * launches);
        prove_few_rounds(q, first);
        const IntTerm turns = ceil_div(n, blocks * p);
        q.multiply_equals(p * turns, blocks, d);
        q.multiply_equals(p, blocks, d);
        q.multiply_by({d, p, d * p});
        q.claim("the rounds", d * p * cost.global.rounds <= 5 * (n + d * p * launches));
        q.claim("those on shared memory", cost.shared.rounds <= 5 * (log + launches));
        q.multiply_by({l - 1, L - 1});
        q.multiply_by({w, d * p, w * d * p, w * (L - 1), w * d * p * (l - 1)});
        q.claim("the bound", is_at_most(lockstep_time(cost, task.machine), 5, bound));
      })
      .false_twin(prove_a_hundredth_less<SumRecursive>);
}

}  // namespace

std::vector<Theorem> theorems_on_recursive_sums() { return {sum_recursive()}; }

}  // namespace bankproof::proofs
