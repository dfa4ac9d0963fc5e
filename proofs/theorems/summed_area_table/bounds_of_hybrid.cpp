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

#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/tight.hpp"
#include "hybrid.hpp"

namespace bankproof::proofs {
PartOf<IntTerm> in_its_box(Query& q, const TableSums& whole, const PartOf<IntTerm>& part,
                           const IntTerm& t, const IntTerm& side, bool is_last) {
  const IntTerm before = is_last ? whole.tiles() - side : 0;
  PartOf<IntTerm> boxed = part;
  boxed.top = boxed.left = before;
  boxed.down = boxed.across = side;
  boxed.first = is_last ? side : 0;
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
  const auto give_tiles = [=, this](const IntTerm& y) {
    query_.give(OverNumbers<OfRounds>("tiles of a row")
                    .holds([=, this](auto& k, auto& sum) {
                      const IntTerm more = leaves ? 2 * minus_or_zero(k + 2, in_row(y)) : 0;
                      return whole_.bounded(sum.stages, each * k + more);
                    })
                    .step([=, this](auto& k) {
                      const IntTerm x = part_.row(part_.first, part_.end, y).begin + k;
                      box_.know_place(part_, y, x);
                      query_.multiply_by({w()});
                      in_tile(y, x);
                    }));
  };
  const auto give_row = [=, this](const IntTerm& k) {
    const auto row = part_.row(part_.first, part_.end, k);
    query_.conclude("a row of tiles", [&] {
      query_.multiply_by({});
      return row.begin == (is_last_ ? side_ - k : 0) && row.count == in_row(k) && k < side_;
    });
    query_.multiply_by({w()});
    give_tiles(k);
  };
  const auto holds = [=, this](const IntTerm& k, const OfRounds& sum) {
    return whole_.bounded(2 * sum.stages, each * twice_before(k) + (leaves ? 8 : 0) * k);
  };
  query_.give(OverNumbers<OfRounds>("rows of tiles").holds(holds).step(give_row));
}

void Triangle::give_edges() const {
  give_rows(whole_.of_tile(1), false, [this](const IntTerm& y, const IntTerm& x) {
    box_.give_edges_of_tile(whole_, part_, y, x);
  });
}

/// Gives the invariants of the tiles on the two diagonals before the triangle. Each row except the
/// last has two of these tiles: the first has only a corner, the second also has edges.
void Triangle::give_differences() const {
  const auto give_rows_before = [this](const IntTerm&) {
    query_.give(OverNumbers<OfRounds>("rows before the triangle")
                    .holds([](auto& k, auto& sum) { return sum.stages <= 14 * k; })
                    .step([this](auto& k) {
                      query_.conclude("a row before it", [&] {
                        query_.multiply_by({});
                        const auto row = row_before(k);
                        return row.begin + row.count == side_ - k && row.count <= 2 &&
                               row.count >= 1 && implies(k < t_, row.count == 2) &&
                               row.begin >= 0 && k < side_;
                      });
                      give_differences_of_row(k);
                    }));
  };
  query_.give(of_one("tiles before the triangle", 14 * side_, give_rows_before));
}

void Triangle::give_differences_of_row(const IntTerm& y) const {
  const auto row = row_before(y);
  query_.give(OverNumbers<OfRounds>("tiles of a row before the triangle")
                  .holds([=](auto& k, auto& sum) {
                    const IntTerm first = select(row.count == 2, smaller(k, 1), 0);
                    return sum.stages <= 12 * k - 10 * first;
                  })
                  .step([=, this](auto& k) {
                    const IntTerm x = row.begin + k;
                    box_.know_place(part_, y, x);
                    query_.multiply_equals(part_.left + x, whole_.tiling().matrix.rows,
                                           w() * whole_.tiles());
                    query_.multiply_by({w()});
                    for (const bool bottom : {true, false}) give_differences_of_tile(y, x, bottom);
                  }));
}

void Triangle::give_differences_of_tile(const IntTerm& y, const IntTerm& x, bool bottom) const {
  const SumPlacesOf<IntTerm> to(part_, y, x);
  const EdgePlacesOf<IntTerm> at = part_.edges(y, x);
  const IntTerm wanted = bottom ? to.columns : to.rows;
  const IntTerm most = smaller(wanted, 1);
  const auto prove_runs = [=, this](const IntTerm& k) {
    const TableSums anywhere = whole_.of_sums(whole_.tiling());
    const IntTerm& p = whole_.task().machine.p;
    const IntTerm start = k * p;
    const IntTerm count = smaller(p, w() - start);
    const IntTerm words = smaller(count, minus_or_zero(wanted, start));
    const IntTerm from = bottom ? at.own_bottom : at.own_right;
    const IntTerm into = bottom ? to.in_columns : to.in_rows;
    const IntTerm lacks = select(start == 0 && !(bottom ? at.left : at.above), 1, 0);
    const IntTerm top = part_.top + y;
    const IntTerm left = part_.left + x;
    const Truth always = k >= 0;
    query_.multiply_equals(p, k, 0);
    boundaries(IntTerm(0), words, w());  // for the two runs of these words
    whole_.prove_run({from + start, words},
                     bottom ? top * whole_.tiles() + left : left * whole_.tiles() + top, most,
                     always);
    anywhere.prove_run({from + start + lacks - 1, minus_or_zero(words, lacks), lacks}, 0, most,
                       always);
    box_.prove_run({into + start, words}, bottom ? y * side_ + x : x * side_ + y, most, always);
  };
  query_.give(of_one("turns along an edge", 4 * most, prove_runs));
}

/// Gives trivial invariants for the tiles of give_differences().
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

/// Gives the invariants of the edges that tile (y, x) leaves for the tiles that follow the
/// triangle.
void Triangle::give_edges_left(const IntTerm& y, const IntTerm& x) const {
  const std::string name = "edges of a tile";
  const EdgePlacesOf<IntTerm> at = part_.edges(y, x);
  const Truth wanted = part_.is_last(y, x);
  const auto give_runs = [=, this](const IntTerm&) {
    const IntTerm row = part_.top + y;
    const IntTerm column = part_.left + x;
    whole_.give_run(at.own_bottom, select(wanted && at.below, at.columns, 0),
                    row * whole_.tiles() + column);
    whole_.give_run(at.own_right, select(wanted && at.right, at.rows, 0),
                    column * whole_.tiles() + row);
  };
  query_.give(whole_.is_at_least() ? anything<OfRounds>(name, give_runs)
                                   : of_one(name, 2 * select(wanted, 1, 0), give_runs));
}

Truth Triangle::is_bounded(const Depth& depth, const Cost<IntTerm>& cost) const {
  const IntTerm more = side_ - 1;
  const IntTerm tiles = (3 * w() + 6) * t_ * (t_ + 1);
  const IntTerm edges = (is_last_ ? 28 : 8) * side_;
  return 2 * w() * cost.global.stages <=
             w() * (tiles + edges + 8 * side_ * more) + 40 * more * more + 8 * w() * more &&
         cost.launches <= 3 + 2 * depth(part_.down);
}

void Triangle::give(const Depth& depth) const {
  query_.give(OverNumbers<Cost<IntTerm>>("a triangle")
                  .holds([=, this](auto& k, auto& sum) {
                    return implies(k <= 0, sum.global.stages <= 0 && sum.launches <= 0) &&
                           implies(k >= 1, is_bounded(depth, sum)) && k <= 1;
                  })
                  .step([=, this](auto& k) {
                    query_.claim("not empty", t_ >= 1 && k == 0);
                    query_.multiply_by({w(), t_, part_.down - 1});
                    prove_edges(query_, inner_);
                    depth.define(part_.down);
                    give_launches(depth);
                  })
                  .after([=, this](auto&, auto& cost) {
                    prove_with_and_without(query_, part_, [&] {
                      query_.multiply_by({w(), part_.down - 1, w() * (part_.down - 1)});
                      return is_bounded(depth, cost);
                    });
                    query_.multiply_by({w()});
                  }));
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
    query_.claim("not empty", t_ >= 1 && k == 0);
    query_.multiply_by({w(), t_});
    give_edges();
    if (is_last_) give_any_differences();
    give_any_sums(query_, whole_);
    give_tables();
  };
  query_.give(OverNumbers<Cost<IntTerm>>("a triangle")
                  .holds([this](auto& k, auto& sum) { return implies(k >= 1, is_at_least(sum)); })
                  .step(give_sums));
}

