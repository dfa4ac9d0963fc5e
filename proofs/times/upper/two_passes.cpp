// The global memory access cost of 2R1W, at most that of THS lemma 6.3.1 (row A4), whatever the
// depth of its recursion, by induction over the tables of sums.
#include <functional>

#include "../times.hpp"
#include "tables.hpp"

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
  // Of k tiles, those that have one after them, or before.
  const auto others = [=, this](const IntTerm& k) {
    return from_before ? minus_or_zero(k, one) : smaller(k, tiles_ - one);
  };
  query_.give_invariant(with_steps<OfRounds>(
      [=, this](const IntTerm& k, const OfRounds& sum) {
        return sum.stages <= words * height_before(k) * tiles_ +
                                 others(k) * (rho * tiles_ + tiles_ - one) +
                                 k * rho * (tiles_ - one);
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
        const Truth has = from_before ? *y >= one : *y + one < tiles_;
        return implies(has, sum.stages <= own + rho * k + (rho + one) * others(k)) &&
               implies(!has, sum.stages <= own + rho * others(k));
      },
      [=, this](const IntTerm& k) {
        *x = part.row(part.first, part.end, *y).begin + k;
        const IntTerm& side = tiling_.matrix.rows;
        for (const IntTerm& row : {*y, minus_or_zero(*y, one)}) {
          query_.multiply_equals(row, part.width(), side);
        }
        for (const IntTerm& column : {*x, minus_or_zero(*x, one)}) {
          query_.multiply_equals(column, part.height(), side);
        }
        query_.multiply_by({w_});
      }));
}

void TableSums::give_edges(const PartOf<IntTerm>& part) const {
  const auto row = std::make_shared<IntTerm>(0);
  const auto column = std::make_shared<IntTerm>(0);
  const Place y = [=] { return *row; };
  const Place x = [=] { return *column; };
  const auto to = [=] { return SumPlacesOf<IntTerm>(part, *row, *column); };
  give_tiles(row, column, part, 1, false);
  give_copy(y, x);
  give_run([=] { return to().in_columns; }, [=] { return to().columns; },
           [=, this] { return *row * tiles_ + *column; });
  query_.give_invariant(of_none());
  give_run([=] { return to().in_rows; }, [=] { return to().rows; },
           [=, this] { return *column * tiles_ + *row; });
  query_.give_invariant(of_none());
  query_.give_invariant<PowersInvariant<OfRounds>>(
      [](const IntTerm&, const IntTerm&, const OfRounds& sum) { return sum.stages <= IntTerm(0); });
  query_.give_invariant(of_none());
}

void TableSums::give_sums(const PartOf<IntTerm>& part) const {
  give_down(part.columns(), part.columns().rows);
  give_down(part.rows(), part.rows().rows);
}

void TableSums::give_tables(const PartOf<IntTerm>& part) const {
  const auto row = std::make_shared<IntTerm>(0);
  const auto column = std::make_shared<IntTerm>(0);
  const Place y = [=] { return *row; };
  const Place x = [=] { return *column; };
  const auto at = [=] { return carry_of_sums(part, *row, *column); };
  give_tiles(row, column, part, 2, true);
  give_copy(y, x);
  give_run([=] { return at().above; }, [=] { return at().columns; },
           [=, this] { return minus_or_zero(*row, IntTerm(1)) * tiles_ + *column; });
  give_run([=] { return at().left; }, [=] { return at().rows; },
           [=, this] { return minus_or_zero(*column, IntTerm(1)) * tiles_ + *row; });
  give_table_of_tile();
  give_copy(y, x);
}

namespace {

/// What another level of recursion costs.
using Hypothesis = std::function<Truth(const Cost<IntTerm>&)>;

/// Launches, of which those of another level are a number of which only that is known.
class OneLevel : public AddedUp<OneLevel, IntTerm, Cost<IntTerm>> {
 public:
  using Number = IntTerm;
  using AddedUp::AddedUp;

