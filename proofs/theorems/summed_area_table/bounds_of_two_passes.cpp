// The upper bound on the global memory access cost of 2R1W, by THS lemma 6.3.1 (row A4), for all
// depths of its recursion, by induction over the tables of sums.
#include <string>
#include <utility>

#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/tight.hpp"
#include "two_passes.hpp"

namespace bankproof::proofs {

IntTerm TableSums::stages_of_edges() const {
  return pieces_ * tiling_.matrix.rows * tiles_ + 2 * pieces_ * tiles_ * (tiles_ - 1) +
         (tiles_ - 1) * (tiles_ - 1);
}
IntTerm TableSums::stages_of_carries() const {
  return 4 * pieces_ * tiles_ * (tiles_ - 1) + pieces_ * tiling_.matrix.rows * tiles_ +
         stages_of_edges();
}

void TableSums::give_tiles(const PartOf<IntTerm>& part, std::uint64_t copies, bool from_before,
                           const InTile& in_tile) const {
  const IntTerm words(copies * pieces_);
  query_.give(OverNumbers<OfRounds>("rows of tiles")
                  .holds([=, this](auto& k, auto& sum) {
                    const IntTerm own = words * height_before(k) * tiles_;
                    if (at_least_) return sum.stages >= own;
                    return sum.stages <=
                           own + others(k, from_before) * (pieces_ * tiles_ + tiles_ - 1) +
                               k * pieces_ * (tiles_ - 1);
                  })
                  .step([=, this](auto& k) {
                    const auto row = part.row(part.first, part.end, k);
                    const IntTerm before = height_before(k);
                    const IntTerm next = height_before(k + 1);
                    const IntTerm own = height(k);
                    const IntTerm some = others(k, from_before);
                    const IntTerm more = others(k + 1, from_before);
                    query_.conclude("a row of tiles", [&] {
                      query_.multiply_by({w_});
                      const Truth has = from_before ? k >= 1 : k + 1 < tiles_;
                      return row.begin == 0 && row.count == tiles_ && before + own == next &&
                             own >= 1 && implies(has, more == some + 1) &&
                             implies(!has, more == some) && k < tiles_;
                    });
                    query_.multiply_by({tiles_, tiles_ - 1, own});
                    give_tiles_of_row(part, copies, from_before, k, in_tile);
                  }));
}

void TableSums::give_tiles_of_row(const PartOf<IntTerm>& part, std::uint64_t copies,
                                  bool from_before, const IntTerm& y, const InTile& in_tile) const {
  const IntTerm words(copies * pieces_);
  query_.give(OverNumbers<OfRounds>("tiles of a row")
                  .holds([=, this](auto& k, auto& sum) {
                    const IntTerm own = words * k * height(y);
                    if (at_least_) return sum.stages >= own;
                    const Truth has = from_before ? y >= 1 : y + 1 < tiles_;
                    return implies(has, sum.stages <= own + pieces_ * k +
                                                          (pieces_ + 1) * others(k, from_before)) &&
                           implies(!has, sum.stages <= own + pieces_ * others(k, from_before));
                  })
                  .step([=, this](auto& k) {
                    const IntTerm x = part.row(part.first, part.end, y).begin + k;
                    know_place(part, y, x);
                    query_.multiply_by({w_});
                    in_tile(y, x);
                  }));
}

void TableSums::know_place(const PartOf<IntTerm>& part, const IntTerm& y, const IntTerm& x) const {
  const IntTerm& side = tiling_.matrix.rows;
  for (const IntTerm& row : {y, minus_or_zero(y, 1)}) {
    query_.multiply_equals(row, part.width(), side);
  }
  for (const IntTerm& column : {x, minus_or_zero(x, 1)}) {
    query_.multiply_equals(column, part.height(), side);
  }
}

void TableSums::give_edges_of_tile(const TableSums& whole, const PartOf<IntTerm>& part,
                                   const IntTerm& y, const IntTerm& x) const {
  const SumPlacesOf<IntTerm> to(part, y, x);
  const auto sums = [this](const IntTerm&) { query_.give(of_none("accesses to shared memory")); };
  whole.give_copy(part.top + y, part.left + x);
  give_run(to.in_columns, to.columns, y * tiles_ + x, sums);
  give_run(to.in_rows, to.rows, x * tiles_ + y, sums);
  query_.give(OverPowers<OfRounds>("levels")
                  .holds([](auto&, auto&, auto& sum) { return sum.stages <= 0; })
                  .step([this](auto&) { query_.give(of_none("turns of a level")); }));
}

void TableSums::give_edges(const PartOf<IntTerm>& part) const {
  give_tiles(part, 1, false, [=, this](const IntTerm& y, const IntTerm& x) {
    give_edges_of_tile(*this, part, y, x);
  });
}

void TableSums::give_sums(const PartOf<IntTerm>& part) const {
  give_down(part.columns(), part.columns().rows);
  give_down(part.rows(), part.rows().rows);
}

void TableSums::give_table_of_tile(const TableSums& whole, const PartOf<IntTerm>& part,
                                   const IntTerm& y, const IntTerm& x,
                                   const std::function<void()>& leave) const {
  const CarryPlaceOf<IntTerm> at = carry_of_sums(part, y, x);
  const IntTerm row = part.top + y;
  const IntTerm column = part.left + x;
  whole.give_copy(row, column);
  give_run(at.above, at.columns, minus_or_zero(y, 1) * tiles_ + x);
  give_run(at.left, at.rows, minus_or_zero(x, 1) * tiles_ + y);
  give_table_of_tile();
  leave();
  whole.give_copy(row, column);
}

void TableSums::give_tables(const PartOf<IntTerm>& part) const {
  give_tiles(part, 2, true, [=, this](const IntTerm& y, const IntTerm& x) {
    give_table_of_tile(*this, part, y, x, [] {});
  });
}

void prove_edges(Query& q, const TableSums& inner) {
  const IntTerm edges = inner.stages_of_edges();
  q.conclude("edges of sums", [&] {
    const IntTerm& tiles = inner.tiles();
    q.apply(multiples_are_apart(), {tiles, 0, tiles});
    q.apply(multiples_are_apart(), {tiles, 1, tiles});
    q.multiply_by({tiles});
    return edges >= 0;
  });
}

namespace {

/// Gives the invariants of the table of tile sums in step 2, if this table is computed from tiles
/// by a further level.
void give_inner_edges(Query& q, const TableSums& inner, const PartOf<IntTerm>& part) {
  const auto give_edges = [=, &q](const IntTerm&) {
    const auto [side, tiles] = std::pair(inner.tiling().matrix.rows, inner.tiles());
    q.conclude("tables in tables", [&, side = side, tiles = tiles] {
      q.compare_multiples(inner.w(), tiles, 1);
      q.claim("sums", side > inner.w());
      return side > inner.w() && tiles > 1 && side <= inner.w() * tiles &&
             part.inner().width() == side && part.inner().height() == side;
    });
    q.multiply_by({tiles, tiles - 1});
    inner.give_edges(part.inner());
  };
  q.give(of_one("tile sums in several tiles", inner.stages_of_edges(), give_edges));
}

/// Gives the invariants of the table of tile sums in step 2, if all sums are in one tile.
void give_inner_table(Query& q, const TableSums& inner) {
  const auto give_tile = [=](const IntTerm&) {
    const IntTerm first(0);
    inner.give_copy(first, first);
    inner.give_table_of_tile();
    inner.give_copy(first, first);
  };
  q.give(of_one("tile sums in one tile", 4 * inner.tiling().matrix.rows, give_tile));
}

}  // namespace

void give_finish(Query& q, const TableSums& inner, const PartOf<IntTerm>& part,
                 const Hypothesis& hypothesis, const std::function<void()>& give_sums,
                 const std::function<void()>& give_tables) {
  give_sums();
  give_inner_edges(q, inner, part);
  give_inner_table(q, inner);
  q.give(hypothesis);
  give_tables();
}

namespace {

/// Gives a trivial invariant of a sum whose terms contain another sum.
void give_any(Query& q, const std::string& name, const std::string& inner) {
  q.give(anything<OfRounds>(name, [=, &q](const IntTerm&) { q.give(anything<OfRounds>(inner)); }));
}

/// Gives trivial invariants for sums down and along a tile.
void give_any_tile(Query& q) {
  for (const auto* name : {"turns down a tile", "turns along a tile"}) {
    give_any(q, name, "accesses to shared memory");
  }
}

}  // namespace

void give_any_sums(Query& q, const TableSums& sums) {
  for (const auto* name : {"blocks down", "blocks along"}) {
    q.give(anything<OfRounds>(
        name, [&q](const IntTerm&) { give_any(q, "rows of a block", "writes of a row"); }));
  }
  const auto in_tile = [=, &q](const IntTerm&) {
    sums.give_any_copy();
    give_any_tile(q);
    q.give(OverPowers<OfRounds>("levels")
               .holds([](auto&...) { return IntTerm(0) == 0; })
               .step([&q](auto&) { q.give(anything<OfRounds>("turns of a level")); }));
  };
  q.give(anything<OfRounds>("tile sums in several tiles", [=, &q](const IntTerm&) {
    q.give(anything<OfRounds>("rows of tiles", [=, &q](const IntTerm&) {
      q.give(anything<OfRounds>("tiles of a row", in_tile));
    }));
  }));
  q.give(anything<OfRounds>("tile sums in one tile", [=, &q](const IntTerm&) {
    sums.give_any_copy();
    give_any_tile(q);
    sums.give_any_copy();
  }));
}

Truth level_is_bounded(const TableSums& sums, const Depth& depth, const Cost<IntTerm>& cost) {
  const IntTerm side = sums.tiling().matrix.rows;
  return sums.w() * (cost.global.stages + sums.stages_of_edges()) <=
             20 * side * side + 4 * side * sums.w() &&
         cost.launches <= 2 + 2 * depth(sums.tiles());
}

Hypothesis hypothesis_of(const TableSums& inner, const Depth& depth) {
  return Hypothesis("the bound on a level").holds([=](auto& cost) {
    return level_is_bounded(inner, depth, cost);
  });
}

void prove_level(Query& q, const TableSums& of, const Depth& depth) {
  const Query::Scope scope(q);
  const IntTerm& w = of.w();
  const IntTerm side = q.fresh("side");
  q.assume(side > w);
  const TableSums sums = of.of_sums({{side, side, q.fresh("first"), q.fresh("last")}, w});
  const PartOf<IntTerm> part(sums.tiling());
  const TableSums inner = sums.of_sums(part.inner_tiling());
  const IntTerm tiles = sums.tiles();
  const IntTerm more = tiles - 1;
  q.conclude("its tiles", [&] {
    q.compare_multiples(w, tiles, 1);
    q.multiply_by({w});
    q.claim("several", tiles > 1);
    q.apply(multiples_are_apart(), {more, 1, w});
    return tiles > 1 && w * more < side && side <= w * tiles && more < side &&
           part.width() == side && part.height() == side;
  });
  q.multiply_by({w, more});
  prove_edges(q, inner);
  give_finish(
      q, inner, part, hypothesis_of(inner, depth), [&] { sums.give_sums(part); },
      [&] { sums.give_tables(part); });
  OneLevel launches(of.task().machine);
  finish_two_passes_rounds(launches, part, 1);
  const Cost<IntTerm> cost = launches.total();
  depth.define(tiles);
  const IntTerm sums_of_sums = 20 * more * more + 4 * w * more;
  const IntTerm rest = sums.stages_of_carries() + sums.stages_of_edges();
  prove_with_and_without(q, part, [&] {
    q.multiply_by({w, more, tiles, w * more, w * tiles});
    q.claim("stages", w * cost.global.stages <= w * sums.stages_of_carries() + sums_of_sums);
    return cost.launches <= 2 + 2 * depth(tiles) &&
           w * cost.global.stages <= w * sums.stages_of_carries() + sums_of_sums;
  });
  q.conclude("fewer than those", [&] {
    const IntTerm beyond = side - w * more - 1;
    q.multiply_by({w - 2, w, more, beyond});
    q.multiply_by({w, w * w, beyond, w * beyond, more, w * more, more * more, w * more * more,
                   w * more * (w - 2)});
    return w * rest + sums_of_sums <= 20 * side * side + 4 * side * w;
  });
  q.multiply_by({});
  q.claim("a level", level_is_bounded(sums, depth, cost));
}

namespace {

Theorem two_passes() {
  return Theorem{
      .id = "A4.upper",
      .source = "THS lemma 6.3.1",
      .statement = "2R1W costs at most 3n/w + 10n/w² + 20n/w³ + (2k+3)(L - 1)",
      .domain = "all n = side², w | side, w ≥ 2, L, w | p, and all depths k of recursion"}
      .proof([](Query& q) {
        const TableSums sums(q, "2R1W");
        sums.prove_shape();
        const auto [w, tiles] = std::pair(sums.w(), sums.tiles());
        const Depth depth(q, w);
        prove_level(q, sums, depth);
        const PartOf<IntTerm> part(sums.tiling());
        const TableSums inner = sums.of_sums(part.inner_tiling());
        q.conclude("its sides", [&, w = w, tiles = tiles] {
          q.multiply_by({w});
          return part.width() == w * tiles && part.height() == w * tiles;
        });
        q.multiply_by({w, tiles, sums.latency()});
        q.multiply_by({w, tiles, part.down - 1});
        sums.give_edges(part);
        prove_edges(q, inner);
        give_finish(
            q, inner, part, hypothesis_of(inner, depth), [&] { sums.give_sums(part); },
            [&] { sums.give_tables(part); });
        OneLevel launches(sums.task().machine);
        two_passes_rounds(launches, part, 1);
        const Cost<IntTerm> cost = launches.total();
        depth.define(part.down);
        const IntTerm more = part.down - 1;
        const IntTerm most = w * (3 * w + 10) * tiles * tiles + 20 * tiles * tiles;
        prove_with_and_without(q, part, [&, w = w, tiles = tiles] {
          q.multiply_by({w, more, tiles});
          q.multiply_by({w, more, tiles, w * more, w * tiles, w * w * tiles});
          q.claim("stages", w * cost.global.stages <= most);
          return w * cost.global.stages <= most && cost.launches <= 3 + 2 * depth(part.down);
        });
        depth.give();
        const IntTerm w5 = w * w * w * w * w;
        q.multiply_by({sums.latency()});
        q.multiply_by({w5, w5 * w * sums.latency()});
        q.claim("the bound", sums.is_bounded(cost));
      })
      .false_twin(prove_a_hundredth_less<TableInTwoPasses>);
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_two_passes() { return {two_passes()}; }

}  // namespace bankproof::proofs