namespace {

Theorem hybrid() {
  return Theorem{
      .id = "A7.upper",
      .source = "THS theorem 6.5.1",
      .statement =
          "(1+r)R1W costs at most (2+r)n/w + 17n/w² + 40n/w³ + (2√n/w - 2t + 5 + 2k)(L - 1)",
      .domain = "all n = side², w | side, w ≥ 2, t, L, w | p, and all depths k of recursion"}
      .proof([](Query& q) {
        TableSums sums(q, "hybrid");
        sums.take_triangles(q.number("t", 0, 1));
        sums.prove_shape();
        const auto [w, tiles] = std::pair(sums.w(), sums.tiles());
        const Depth depth(q, w);
        prove_level(q, sums, depth);
        const SummedAreaTable::Parts<IntTerm> parts(sums.task(), sums.tiling());
        const IntTerm& t = parts.t;
        q.claim("diagonals", t >= 0 && t < tiles);
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
        const IntTerm squares = tiles * tiles - t * (t + 1);
        q.multiply_by({w});
        q.claim("between", between.global.stages <= (2 * w + 6) * squares &&
                               between.launches <= 2 * (tiles - t) - 1);
        q.multiply_by({});
        cost += between;
        cost += triangle(last);
        const IntTerm n = tiles * tiles;
        const IntTerm most = 2 * w * w * n + w * w * t * (t + 1) + 17 * w * n + 40 * n;
        const IntTerm rest = tiles - t - 1;
        q.suppose(t == 0, [&] {
          q.multiply_equals(t, t, 0);
          q.multiply_equals(w, t, 0);
          q.multiply_equals(w * t, t, 0);
          q.multiply_equals(w * w, t, 0);
          q.multiply_equals(w * w * t, t, 0);
          q.multiply_by({w, tiles, w * tiles});
          return w * cost.global.stages <= most;
        });
        q.suppose(t >= 1, [&] {
          q.multiply_by({t - 1, rest});
          q.multiply_by({w, t - 1, rest, w * (t - 1), w * rest});
          return w * cost.global.stages <= most;
        });
        q.multiply_by({});
        q.claim("the stages", w * cost.global.stages <= most);
        const IntTerm k = select(t == 0, 0, depth(t) + depth(t + 1));
        q.claim("the launches", cost.launches <= 2 * (tiles - t + k) + 5);
        depth.give();
        depth.give();
        const IntTerm w5 = w * w * w * w * w;
        q.multiply_by({sums.latency()});
        q.multiply_by({w5, w5 * w * sums.latency()});
        q.claim("the bound", sums.is_bounded(cost));
      })
      .false_twin(prove_a_hundredth_less<TableByHybrid>);
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_hybrids() { return {hybrid()}; }

}  // namespace bankproof::proofs