  template <class Of>
  void launch(Of of) {
    GlobalCost<IntTerm> one(machine_);
    one.launch(of);
    total_ += one.total();
  }
  template <class Of>
  void again(const Truth& condition, Of) {
    Query& q = machine_.w.query();
    const auto holds = q.take_invariant<Hypothesis>();
    const auto beyond = fresh_sum<Cost<IntTerm>>(q);
    q.assume(implies(condition, holds(beyond)));
    q.assume(
        implies(!condition, beyond.global.stages == IntTerm(0) && beyond.launches == IntTerm(0)));
    total_ += beyond;
  }
};

/// How often tables recur: K(n) = 1 + K(⌈(n − 1)/w⌉) where n > w + 1, and 0 elsewhere.
class Depth {
 public:
  Depth(Query& q, IntTerm w) : query_(&q), w_(std::move(w)), depth_(q.function("depth")) {}

  IntTerm operator()(const IntTerm& n) const { return depth_(n); }
  void define(const IntTerm& n) const {
    const IntTerm one(1);
    const IntTerm sums = ceil_div(n - one, w_);
    query_->assume(implies(n > w_ + one, depth_(n) == one + depth_(sums)));
    query_->assume(implies(n <= w_ + one, depth_(n) == IntTerm(0)));
  }
  /// Gives the invariant of the sum that the bound has for it.
  void give(const IntTerm& start) const {
    query_->give_invariant<ChainInvariant<IntTerm>>(
        [start, of = *this](const IntTerm& n, const IntTerm& sum) {
          const IntTerm one(1);
          Query& q = n.query();
          of.define(n);
          q.apply(multiples_are_apart(), {of.w_, n - one, ceil_div(n - one, of.w_)});
          q.apply(multiples_are_apart(), {n - one, one, of.w_});
          return sum + of(n) == of(start);
        });
  }

 private:
  Query* query_;
  IntTerm w_;
  Function depth_;
};

/// The launches of steps 2 and 3 of a part; `inner` are its sums.
void give_finish(Query& q, const TableSums& sums, const TableSums& inner,
                 const PartOf<IntTerm>& part, const Hypothesis& hypothesis) {
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
  sums.give_sums(part);
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
  // All sums in a tile.
  const auto side = inner.tiling().matrix.rows;
  q.give_invariant(of_one([=] { return IntTerm(4) * side; }));
  const Place first = [] { return IntTerm(0); };
  inner.give_copy(first, first);
  inner.give_table_of_tile();
  inner.give_copy(first, first);
  q.give_invariant(hypothesis);
  sums.give_tables(part);
}

/// Of a table of side × side sums in D tiles a side: steps 2 and 3, with step 1, which is of the
/// launch before, take 20side²/w + 4side stages at most, in 2 + 2K(D) launches.
Truth level_is_bounded(const TableSums& sums, const Depth& depth, const Cost<IntTerm>& cost) {
  const IntTerm two(2);
  const IntTerm side = sums.tiling().matrix.rows;
  return sums.w() * (cost.global.stages + sums.stages_of_edges()) <=
             IntTerm(20) * side * side + IntTerm(4) * side * sums.w() &&
         cost.launches <= two + two * depth(sums.tiles());
}

/// A recursion, and what is as well where there is none.
template <class Claim>
void prove_with_and_without(Query& q, const PartOf<IntTerm>& part, Claim claim) {
  q.suppose(part.recursive(), claim);
  q.suppose(!part.recursive(), claim);
}

/// The step of the induction: from the table of its sums, which is smaller, to any table that
/// recurs.
void prove_level(Query& q, const TableSums& of, const Depth& depth) {
  const Query::Scope scope(q);
  const IntTerm one(1);
  const IntTerm two(2);
  const IntTerm& w = of.w();
  const IntTerm side = q.fresh("side");
  q.assume(side > w);
  const TableSums sums = of.of_sums({{side, side, IntTerm(0), q.fresh("last")}, w});
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
  give_finish(q, sums, inner, part,
              [&](const Cost<IntTerm>& cost) { return level_is_bounded(inner, depth, cost); });
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
                give_finish(q, sums, inner, part, [&](const Cost<IntTerm>& cost) {
                  return level_is_bounded(inner, depth, cost);
                });
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
                depth.give(part.down);
                const IntTerm w5 = w * w * w * w * w;
                q.multiply_by({sums.latency()});
                q.multiply_by({w5, w5 * w * sums.latency()});
                q.prove("the bound", sums.is_bounded(cost));
              },
          .false_twin = [](Query& q) { TableSums::refute_without_latency(q, "2R1W"); }};
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_two_passes() { return {two_passes()}; }

}  // namespace bankproof::proofs
