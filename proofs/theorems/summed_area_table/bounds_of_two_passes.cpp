// The upper bound on the global memory access cost of 2R1W, by THS lemma 6.3.1 (row A4), for all
// depths of its recursion, by induction over the tables of sums.
#include "../times.hpp"
#include "../turns/close.hpp"
#include "two_passes.hpp"

namespace bankproof::proofs {

IntTerm TableSums::stages_of_edges() const {
  const IntTerm one(1);
  const IntTerm rho(pieces_);
  return rho * tiling_.matrix.rows * tiles_ + IntTerm(2) * rho * tiles_ * (tiles_ - one) +
         (tiles_ - one) * (tiles_ - one);
}
IntTerm TableSums::stages_of_carries() const {
  return IntTerm(4 * pieces_) * tiles_ * (tiles_ - IntTerm(1)) +
         IntTerm(pieces_) * tiling_.matrix.rows * tiles_ + stages_of_edges();
}

void TableSums::give_tiles(const std::shared_ptr<IntTerm>& y, const std::shared_ptr<IntTerm>& x,
                           const PartOf<IntTerm>& part, std::uint64_t copies,
                           bool from_before) const {
  const IntTerm zero(0);
  const IntTerm one(1);
  const IntTerm rho(pieces_);
  const IntTerm words(copies * pieces_);
  // How many of the first k tiles have a tile after them, or before them.
  const auto others = [=, this](const IntTerm& k) {
    return from_before ? minus_or_zero(k, one) : smaller(k, tiles_ - one);
  };
  query_.give_invariant(with_steps<OfRounds>(
      [=, this](const IntTerm& k, const OfRounds& sum) {
        const IntTerm own = words * height_before(k) * tiles_;
        if (at_least_) return sum.stages >= own;
        return sum.stages <=
               own + others(k) * (rho * tiles_ + tiles_ - one) + k * rho * (tiles_ - one);
      },
      [=, this](const IntTerm& k) {
        *y = k;
        const auto row = part.row(part.first, part.end, k);
        const IntTerm before = height_before(k);
        const IntTerm next = height_before(k + one);
        const IntTerm own = height(k);
        const IntTerm some = others(k);
        const IntTerm more = others(k + one);
        query_.conclude("a row of tiles", [&] {
          query_.multiply_by({w_});
          const Truth has = from_before ? k >= one : k + one < tiles_;
          return row.begin == zero && row.count == tiles_ && before + own == next && own >= one &&
                 implies(has, more == some + one) && implies(!has, more == some) && k < tiles_;
        });
        query_.multiply_by({tiles_, tiles_ - one, own});
      }));
  query_.give_invariant(with_steps<OfRounds>(
      [=, this](const IntTerm& k, const OfRounds& sum) {
        const IntTerm own = words * k * height(*y);
        if (at_least_) return sum.stages >= own;
        const Truth has = from_before ? *y >= one : *y + one < tiles_;
        return implies(has, sum.stages <= own + rho * k + (rho + one) * others(k)) &&
               implies(!has, sum.stages <= own + rho * others(k));
      },
      [=, this](const IntTerm& k) {
        *x = part.row(part.first, part.end, *y).begin + k;
        know_place(part, *y, *x);
        query_.multiply_by({w_});
      }));
}

void TableSums::know_place(const PartOf<IntTerm>& part, const IntTerm& y, const IntTerm& x) const {
  const IntTerm one(1);
  const IntTerm& side = tiling_.matrix.rows;
  for (const IntTerm& row : {y, minus_or_zero(y, one)}) {
    query_.multiply_equals(row, part.width(), side);
  }
  for (const IntTerm& column : {x, minus_or_zero(x, one)}) {
    query_.multiply_equals(column, part.height(), side);
  }
}

void TableSums::give_edges_of_tile(const TableSums& whole, const PartOf<IntTerm>& part,
                                   const Place& y, const Place& x) const {
  const auto to = [=] { return SumPlacesOf<IntTerm>(part, y(), x()); };
  whole.give_copy([=] { return part.top + y(); }, [=] { return part.left + x(); });
  give_run([=] { return to().in_columns; }, [=] { return to().columns; },
           [=, this] { return y() * tiles_ + x(); });
  query_.give_invariant(of_none());
  give_run([=] { return to().in_rows; }, [=] { return to().rows; },
           [=, this] { return x() * tiles_ + y(); });
  query_.give_invariant(of_none());
  query_.give_invariant<PowersInvariant<OfRounds>>(
      [](const IntTerm&, const IntTerm&, const OfRounds& sum) { return sum.stages <= IntTerm(0); });
  query_.give_invariant(of_none());
}

void TableSums::give_edges(const PartOf<IntTerm>& part) const {
  const auto row = std::make_shared<IntTerm>(0);
  const auto column = std::make_shared<IntTerm>(0);
  give_tiles(row, column, part, 1, false);
  give_edges_of_tile(
      *this, part, [=] { return *row; }, [=] { return *column; });
}

void TableSums::give_sums(const PartOf<IntTerm>& part) const {
  give_down(part.columns(), part.columns().rows);
  give_down(part.rows(), part.rows().rows);
}

void TableSums::give_table_of_tile(const TableSums& whole, const PartOf<IntTerm>& part,
                                   const Place& y, const Place& x,
                                   const std::function<void()>& leave) const {
  const auto at = [=] { return carry_of_sums(part, y(), x()); };
  const Place row = [=] { return part.top + y(); };
  const Place column = [=] { return part.left + x(); };
  whole.give_copy(row, column);
  give_run([=] { return at().above; }, [=] { return at().columns; },
           [=, this] { return minus_or_zero(y(), IntTerm(1)) * tiles_ + x(); });
  give_run([=] { return at().left; }, [=] { return at().rows; },
           [=, this] { return minus_or_zero(x(), IntTerm(1)) * tiles_ + y(); });
  give_table_of_tile();
  leave();
  whole.give_copy(row, column);
}

void TableSums::give_tables(const PartOf<IntTerm>& part) const {
  const auto row = std::make_shared<IntTerm>(0);
  const auto column = std::make_shared<IntTerm>(0);
  give_tiles(row, column, part, 2, true);
  give_table_of_tile(
      *this, part, [=] { return *row; }, [=] { return *column; }, [] {});
}

void prove_edges(Query& q, const TableSums& inner) {
  const IntTerm one(1);
  const IntTerm edges = inner.stages_of_edges();
  q.conclude("edges of sums", [&] {
    const IntTerm& tiles = inner.tiles();
    const IntTerm zero(0);
    q.apply(multiples_are_apart(), {tiles, zero, tiles});
    q.apply(multiples_are_apart(), {tiles, one, tiles});
    q.multiply_by({tiles});
    return edges >= zero;
  });
}

void give_finish(Query& q, const TableSums& inner, const PartOf<IntTerm>& part,
                 const Hypothesis& hypothesis, const std::function<void()>& give_sums,
                 const std::function<void()>& give_tables) {
  const IntTerm one(1);
  give_sums();
  q.give_invariant(with_steps<OfRounds>(
      of_one([=] { return inner.stages_of_edges(); }), [=, &q](const IntTerm&) {
        const auto [side, tiles] = std::pair(inner.tiling().matrix.rows, inner.tiles());
        q.conclude("tables in tables", [&, side = side, tiles = tiles] {
          q.compare_multiples(inner.w(), tiles, one);
          q.prove("sums", side > inner.w());
          return side > inner.w() && tiles > one && side <= inner.w() * tiles &&
                 part.inner().width() == side && part.inner().height() == side;
        });
        q.multiply_by({tiles, tiles - one});
      }));
  inner.give_edges(part.inner());
  // All sums are in one tile.
  const auto side = inner.tiling().matrix.rows;
  q.give_invariant(of_one([=] { return IntTerm(4) * side; }));
  const Place first = [] { return IntTerm(0); };
  inner.give_copy(first, first);
  inner.give_table_of_tile();
  inner.give_copy(first, first);
  q.give_invariant(hypothesis);
  give_tables();
}

void give_any_sums(Query& q, const TableSums& sums) {
  const auto any = [&](int number) {
    for (int k = 0; k < number; ++k) q.give_invariant(of_any<OfRounds>());
  };
  any(6);  // sums down and along
  any(3);  // these if tile sums are in several tiles
  sums.give_any_copy();
  any(4);
  q.give_invariant<PowersInvariant<OfRounds>>(
      [](const auto&...) { return IntTerm(0) == IntTerm(0); });
  any(1);
  any(1);  // these if they are in one tile
  sums.give_any_copy();
  any(4);
  sums.give_any_copy();
}

Truth level_is_bounded(const TableSums& sums, const Depth& depth, const Cost<IntTerm>& cost) {
  const IntTerm two(2);
  const IntTerm side = sums.tiling().matrix.rows;
  return sums.w() * (cost.global.stages + sums.stages_of_edges()) <=
             IntTerm(20) * side * side + IntTerm(4) * side * sums.w() &&
         cost.launches <= two + two * depth(sums.tiles());
}

void prove_level(Query& q, const TableSums& of, const Depth& depth) {
  const Query::Scope scope(q);
  const IntTerm one(1);
  const IntTerm two(2);
  const IntTerm& w = of.w();
  const IntTerm side = q.fresh("side");
  q.assume(side > w);
  const TableSums sums = of.of_sums({{side, side, q.fresh("first"), q.fresh("last")}, w});
  const PartOf<IntTerm> part(sums.tiling());
  const TableSums inner = sums.of_sums(part.inner_tiling());
  const IntTerm tiles = sums.tiles();
  const IntTerm more = tiles - one;
  q.conclude("its tiles", [&] {
    q.compare_multiples(w, tiles, one);
    q.multiply_by({w});
    q.prove("several", tiles > one);
    q.apply(multiples_are_apart(), {more, one, w});
    return tiles > one && w * more < side && side <= w * tiles && more < side &&
           part.width() == side && part.height() == side;
  });
  q.multiply_by({w, more});
  prove_edges(q, inner);
  give_finish(
      q, inner, part,
      [&](const Cost<IntTerm>& cost) { return level_is_bounded(inner, depth, cost); },
      [&] { sums.give_sums(part); }, [&] { sums.give_tables(part); });
  OneLevel launches(of.task().machine);
  finish_two_passes_rounds(launches, part, 1);
  const Cost<IntTerm> cost = launches.total();
  depth.define(tiles);
  const IntTerm sums_of_sums = IntTerm(20) * more * more + IntTerm(4) * w * more;
  const IntTerm rest = sums.stages_of_carries() + sums.stages_of_edges();
  prove_with_and_without(q, part, [&] {
    q.multiply_by({w, more, tiles, w * more, w * tiles});
    q.prove("stages", w * cost.global.stages <= w * sums.stages_of_carries() + sums_of_sums);
    return cost.launches <= two + two * depth(tiles) &&
           w * cost.global.stages <= w * sums.stages_of_carries() + sums_of_sums;
  });
  q.conclude("fewer than those", [&] {
    const IntTerm beyond = side - w * more - one;
    q.multiply_by({w - two, w, more, beyond});
    q.multiply_by({w, w * w, beyond, w * beyond, more, w * more, more * more, w * more * more,
                   w * more * (w - two)});
    return w * rest + sums_of_sums <= IntTerm(20) * side * side + IntTerm(4) * side * w;
  });
  q.multiply_by({});
  q.prove("a level", level_is_bounded(sums, depth, cost));
}

namespace {

Theorem two_passes() {
  return {.id = "A4.upper",
          .source = "THS lemma 6.3.1",
          .statement = "2R1W costs at most 3n/w + 10n/w² + 20n/w³ + (2k+3)(L - 1)",
          .domain = "all n = side², w | side, w ≥ 2, L, w | p, and all depths k of recursion",
          .proof =
              [](Query& q) {
                const IntTerm one(1);
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
                q.multiply_by({w, tiles, part.down - one});
                sums.give_edges(part);
                prove_edges(q, inner);
                give_finish(
                    q, inner, part,
                    [&](const Cost<IntTerm>& cost) { return level_is_bounded(inner, depth, cost); },
                    [&] { sums.give_sums(part); }, [&] { sums.give_tables(part); });
                OneLevel launches(sums.task().machine);
                two_passes_rounds(launches, part, 1);
                const Cost<IntTerm> cost = launches.total();
                depth.define(part.down);
                const IntTerm more = part.down - one;
                const IntTerm most = w * (IntTerm(3) * w + IntTerm(10)) * tiles * tiles +
                                     IntTerm(20) * tiles * tiles;
                prove_with_and_without(q, part, [&, w = w, tiles = tiles] {
                  q.multiply_by({w, more, tiles});
                  q.multiply_by({w, more, tiles, w * more, w * tiles, w * w * tiles});
                  q.prove("stages", w * cost.global.stages <= most);
                  return w * cost.global.stages <= most &&
                         cost.launches <= IntTerm(3) + IntTerm(2) * depth(part.down);
                });
                depth.give();
                const IntTerm w5 = w * w * w * w * w;
                q.multiply_by({sums.latency()});
                q.multiply_by({w5, w5 * w * sums.latency()});
                q.prove("the bound", sums.is_bounded(cost));
              },
          .false_twin = prove_a_hundredth_less<TableInTwoPasses>};
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_two_passes() { return {two_passes()}; }

}  // namespace bankproof::proofs
