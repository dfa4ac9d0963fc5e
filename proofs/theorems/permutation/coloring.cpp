// Conflict-free permutation from a proper coloring of the banks' edges (rows R3 and R4, THS 4.2),
// for every n = hw and w. Element x is an edge from bank x mod w to bank P(x) mod w. Edges that
// share a bank have different colors. A color is a warp: lane (i, j) moves the element of color i
// that lies in bank j. Counting shows that each bank has such an element (counting.cpp).
#include <array>

#include "../lists.hpp"
#include "colored.hpp"

namespace bankproof::proofs {
namespace {

/// Whether two lanes of a warp read from different banks. In the false twin, the lanes may be of
/// different warps.
Truth reads_apart(Query& q, bool of_a_warp) {
  Colored plan(q);
  const IntTerm x = plan.lane("x", 1);
  const IntTerm y = plan.lane("y", of_a_warp ? 2 : 5);
  q.assume(x != y);
  if (of_a_warp) q.assume(x / plan.w == y / plan.w);
  return plan.source(x) % plan.w != plan.source(y) % plan.w;
}

Theorem reads() {
  return Theorem{.id = "R3.reads",
                 .source = "THS 4.1, lemma 4.2.2",
                 .statement =
                     "the elements that a warp of the plan reads are in different banks, as the "
                     "plan is made: lane j of warp i has one of color i in bank j",
                 .domain = "all w, n = hw, permutations and proper colorings"}
      .claim_both("different banks", reads_apart);
}

/// Whether two lanes of a warp write to different banks. In the false twin, the coloring is proper
/// on the side of the source only.
Truth writes_apart(Query& q, bool proper_at_both_ends) {
  Colored plan(q);
  const IntTerm x = plan.lane("x", 1);
  const IntTerm y = plan.lane("y", 2);
  q.assume(x != y && x / plan.w == y / plan.w);
  const IntTerm s = plan.source(x);
  const IntTerm t = plan.source(y);
  plan.compare(s, t, proper_at_both_ends);
  return plan.permuted(s) % plan.w != plan.permuted(t) % plan.w;
}

Theorem writes() {
  return Theorem{.id = "R3.writes",
                 .source = "THS 4.1, lemma 4.2.2",
                 .statement =
                     "the elements that a warp of a plan made from a proper coloring writes are in "
                     "different banks",
                 .domain = "all w, n = hw, permutations and proper colorings"}
      .claim_both("different banks", writes_apart);
}

/// Whether S takes two lanes to different elements. In the false twin, the plan lists for each bank
/// some element of any color.
Truth sources_differ(Query& q, bool of_its_color) {
  Colored plan(q);
  const IntTerm x = plan.lane("x", 1);
  const IntTerm y = plan.lane("y", 5);
  q.assume(x != y);
  q.compare_multiples(plan.w, x / plan.w, y / plan.w);
  const IntTerm s = plan.source(x, of_its_color);
  const IntTerm t = plan.source(y, of_its_color);
  return s != t && s >= 0 && s < plan.n;
}

Theorem sources() {
  return Theorem{
      .id = "R3.sources",
      .source = "THS lemma 4.2.2",
      .statement =
          "S made from a proper coloring takes different lanes to different elements of 0 … n − 1",
      .domain = "all w, n = hw, permutations and proper colorings"}
      .claim_both("different elements", sources_differ);
}

/// Whether D takes two lanes to different places. In the false twin, P takes two elements to one
/// place.
Truth destinations_differ(Query& q, bool is_permutation) {
  Colored plan(q);
  const IntTerm x = plan.lane("x", 1);
  const IntTerm y = plan.lane("y", 5);
  q.assume(x != y);
  q.compare_multiples(plan.w, x / plan.w, y / plan.w);
  const IntTerm s = plan.source(x);
  const IntTerm t = plan.source(y);
  // Another function. Only its range is known.
  const Function any = q.function("any");
  const auto taken = [&](const IntTerm& e) { return is_permutation ? plan.permuted(e) : any(e); };
  return taken(s) != taken(t) && plan.permuted(s) >= 0 && plan.permuted(s) < plan.n;
}

Theorem destinations() {
  return Theorem{.id = "R3.destinations",
                 .source = "THS lemma 4.2.2",
                 .statement =
                     "D = P∘S, S made from a proper coloring, takes different lanes to different "
                     "places of 0 … n − 1",
                 .domain = "all w, n = hw, permutations and proper colorings"}
      .claim_both("different places", destinations_differ);
}

/// Whether the lane of an element's color and bank moves the element. In the false twin, it is the
/// lane of the bank that the element goes to.
Truth is_moved(Query& q, bool by_its_bank) {
  Colored plan(q);
  const IntTerm e = plan.element("e", 6);
  const IntTerm bank = by_its_bank ? e % plan.w : plan.permuted(e) % plan.w;
  const IntTerm lane = row_major(plan.color(e), bank, plan.w);
  for (const IntTerm& other : {IntTerm(0), plan.h - 1, lane / plan.w}) {
    q.compare_multiples(plan.w, plan.color(e), other);
  }
  const IntTerm s = plan.source(lane);
  plan.compare(s, e);
  return lane >= 0 && lane < plan.n && s == e && plan.destination(lane) == plan.permuted(e);
}

Theorem composition() {
  return Theorem{.id = "R3.composition",
                 .source = "THS 4.1, lemma 4.2.2",
                 .statement =
                     "a plan made from a proper coloring moves each element e, by the lane of its "
                     "color and bank: b[D(i)] ← a[S(i)] for all lanes i takes a[e] to b[P(e)]",
                 .domain = "all w, n = hw, permutations and proper colorings"}
      .claim_both("moved", is_moved);
}

/// S, D = P∘S and their values at the elements i, S⁻¹(i), S(i) and P(i).
struct Composed {
  IntTerm i;
  Function p;
  Function s;
  Function of_s;  ///< S⁻¹

