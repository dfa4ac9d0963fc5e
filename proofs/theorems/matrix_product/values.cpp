// The values of matrix products (row X2), for every size: the terms of one element add up tile by
// tile, and threads read factors from the words to which they were loaded.
#include <utility>

#include "../../../algorithms/matrix_product.hpp"
#include "../../builder/parameters.hpp"
#include "../../builder/ranges.hpp"
#include "../lists.hpp"
#include "../values/tiles.hpp"

namespace bankproof::proofs {
namespace {

/// One step of the product in tiles, which adds the m terms from term `first` on to an element of
/// c. Terms past the end are zeros, except in the false twin.
struct TileStep {
  Query& q;
  IntTerm inner;
  IntTerm m;
  IntTerm first;
  RangeSum terms;
  Function sum;
  bool filled;

  TileStep(Query& query, IntTerm of_inner, IntTerm side, IntTerm begin, RangeSum of_terms,
           bool with_zeros = true)
      : q(query),
        inner(std::move(of_inner)),
        m(std::move(side)),
        first(std::move(begin)),
        terms(std::move(of_terms)),
        sum(q.function("sum")),
        filled(with_zeros) {}
  /// Assumes that the step adds term first + k, if the tiles hold this term.
  void term(const IntTerm& k) const {
    const IntTerm at = first + k;
    const IntTerm next = sum(k + 1);
    const Truth there = filled ? at < inner : IntTerm(0) < 1;
    q.assume(implies(there, next == sum(k) + terms.item(at)));
    q.assume(implies(!there, next == sum(k)));
    terms.split(0, at, at + 1);
  }
  /// Whether the sum is right after k terms of the tile.
  Truth has_added(const IntTerm& k) const { return sum(k) == terms(0, smaller(first + k, inner)); }
};

Theorem tile_products() {
  return Theorem{.id = "X2.value",
                 .source = "OPT V, theorem 8",
                 .statement =
                     "after each pair of tiles an element of c is the sum of the terms up to it: "
                     "in the end, of all",
                 .domain = "all sizes and m, by induction over terms and tiles"}
      .proof([](Query& q) {
        const auto [inner, m] = q.numbers({{"inner", 1, 7}, {"m", 1, 3}});
        const IntTerm steps = ceil_div(inner, m);
        const RangeSum terms(q, "terms");
        terms.empty(0);
        // The element of c after each step.
        const Function sum = q.function("c");
        q.assume(sum(0) == 0);
        q.multiply_by({m});
        q.claim("steps for all terms", steps * m >= inner);
        q.induct(
            0, steps,
            [&](const IntTerm& step) { return sum(step) == terms(0, smaller(step * m, inner)); },
            [&](const IntTerm& step) {
              q.multiply_by({m, step});
              q.claim("terms before", step * m >= 0 && step * m < inner);
              q.multiply_by({});
              const TileStep of(q, inner, m, step * m, terms);
              q.assume(of.sum(0) == sum(step) && of.sum(m) == sum(step + 1));
              q.claim("so far", of.has_added(0));
              q.induct(
                  0, m, [&](const IntTerm& k) { return of.has_added(k); },
                  [&](const IntTerm& k) { of.term(k); });
              q.claim("a tile more", of.has_added(m));
            });
        q.claim("all terms", sum(steps) == terms(0, inner));
      })
      .false_twin([](Query& q) {
        const TileStep of(q, 3, 2, 2, RangeSum(q, "terms"), false);
        q.assume(of.has_added(0));
        of.term(0);
        of.term(1);
        q.claim("a tile more", of.has_added(2));
      });
}

/// Element (y, x) of c, and its term first + k in the step that begins at term `first`. In the
/// false twin, b's tile lies at the position of a's tile.
struct Factors {
  MultiplyingOf<IntTerm> size;
  TileOf tile;
  IntTerm first;
  IntTerm k;
  Loaded of_a;
  Loaded of_b;

  explicit Factors(Query& q, bool of_its_own = true)
      : size{q.number("rows", 1, 9), q.number("inner", 1, 7), q.number("columns", 1, 8)},
        tile(below(q, "y", size.rows, 5), below(q, "x", size.columns, 7), size.columns,
             q.number("m", 1, 3)),
        first(q.number("first", 0, 3)),
        k(below(q, "k", tile.m, 1)),
        of_a(q, "a tile", tile.m),
        of_b(q, "b tile", tile.m) {
    q.assume(first + k < size.inner);
    const auto& [top, left] = tile.corner;
    const WindowOf<IntTerm> a{size.rows, size.inner, top, first};
    const WindowOf<IntTerm> b{size.inner, size.columns, of_its_own ? first : top,
                              of_its_own ? left : first};
    of_a.load(a, tile.i, k);
    of_b.load(b, k, tile.j);
  }
  Truth are_read() const {
    const IntTerm term = first + k;
    return of_a.at(tile.i, k) == row_major(tile.y, term, size.inner) &&
           of_b.at(k, tile.j) == row_major(term, tile.x, size.columns);
  }
};

Theorem tile_factors() {
  return Theorem{
      .id = "X2.tiles",
      .source = "OPT V",
      .statement =
          "each element (y, x) of c has a block, which in the step from term f on reads words of "
          "its tiles that were loaded with a(y, f + k) and b(f + k, x), and no others",
      .domain = "all sizes and m; terms that there are"}
      .proof([](Query& q) {
        const Factors of(q);
        of.tile.prove_place(q);
        q.multiply_by({of.size.inner, of.size.columns});
        q.claim("the factors", of.are_read());
        q.multiply_by({});
        of.of_a.prove_alone(of.tile.i, of.k);
        of.of_b.prove_alone(of.k, of.tile.j);
      })
      .false_twin([](Query& q) { q.claim("the factors", Factors(q, false).are_read()); });
}

}  // namespace

std::vector<Theorem> theorems_on_values_of_matrix_products() {
  return {tile_products(), tile_factors()};
}

}  // namespace bankproof::proofs
