// Upper bounds on permutations whose threads take one turn after another (rows R3 and H2), for all
// permutations, sizes, threads, widths and latencies.
#include "../../builder/bounds.hpp"

#include "../../../algorithms/permutation/permute.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"

namespace bankproof::proofs {
namespace {

using Size = PermutingOf<IntTerm>;

Truth plan_is_bounded(const Size& size, std::uint64_t factor) {
  return is_at_most(size.rounds_of_plan().time(size.l), factor, size.upper_of_plan());
}

Theorem by_a_plan() {
  return Theorem{.id = "R3.upper",
                 .source = "THS 4.1",
                 .statement =
                     "the conflict-free permutation takes at most 4(⌈n/w⌉ + nl/p + l), whatever "
                     "the permutation",
                 .domain = "all n, w, l, plans and p, a multiple of w"}
      .proof([](Query& q) {
        const auto [n, w, warps, l] =
            q.numbers({{"n", 1, 9}, {"w", 1, 2}, {"p/w", 1, 2}, {"l", 1, 3}});
        const Size size{n, w * warps, w, l};
        // Both the lanes of a plan and the threads are whole warps. So the lanes take the
        // same number of turns as the elements.
        const IntTerm lanes = rounded_up(n, w);
        const IntTerm turns = ceil_div(lanes, size.p);
        q.apply(multiples_are_apart(), {w, ceil_div(n, w) + warps - 1, warps * turns});
        q.compare_multiples(w, lanes / w, ceil_div(n, w));
        q.multiply_by({w});
        q.claim("there are threads", size.p >= w);
        q.claim("warps of all turns", warps * turns < ceil_div(n, w) + warps);
        q.claim("turns", size.p * turns < n + size.p);
        q.compare_multiples(w, ceil_div(lanes, w), ceil_div(n, w));
        q.claim("stages of an access",
                lanes / w == ceil_div(n, w) && ceil_div(lanes, w) == ceil_div(n, w));
        q.multiply_by({l - 1});
        q.multiply_by({w, w * (l - 1), w * w * warps});
        q.claim("the bound", plan_is_bounded(size, 4));
      })
      .false_twin(prove_a_hundredth_less<PermutationByPlan>);
}

/// A permutation of n elements whose casual access takes `stages` stages, at least one for each
/// warp (H1.bounds).
Size designated(Query& q, IntTerm& stages) {
  Size size{q.number("n", 1, 9), q.number("P", 1, 4), q.number("w", 1, 2),
            q.number("latency", 1, 3)};
  stages = q.number("stages", 1, 6);
  q.assume(stages >= ceil_div(size.n, size.w));
  return size;
}

Truth designated_is_bounded(const Size& size, const IntTerm& stages, std::uint64_t factor) {
  return is_at_most(size.lockstep_time(3, stages), factor, size.upper_of_designated(stages));
}

Theorem by_destination_or_source() {
  return Theorem{
      .id = "H2.upper",
      .source = "THS lemma 5.2.3",
      .statement =
          "permutations by destination or by source take at most 3(S + nl/P + l), with S = D_w and "
          "L for l on the HMM, on the DMM with S the stages of the casual access",
      .domain = "all n, P, w, l and permutations"}
      .proof([](Query& q) {
        IntTerm stages;
        const Size size = designated(q, stages);
        q.multiply_by({size.p, size.l - 1});
        q.claim("the bound", designated_is_bounded(size, stages, 3));
      })
      .false_twin(prove_a_hundredth_less<PermutationByDestination>);
}

/// With one thread for each element, the time is D_w + 2n/w + latencies·(L − 1). The printed time
/// has latencies = 3.
Truth is_the_printed_time(const Size& size, const IntTerm& stages, std::uint64_t latencies) {
  const IntTerm time = size.lockstep_time(3, stages);
  return size.w * time == size.w * stages + 2 * size.n + size.w * (latencies * (size.l - 1));
}

Theorem by_destination_or_source_printed() {
  return Theorem{.id = "H2.time",
                 .source = "THS lemma 5.2.3",
                 .statement = "permutations by destination or by source take D_w + 2n/w + 3L − 3",
                 .domain = "all w, L and permutations of n = P elements, w | n"}
      .proof([](Query& q) {
        const auto [w, warps] = q.numbers({{"w", 1, 2}, {"n/w", 1, 3}});
        const IntTerm n = w * warps;
        const Size size{n, n, w, q.number("L", 1, 5)};
        const IntTerm turns = ceil_div(n, n);
        q.compare_multiples(w, ceil_div(n, w), warps);
        q.apply(multiples_are_apart(), {n, turns, 1});
        q.apply(multiples_are_apart(), {n, 1, turns});
        q.multiply_by({w});
        q.claim("n is positive", n >= 1);
        q.claim("a turn", turns == 1);
        q.multiply_by({w, size.l - 1, w * (size.l - 1)});
        q.claim("the time", is_the_printed_time(size, q.number("D", 1, 5), 3));
      })
      .false_twin([](Query& q) {
        q.claim("the time", is_the_printed_time({4, 4, 2, 5}, 4, 2));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_permutations_one_by_one() {
  return {by_a_plan(), by_destination_or_source(), by_destination_or_source_printed()};
}

}  // namespace bankproof::proofs