  explicit Composed(Query& q)
      : i(q.number("i", 0, 1)), p(q.function("P")), s(q.function("S")), of_s(q.function("s")) {
    for (const IntTerm& e : {i, p(s(i)), p(i)}) {
      q.assume(s(of_s(e)) == e && of_s(s(e)) == e);
    }
  }
  IntTerm d(const IntTerm& e) const { return p(s(e)); }
  Truth mended() const { return d(of_s(i)) == p(i); }
  Truth printed() const { return of_s(d(i)) == p(i); }
};

Theorem mended_identity() {
  return Theorem{.id = "R3.identity",
                 .source = "THS 4.1, mended",
                 .statement = "D(S⁻¹(i)) = P(i) for every i",
                 .domain = "all permutations P and S, with D = P∘S"}
      .proof([](Query& q) { q.claim("as P", Composed(q).mended()); })
      .false_twin([](Query& q) { q.claim("as P", Composed(q).printed()); });
}

/// Whether the S, D and P that THS prints for n = 16 and w = 4 have D = P∘S, and the printed
/// identity holds for them at i (or, if `holds` is false, does not hold).
Truth printed_plan(std::size_t i, bool holds) {
  constexpr std::array<std::uint64_t, 16> p = {0, 4, 8,  12, 1, 5, 9,  13,
                                               2, 6, 10, 14, 3, 7, 11, 15};
  constexpr std::array<std::uint64_t, 16> s = {0, 5, 10, 15, 1, 6, 11, 12,
                                               2, 7, 8,  13, 3, 4, 9,  14};
  constexpr std::array<std::uint64_t, 16> d = {0, 5,  10, 15, 4,  9, 14, 3,
                                               8, 13, 2,  7,  12, 1, 6,  11};
  Truth all = IntTerm(0) == 0;
  std::uint64_t of_s = 0;
  for (std::size_t k = 0; k < 16; ++k) {
    all = all && IntTerm(d[k]) == IntTerm(p[s[k]]);
    if (s[k] == d[i]) of_s = k;
  }
  const Truth equal = IntTerm(of_s) == IntTerm(p[i]);
  return all && (holds ? equal : !equal);
}

Theorem printed_identity() {
  return Theorem{.id = "R3.printed",
                 .source = "THS 4.1, refuted",
                 .statement =
                     "S⁻¹(D(i)) = P(i) holds just where P(S(i)) = S(P(i)), and not of the S, D and "
                     "P that are printed there, at i = 1",
                 .domain = "all permutations P and S, with D = P∘S"}
      .proof([](Query& q) {
        const Composed of(q);
        const Truth commute = of.d(of.i) == of.s(of.p(of.i));
        q.claim("where they commute", implies(commute, of.printed()));
        q.claim("nowhere else", implies(of.printed(), commute));
        q.claim("not of the printed ones", printed_plan(1, false));
      })
      .false_twin([](Query& q) { q.claim("of the printed ones", printed_plan(1, true)); });
}

}  // namespace

std::vector<Theorem> theorems_on_colorings() {
  return {reads(),       writes(),          sources(),         destinations(),
          composition(), mended_identity(), printed_identity()};
}

}  // namespace bankproof::proofs
