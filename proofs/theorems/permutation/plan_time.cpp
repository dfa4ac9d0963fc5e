// The time of the conflict-free permutation (row R3, THS 4.1), from a proper coloring of the banks'
// edges to the closed form of its lockstep time.
//
// The number of stages of a warp's access is the largest number of different words that it requests
// from one bank (row M1). If an access had two or more stages, two lanes would request different
// words of one bank, and the coloring would not be proper. So each access takes one stage. Then the
// proof adds up turns and warps.
#include <utility>

#include "../../../algorithms/permutation/permute.hpp"
#include "../../builder/sums.hpp"
#include "../lists.hpp"
#include "colored.hpp"

namespace bankproof::proofs {
namespace {

/// A plan for n elements. Elements from n on fill up the last row of banks. They are not moved:
/// their lanes are idle.
struct TimedPlan {
  Query& q;
  Colored plan;
  PermutingOf<IntTerm> size;
  IntTerm warps;  ///< warps of p threads
  /// Whether the coloring is proper at both ends. In the false twin, it is proper only on the side
  /// of the source.
  bool proper = true;
  /// Whether each step is a goal. A false twin has only one goal.
  bool in_steps = true;

  /// `of` is the number of an array: 0 for s, 1 for d, 2 for a, 3 for b. A lane accesses s and d at
  /// its own number, a at S, and b at D.
  IntTerm address(std::size_t of, const IntTerm& lane) {
    const IntTerm source = plan.source(lane);
    return of < 2 ? lane : of == 2 ? source : plan.permuted(source);
  }
  Truth takes_part(std::size_t of, const IntTerm& lane) {
    return of < 2 ? IntTerm(0) == 0 : plan.source(lane) < size.n;
  }

  /// Stages of a warp's access to this array.
  IntTerm stages(std::size_t of, const IntTerm& warp) {
    IntTerm stages = q.fresh("stages");
    const IntTerm first = row_major(warp, 0, plan.w);
    const IntTerm x = q.fresh("x");
    const IntTerm y = q.fresh("y");
    q.assume(x < plan.n && y < plan.n);
    for (const IntTerm& lane : {first, x, y}) q.compare_multiples(plan.w, lane / plan.w, warp);
    q.compare_multiples(plan.w, warp, plan.h);
    if (of > 2) plan.compare(plan.source(x), plan.source(y), proper);
    // An access has a stage if a lane takes part. If it has two or more, two lanes that take part
    // request different words of one bank.
    q.assume(implies(takes_part(of, first), stages >= 1));
    const auto takes_part_here = [&](const IntTerm& lane) {
      return takes_part(of, lane) && lane / plan.w == warp;
    };
    q.assume(implies(stages > 1, takes_part_here(x) && takes_part_here(y) &&
                                     address(of, x) != address(of, y) &&
                                     address(of, x) % plan.w == address(of, y) % plan.w));
    if (in_steps) {
      q.claim("the first lane is of bank 0",
              first < plan.n && first / plan.w == warp && first % plan.w == 0);
      q.claim("it is not idle", takes_part(of, first));
      q.claim("no lanes conflict", stages <= 1);
    }
    return stages;
  }

  /// The rounds of all turns. In a turn each warp makes one access to each array.
  Rounds<IntTerm> rounds() {
    const auto turns = ceil_div(plan.h, warps);
    return sum_over(turns, [&](const IntTerm& turn) {
      const IntTerm busy = smaller(warps, plan.h - turn * warps);
      Rounds<IntTerm> all;
      for (std::size_t of = 0; of < 4; ++of) {
        all.stages +=
            sum_over(busy, [&](const IntTerm& warp) { return stages(of, turn * warps + warp); });
        all.rounds += 1;
      }
      return all;
    });
  }
  Truth takes_the_closed_time(const Rounds<IntTerm>& rounds) const {
    return rounds.time(size.l) == size.rounds_of_plan().time(size.l);
  }
};

TimedPlan any_plan(Query& q) {
  Colored plan(q);
  const IntTerm n = q.number("n", 1, 11);
  q.assume(n <= plan.n && n > plan.n - plan.w);
  const IntTerm warps = q.number("p/w", 1, 2);
  return {q, plan, {n, plan.w * warps, plan.w, q.number("l", 1, 5)}, warps};
}

Theorem time_of_plan() {
  return Theorem{.id = "R3.time",
                 .source = "THS 4.1, lemma 4.2.2",
                 .statement =
                     "by a plan made from a proper coloring each access of a warp is a stage, and "
                     "the permutation takes 4⌈n/w⌉ + 4⌈n/p⌉(l − 1) in lockstep",
                 .domain =
                     "all n, w, l, permutations and proper colorings, w | p; by induction over "
                     "warps and turns"}
      .proof([](Query& q) {
        TimedPlan of = any_plan(q);
        const auto [w, h] = std::pair(of.plan.w, of.plan.h);
        const IntTerm turns = ceil_div(h, of.warps);
        // The closed form counts the lanes of a plan, and turns of p lanes.
        q.compare_multiples(w, ceil_div(of.size.n, w), h);
        q.claim("warps of the plan", ceil_div(of.size.n, w) == h);
        const IntTerm lanes = rounded_up(of.size.n, w);
        q.multiply_by({w});
        q.compare_multiples(w, lanes / w, h);
        q.compare_multiples(w, ceil_div(lanes, w), h);
        q.compare_multiples(of.size.p, ceil_div(lanes, of.size.p), turns);
        q.claim("stages of an access", lanes / w == h && ceil_div(lanes, w) == h);
        q.claim("turns", ceil_div(lanes, of.size.p) == turns);
        q.compare_multiples(of.warps, turns, 0);
        const auto give_accesses = [&q](const IntTerm& /*turn*/) {
          for (int arrays = 0; arrays < 4; ++arrays) {
            q.give(OverNumbers<IntTerm>("warps of an access").holds([](auto& k, auto& sum) {
              return sum == k;
            }));
          }
        };
        q.give(OverNumbers<Rounds<IntTerm>>("turns")
                   .holds([=](auto& k, auto& sum) {
                     k.query().compare_multiples(of.warps, k, turns);
                     return sum.stages == 4 * smaller(k * of.warps, h) && sum.rounds == 4 * k;
                   })
                   .step(give_accesses));
        const Rounds<IntTerm> rounds = of.rounds();
        q.multiply_by({of.size.l - 1});
        q.claim("the time", of.takes_the_closed_time(rounds));
        q.claim("as printed",
                of.size.rounds_of_plan().time(of.size.l) == 4 * (h + turns * (of.size.l - 1)));
      })
      .false_twin([](Query& q) {
        // Elements 0 and 1 have one color and go to 0 and 2, which are in one bank.
        const IntTerm two = q.constant(2);
        const IntTerm one = q.constant(1);
        Colored plan(q, two, two);
        for (const auto& [from, to] : {std::pair(0U, 0U), {1U, 2U}, {2U, 1U}, {3U, 3U}}) {
          q.assume(plan.permuted(q.constant(from)) == q.constant(to));
          q.assume(plan.color(q.constant(from)) == q.constant(from / 2));
        }
        TimedPlan of{q, plan, {q.constant(4), two, two, q.constant(5)}, one, false, false};
        q.claim("the time", of.takes_the_closed_time(of.rounds()));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_times_of_plans() { return {time_of_plan()}; }

}  // namespace bankproof::proofs
