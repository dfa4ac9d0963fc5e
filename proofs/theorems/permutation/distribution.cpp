// The distribution D_w(P) of a permutation (row H1, THS 5.2): the number of pairs (⌊i/w⌋,
// ⌊P(i)/w⌋). This is the number of stages that all warps' accesses take on a UMM.
#include "../../builder/parameters.hpp"
#include "../../builder/sums.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// n elements in warps of w lanes. A warp has at least one pair, and at most one pair for each
/// lane. The false twin allows one pair more.
Truth is_bounded(Query& q, const IntTerm& n, const IntTerm& w, std::uint64_t more) {
  const IntTerm warps = ceil_div(n, w);
  const IntTerm pairs = sum_over(warps, [&](const IntTerm& warp) {
    IntTerm of_warp = q.fresh("pairs", 1);
    q.assume(of_warp <= smaller(w, n - warp * w) + IntTerm(more));
    return of_warp;
  });
  return warps <= pairs && pairs <= n;
}

Theorem bounds() {
  return Theorem{.id = "H1.bounds",
                 .source = "THS 5.2",
                 .statement = "⌈n/w⌉ ≤ D_w(P) ≤ n",
                 .domain = "all n, w and permutations, by induction over warps"}
      .proof([](Query& q) {
        const IntTerm n = q.number("n", 1, 9);
        const IntTerm w = width(q);
        q.give(OverNumbers<IntTerm>("warps").holds(
            [=](auto& k, auto& pairs) { return k <= pairs && pairs <= smaller(k * w, n); }));
        q.claim("between them", is_bounded(q, n, w, 0));
      })
      .false_twin([](Query& q) { q.claim("between them", is_bounded(q, 9, 4, 1)); });
}

/// Whether the pair of i for P, exchanged, is the pair of P(i) for the inverse of P. The false twin
/// takes i instead of P(i).
Truth is_symmetric(Query& q, bool at_its_place) {
  const IntTerm w = width(q);
  const IntTerm i = q.number("i", 0, 5);
  const Function p = q.function("P");
  const Function inverse = q.function("Q");
  q.assume(p(i) >= 0 && inverse(p(i)) == i && inverse(i) >= 0);
  const IntTerm j = at_its_place ? p(i) : i;
  q.compare_multiples(w, inverse(j) / w, i / w);
  q.compare_multiples(w, j / w, p(i) / w);
  return j / w == p(i) / w && inverse(j) / w == i / w;
}

Theorem inverse() {
  return Theorem{
      .id = "H1.inverse",
      .source = "THS 5.2",
      .statement =
          "if (a, b) is the pair of i for P, then (b, a) is the pair of P(i) for P⁻¹; so the "
          "pairs of P, exchanged, are pairs of P⁻¹",
      .domain = "all w and permutations"}
      .proof([](Query& q) { q.claim("the pair exchanged", is_symmetric(q, true)); })
      .false_twin([](Query& q) { q.claim("the pair exchanged", is_symmetric(q, false)); });
}

}  // namespace

std::vector<Theorem> theorems_on_distributions() { return {bounds(), inverse()}; }

}  // namespace bankproof::proofs
