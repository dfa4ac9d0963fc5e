// The upper bound on the global memory access cost of (1+r)R1W, by THS theorem 6.5.1 (row A7), for
// all triangles and all depths of their recursion.
//
// A triangle of t diagonals has t(t + 1)/2 tiles. A tile takes at most w + 3 stages in step 1 and
// 2w + 3 in step 3. The 3 stages are for two edges and a corner. In step 1, the tile leaves them
// for the tiles below, to the right, and diagonally below. In step 3, the tile takes them from the
// tiles above, to the left, and diagonally above. In step 2, the sums down and along, and the table
// of tile sums, are counted as if the triangle were a square. The first triangle leaves the edges
// of its last two diagonals. The last triangle takes the edges of the two diagonals before it.
#include <string>
#include <utility>

#include "../times.hpp"
#include "../turns/close.hpp"
#include "../turns/tight.hpp"
#include "hybrid.hpp"

namespace bankproof::proofs {
PartOf<IntTerm> in_its_box(Query& q, const TableSums& whole, const PartOf<IntTerm>& part,
                           const IntTerm& t, const IntTerm& side, bool is_last) {
  const IntTerm before = is_last ? whole.tiles() - side : IntTerm(0);
  PartOf<IntTerm> boxed = part;
  boxed.top = boxed.left = before;
  boxed.down = boxed.across = side;
  boxed.first = is_last ? side : IntTerm(0);
  boxed.end = (is_last ? whole.tiling().diagonals() : t) - before - before;
  q.conclude("its box", [&] {
    q.multiply_by({});
    q.claim("its tiles", part.top == before && part.left == before && part.down == side &&
                             part.across == side && part.first == boxed.first &&
                             part.end == boxed.end && boxed.end == boxed.first + t);
    q.multiply_by({whole.w()});
    return boxed.width() == whole.w() * side && boxed.height() == whole.w() * side &&
           boxed.end == boxed.first + t;
  });
  return boxed;
}

void Triangle::give_rows(const IntTerm& each, bool leaves, const InTile& in_tile) const {
  const IntTerm zero(0);
  const IntTerm two(2);
  const auto give_tiles = [=, this](const IntTerm& y) {
    query_.give(OverNumbers<OfRounds>{
        .name = "tiles of a row",
        .holds =
            [=, this](const IntTerm& k, const OfRounds& sum) {
              const IntTerm more = leaves ? two * minus_or_zero(k + two, in_row(y)) : zero;
              return whole_.bounded(sum.stages, each * k + more);
            },
        .step =
            [=, this](const IntTerm& k) {
              const IntTerm x = part_.row(part_.first, part_.end, y).begin + k;
              box_.know_place(part_, y, x);
              query_.multiply_by({w()});
              in_tile(y, x);
            }});
  };
  const auto give_row = [=, this](const IntTerm& k) {
    const auto row = part_.row(part_.first, part_.end, k);
    query_.conclude("a row of tiles", [&] {
      query_.multiply_by({});
      return row.begin == (is_last_ ? side_ - k : zero) && row.count == in_row(k) && k < side_;
    });
    query_.multiply_by({w()});
    give_tiles(k);
  };
  const auto holds = [=, this](const IntTerm& k, const OfRounds& sum) {
    return whole_.bounded(two * sum.stages, each * twice_before(k) + IntTerm(leaves ? 8 : 0) * k);
  };
  query_.give(OverNumbers<OfRounds>{.name = "rows of tiles", .holds = holds, .step = give_row});
}

void Triangle::give_edges() const {
  give_rows(whole_.of_tile(1), false, [this](const IntTerm& y, const IntTerm& x) {
    box_.give_edges_of_tile(whole_, part_, y, x);
  });
}

/// The tiles on the two diagonals before the triangle, two in each row except the last row. The
/// first of the two tiles in a row has only a corner; the second also has edges.
void Triangle::give_differences() const {
  const auto give_rows_before = [this](const IntTerm&) {
    query_.give(OverNumbers<OfRounds>{
        .name = "rows before the triangle",
        .holds = [](const IntTerm& k,
                    const OfRounds& sum) { return sum.stages <= IntTerm(14) * k; },
        .step =
            [this](const IntTerm& k) {
              query_.conclude("a row before it", [&] {
                const IntTerm two(2);
                query_.multiply_by({});
                const auto row = row_before(k);
                return row.begin + row.count == side_ - k && row.count <= two &&
                       row.count >= IntTerm(1) && implies(k < t_, row.count == two) &&
                       row.begin >= IntTerm(0) && k < side_;
              });
              give_differences_of_row(k);
            }});
  };
  query_.give(of_one("tiles before the triangle", IntTerm(14) * side_, give_rows_before));
}

void Triangle::give_differences_of_row(const IntTerm& y) const {
  const auto row = row_before(y);
  query_.give(OverNumbers<OfRounds>{
      .name = "tiles of a row before the triangle",
      .holds =
          [=](const IntTerm& k, const OfRounds& sum) {
            const IntTerm first =
                select(row.count == IntTerm(2), smaller(k, IntTerm(1)), IntTerm(0));
            return sum.stages <= IntTerm(12) * k - IntTerm(10) * first;
          },
      .step =
          [=, this](const IntTerm& k) {
            const IntTerm x = row.begin + k;
            box_.know_place(part_, y, x);
            query_.multiply_equals(part_.left + x, whole_.tiling().matrix.rows,
                                   w() * whole_.tiles());
            query_.multiply_by({w()});
            for (const bool bottom : {true, false}) give_differences_of_tile(y, x, bottom);
          }});
}

void Triangle::give_differences_of_tile(const IntTerm& y, const IntTerm& x, bool bottom) const {
  const IntTerm one(1);
  const SumPlacesOf<IntTerm> to(part_, y, x);
  const EdgePlacesOf<IntTerm> at = part_.edges(y, x);
  const IntTerm wanted = bottom ? to.columns : to.rows;
  const IntTerm most = smaller(wanted, one);
  const auto prove_runs = [=, this](const IntTerm& k) {
    const IntTerm zero(0);
    const TableSums anywhere = whole_.of_sums(whole_.tiling());
    const IntTerm& p = whole_.task().machine.p;
    const IntTerm start = k * p;
    const IntTerm count = smaller(p, w() - start);
    const IntTerm words = smaller(count, minus_or_zero(wanted, start));
    const IntTerm from = bottom ? at.own_bottom : at.own_right;
    const IntTerm into = bottom ? to.in_columns : to.in_rows;
    const IntTerm lacks = select(start == zero && !(bottom ? at.left : at.above), one, zero);
    const IntTerm top = part_.top + y;
    const IntTerm left = part_.left + x;
    const Truth always = k >= zero;
    query_.multiply_equals(p, k, zero);
    boundaries(zero, words, w());  // for the two runs of these words
    whole_.prove_run({from + start, words},
                     bottom ? top * whole_.tiles() + left : left * whole_.tiles() + top, most,
                     always);
    anywhere.prove_run({from + start + lacks - one, minus_or_zero(words, lacks), lacks}, zero, most,
                       always);
    box_.prove_run({into + start, words}, bottom ? y * side_ + x : x * side_ + y, most, always);
  };
  query_.give(of_one("turns along an edge", IntTerm(4) * most, prove_runs));
}

/// Gives trivial invariants for the same tiles.
void Triangle::give_any_differences() const {
  Query& q = query_;
  q.give(anything<OfRounds>("tiles before the triangle", [&q](const IntTerm&) {
    q.give(anything<OfRounds>("rows before the triangle", [&q](const IntTerm&) {
      q.give(anything<OfRounds>("tiles of a row before the triangle", [&q](const IntTerm&) {
        for (int edges = 0; edges < 2; ++edges) q.give(anything<OfRounds>("turns along an edge"));
      }));
    }));
  }));
}

void Triangle::give_tables() const {
  const bool leaves = !is_last_ && !whole_.is_at_least();
  give_rows(whole_.of_tile(2), leaves, [this](const IntTerm& y, const IntTerm& x) {
    box_.give_table_of_tile(whole_, part_, y, x, [&] {
      if (!is_last_) give_edges_left(y, x);  // no tiles follow the last triangle
    });
  });
}

/// The edges that tile (y, x) leaves for the tiles that follow the triangle.
void Triangle::give_edges_left(const IntTerm& y, const IntTerm& x) const {
  const std::string name = "edges of a tile";
  const IntTerm zero(0);
  const EdgePlacesOf<IntTerm> at = part_.edges(y, x);
  const Truth wanted = part_.is_last(y, x);
  const auto give_runs = [=, this](const IntTerm&) {
    const IntTerm row = part_.top + y;
    const IntTerm column = part_.left + x;
    whole_.give_run(at.own_bottom, select(wanted && at.below, at.columns, zero),
                    row * whole_.tiles() + column);
    whole_.give_run(at.own_right, select(wanted && at.right, at.rows, zero),
                    column * whole_.tiles() + row);
  };
  query_.give(whole_.is_at_least()
                  ? anything<OfRounds>(name, give_runs)
                  : of_one(name, IntTerm(2) * select(wanted, IntTerm(1), zero), give_runs));
}

Truth Triangle::is_bounded(const Depth& depth, const Cost<IntTerm>& cost) const {
  const IntTerm one(1);
  const IntTerm two(2);
  const IntTerm more = side_ - one;
  const IntTerm tiles = (IntTerm(3) * w() + IntTerm(6)) * t_ * (t_ + one);
  const IntTerm edges = IntTerm(is_last_ ? 28 : 8) * side_;
  return two * w() * cost.global.stages <= w() * (tiles + edges + IntTerm(8) * side_ * more) +
                                               IntTerm(40) * more * more +
                                               IntTerm(8) * w() * more &&
         cost.launches <= IntTerm(3) + two * depth(part_.down);
}

void Triangle::give(const Depth& depth) const {
  query_.give(OverNumbers<Cost<IntTerm>>{
      .name = "a triangle",
      .holds =
          [=, this](const IntTerm& k, const Cost<IntTerm>& sum) {
            const IntTerm zero(0);
            const IntTerm one(1);
            return implies(k <= zero, sum.global.stages <= zero && sum.launches <= zero) &&
                   implies(k >= one, is_bounded(depth, sum)) && k <= one;
          },
      .step =
          [=, this](const IntTerm& k) {
            const IntTerm one(1);
            query_.claim("not empty", t_ >= one && k == IntTerm(0));
            query_.multiply_by({w(), t_, part_.down - one});
            prove_edges(query_, inner_);
            depth.define(part_.down);
            give_launches(depth);
          },
      .after =
          [=, this](const IntTerm&, const Cost<IntTerm>& cost) {
            const IntTerm one(1);
            prove_with_and_without(query_, part_, [&] {
              query_.multiply_by({w(), part_.down - one, w() * (part_.down - one)});
              return is_bounded(depth, cost);
            });
            query_.multiply_by({w()});
          }});
}

void Triangle::give_launches(const Depth& depth) const {
  give_edges();
  if (is_last_) give_differences();
  give_finish(
      query_, inner_, part_, hypothesis_of(inner_, depth),
      [this] {
        box_.give_down(part_.columns(), part_.columns().rows, is_last_);
        box_.give_down(part_.rows(), part_.rows().rows, is_last_);
      },
      [this] { give_tables(); });
}

void Triangle::give_least() const {
  const auto give_sums = [this](const IntTerm& k) {
    query_.claim("not empty", t_ >= IntTerm(1) && k == IntTerm(0));
    query_.multiply_by({w(), t_});
    give_edges();
    if (is_last_) give_any_differences();
    give_any_sums(query_, whole_);
    give_tables();
  };
  query_.give(OverNumbers<Cost<IntTerm>>{.name = "a triangle",
                                         .holds =
                                             [this](const IntTerm& k, const Cost<IntTerm>& sum) {
                                               return implies(k >= IntTerm(1), is_at_least(sum));
                                             },
                                         .step = give_sums});
}

namespace {

Theorem hybrid() {
  return {.id = "A7.upper",
          .source = "THS theorem 6.5.1",
          .statement =
              "(1+r)R1W costs at most (2+r)n/w + 17n/w² + 40n/w³ + (2√n/w - 2t + 5 + "
              "2k)(L - 1)",
          .domain = "all n = side², w | side, w ≥ 2, t, L, w | p, and all depths k of recursion",
          .proof =
              [](Query& q) {
                const IntTerm one(1);
                const IntTerm two(2);
                TableSums sums(q, "hybrid");
                sums.take_triangles(q.number("t", 0, 1));
                sums.prove_shape();
                const auto [w, tiles] = std::pair(sums.w(), sums.tiles());
                const Depth depth(q, w);
                prove_level(q, sums, depth);
                const SummedAreaTable::Parts<IntTerm> parts(sums.task(), sums.tiling());
                const IntTerm& t = parts.t;
                q.claim("diagonals", t >= IntTerm(0) && t < tiles);
                const Triangle first(q, sums, parts.first, t, false);
                const Triangle last(q, sums, parts.last, t, true);
                const IntTerm down = sums.tiling().down();
                for (const IntTerm& factor : {tiles, down, t}) {
                  q.multiply_equals(factor, down, tiles);
                }
                const auto triangle = [&](const Triangle& of) {
                  of.give(depth);
                  OneLevel launches(sums.task().machine);
                  launches.where(!of.part().empty(),
                                 [&](OneLevel& some) { two_passes_rounds(some, of.part(), 1); });
                  return launches.total();
                };
                q.multiply_by({});
                Cost<IntTerm> cost = triangle(first);
                q.multiply_by({w});
                sums.give_diagonals(t);
                OneLevel launches(sums.task().machine);
                tile_diagonals_rounds(launches, sums.tiling(), t, parts.last_begin);
                const Cost<IntTerm> between = launches.total();
                const IntTerm squares = tiles * tiles - t * (t + one);
                q.multiply_by({w});
                q.claim("between", between.global.stages <= (two * w + IntTerm(6)) * squares &&
                                       between.launches <= two * (tiles - t) - one);
                q.multiply_by({});
                cost += between;
                cost += triangle(last);
                const IntTerm n = tiles * tiles;
                const IntTerm most =
                    two * w * w * n + w * w * t * (t + one) + IntTerm(17) * w * n + IntTerm(40) * n;
                const IntTerm rest = tiles - t - one;
                q.suppose(t == IntTerm(0), [&] {
                  q.multiply_equals(t, t, IntTerm(0));
                  q.multiply_equals(w, t, IntTerm(0));
                  q.multiply_equals(w * t, t, IntTerm(0));
                  q.multiply_equals(w * w, t, IntTerm(0));
                  q.multiply_equals(w * w * t, t, IntTerm(0));
                  q.multiply_by({w, tiles, w * tiles});
                  return w * cost.global.stages <= most;
                });
                q.suppose(t >= one, [&] {
                  q.multiply_by({t - one, rest});
                  q.multiply_by({w, t - one, rest, w * (t - one), w * rest});
                  return w * cost.global.stages <= most;
                });
                q.multiply_by({});
                q.claim("the stages", w * cost.global.stages <= most);
                const IntTerm k = select(t == IntTerm(0), IntTerm(0), depth(t) + depth(t + one));
                q.claim("the launches", cost.launches <= two * (tiles - t + k) + IntTerm(5));
                depth.give();
                depth.give();
                const IntTerm w5 = w * w * w * w * w;
                q.multiply_by({sums.latency()});
                q.multiply_by({w5, w5 * w * sums.latency()});
                q.claim("the bound", sums.is_bounded(cost));
              },
          .false_twin = prove_a_hundredth_less<TableByHybrid>};
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_hybrids() { return {hybrid()}; }

}  // namespace bankproof::proofs
