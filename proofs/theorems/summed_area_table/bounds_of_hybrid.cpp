// The upper bound on the global memory access cost of (1+r)R1W, by THS theorem 6.5.1 (row A7), for
// all triangles and all depths of their recursion.
//
// A triangle of t diagonals has t(t + 1)/2 tiles. A tile takes at most w + 3 stages in step 1 and
// 2w + 3 in step 3: a stage for each thing that it leaves for the tiles below, beside and beyond
// it, or takes from such tiles. In step 2, the sums down and along, and the table of tile sums, are
// counted as if the triangle were a square. The first triangle leaves the edges of its last two
// diagonals. The last triangle takes the edges of the two diagonals before it.
#include <memory>
#include <utility>

#include "../times.hpp"
#include "../turns/close.hpp"
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
    q.prove("its tiles", part.top == before && part.left == before && part.down == side &&
                             part.across == side && part.first == boxed.first &&
                             part.end == boxed.end && boxed.end == boxed.first + t);
    q.multiply_by({whole.w()});
    return boxed.width() == whole.w() * side && boxed.height() == whole.w() * side &&
           boxed.end == boxed.first + t;
  });
  return boxed;
}

void Triangle::give_rows(const std::shared_ptr<IntTerm>& y, const std::shared_ptr<IntTerm>& x,
                         const IntTerm& each, bool leaves) const {
  const IntTerm zero(0);
  const IntTerm one(1);
  const IntTerm two(2);
  query_.give_invariant(with_steps<OfRounds>(
      [=, this](const IntTerm& k, const OfRounds& sum) {
        return whole_.bounded(two * sum.stages,
                              each * twice_before(k) + IntTerm(leaves ? 8 : 0) * k);
      },
      [=, this](const IntTerm& k) {
        *y = k;
        const auto row = part_.row(part_.first, part_.end, k);
        query_.conclude("a row of tiles", [&] {
          query_.multiply_by({});
          return row.begin == (is_last_ ? side_ - k : zero) && row.count == in_row(k) && k < side_;
        });
        query_.multiply_by({w()});
      }));
  query_.give_invariant(with_steps<OfRounds>(
      [=, this](const IntTerm& k, const OfRounds& sum) {
        const IntTerm more = leaves ? two * minus_or_zero(k + two, in_row(*y)) : zero;
        return whole_.bounded(sum.stages, each * k + more);
      },
      [=, this](const IntTerm& k) {
        *x = part_.row(part_.first, part_.end, *y).begin + k;
        box_.know_place(part_, *y, *x);
        query_.multiply_by({w()});
      }));
}

void Triangle::give_edges() const {
  const auto y = std::make_shared<IntTerm>(0);
  const auto x = std::make_shared<IntTerm>(0);
  give_rows(y, x, whole_.of_tile(1), false);
  box_.give_edges_of_tile(
      whole_, part_, [=] { return *y; }, [=] { return *x; });
}

/// The tiles on the two diagonals before the triangle, two in each row except the last row. The
/// first of two has only a corner; the second has edges, too.
void Triangle::give_differences() const {
  const IntTerm zero(0);
  const IntTerm one(1);
  const auto y = std::make_shared<IntTerm>(0);
  const auto x = std::make_shared<IntTerm>(0);
  query_.give_invariant(of_one([=, this] { return IntTerm(14) * side_; }));
  const auto row = [=, this](const IntTerm& k) { return part_.row(part_.known(), part_.first, k); };
  query_.give_invariant(with_steps<OfRounds>(
      [=](const IntTerm& k, const OfRounds& sum) { return sum.stages <= IntTerm(14) * k; },
      [=, this](const IntTerm& k) {
        *y = k;
        query_.conclude("a row before it", [&] {
          query_.multiply_by({});
          const IntTerm last = row(k).begin + row(k).count;
          return last == side_ - k && row(k).count <= IntTerm(2) && row(k).count >= one &&
                 implies(k < t_, row(k).count == IntTerm(2)) && row(k).begin >= zero && k < side_;
        });
      }));
  query_.give_invariant(with_steps<OfRounds>(
      [=](const IntTerm& k, const OfRounds& sum) {
        const IntTerm first = select(row(*y).count == IntTerm(2), smaller(k, one), zero);
        return sum.stages <= IntTerm(12) * k - IntTerm(10) * first;
      },
      [=, this](const IntTerm& k) {
        *x = row(*y).begin + k;
        box_.know_place(part_, *y, *x);
        query_.multiply_equals(part_.left + *x, whole_.tiling().matrix.rows, w() * whole_.tiles());
        query_.multiply_by({w()});
      }));
  const TableSums anywhere = whole_.of_sums(whole_.tiling());
  const auto give = [&](bool down) {
    query_.give_invariant(with_steps<OfRounds>(
        of_one([=, this] {
          const SumPlacesOf<IntTerm> to(part_, *y, *x);
          return IntTerm(4) * smaller(down ? to.columns : to.rows, one);
        }),
        [=, this](const IntTerm& k) {
          const EdgePlacesOf<IntTerm> at = part_.edges(*y, *x);
          const SumPlacesOf<IntTerm> to(part_, *y, *x);
          const IntTerm& p = whole_.task().machine.p;
          const IntTerm start = k * p;
          const IntTerm count = smaller(p, w() - start);
          const IntTerm wanted = down ? to.columns : to.rows;
          const IntTerm words = smaller(count, minus_or_zero(wanted, start));
          const IntTerm most = smaller(wanted, one);
          const IntTerm from = down ? at.own_bottom : at.own_right;
          const IntTerm into = down ? to.in_columns : to.in_rows;
          const IntTerm lacks = select(start == zero && !(down ? at.left : at.above), one, zero);
          const IntTerm top = part_.top + *y;
          const IntTerm left = part_.left + *x;
          const Truth always = k >= zero;
          query_.multiply_equals(p, k, zero);
          boundaries(zero, words, w());  // for both runs of these words
          whole_.prove_run({from + start, words},
                           down ? top * whole_.tiles() + left : left * whole_.tiles() + top, most,
                           always);
          anywhere.prove_run({from + start + lacks - one, minus_or_zero(words, lacks), lacks}, zero,
                             most, always);
          box_.prove_run({into + start, words}, down ? *y * side_ + *x : *x * side_ + *y, most,
                         always);
        }));
  };
  give(true);
  give(false);
}

void Triangle::give_tables() const {
  const auto y = std::make_shared<IntTerm>(0);
  const auto x = std::make_shared<IntTerm>(0);
  give_rows(y, x, whole_.of_tile(2), !is_last_ && !whole_.is_at_least());
  const auto leave = [&] {
    if (is_last_) return;  // no tiles follow
    const auto at = [=, this] { return part_.edges(*y, *x); };
    const auto wanted = [=, this] { return part_.is_last(*y, *x); };
    const IntTerm zero(0);
    const auto edges = [=] { return IntTerm(2) * select(wanted(), IntTerm(1), zero); };
    query_.give_invariant(whole_.is_at_least() ? of_any<OfRounds>() : of_one(edges));
    const auto row = [=, this] { return part_.top + *y; };
    const auto column = [=, this] { return part_.left + *x; };
    whole_.give_run([=] { return at().own_bottom; },
                    [=] { return select(wanted() && at().below, at().columns, zero); },
                    [=, this] { return row() * whole_.tiles() + column(); });
    whole_.give_run([=] { return at().own_right; },
                    [=] { return select(wanted() && at().right, at().rows, zero); },
                    [=, this] { return column() * whole_.tiles() + row(); });
  };
  box_.give_table_of_tile(
      whole_, part_, [=] { return *y; }, [=] { return *x; }, leave);
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
  const auto calls = std::make_shared<int>(0);
  query_.give_invariant<SumInvariant<Cost<IntTerm>>>(
      [=, this](const IntTerm& k, const Cost<IntTerm>& sum) {
        const IntTerm zero(0);
        const IntTerm one(1);
        if (++*calls == 2) {
          query_.prove("not empty", t_ >= one && k == zero);
          query_.multiply_by({w(), t_, part_.down - one});
          prove_edges(query_, inner_);
          depth.define(part_.down);
        }
        if (*calls == 3) {
          prove_with_and_without(query_, part_, [&] {
            query_.multiply_by({w(), part_.down - one, w() * (part_.down - one)});
            return is_bounded(depth, sum);
          });
          query_.multiply_by({});
        }
        return implies(k <= zero, sum.global.stages <= zero && sum.launches <= zero) &&
               implies(k >= one, is_bounded(depth, sum)) && k <= one;
      });
  give_edges();
  if (is_last_) give_differences();
  give_finish(
      query_, inner_, part_,
      [=, this](const Cost<IntTerm>& cost) { return level_is_bounded(inner_, depth, cost); },
      [=, this] {
        box_.give_down(part_.columns(), part_.columns().rows, is_last_);
        box_.give_down(part_.rows(), part_.rows().rows, is_last_);
      },
      [=, this] { give_tables(); });
}

void Triangle::give_least() const {
  query_.give_invariant(with_steps<Cost<IntTerm>>(
      [=, this](const IntTerm& k, const Cost<IntTerm>& sum) {
        return implies(k >= IntTerm(1), is_at_least(sum));
      },
      [=, this](const IntTerm& k) {
        query_.prove("not empty", t_ >= IntTerm(1) && k == IntTerm(0));
        query_.multiply_by({w(), t_});
      }));
  give_edges();
  for (int sums = 0; is_last_ && sums < 5; ++sums) query_.give_invariant(of_any<OfRounds>());
  give_any_sums(query_, whole_);
  give_tables();
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
                q.prove("diagonals", t >= IntTerm(0) && t < tiles);
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
                q.prove("between", between.global.stages <= (two * w + IntTerm(6)) * squares &&
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
                q.prove("the stages", w * cost.global.stages <= most);
                const IntTerm k = select(t == IntTerm(0), IntTerm(0), depth(t) + depth(t + one));
                q.prove("the launches", cost.launches <= two * (tiles - t + k) + IntTerm(5));
                depth.give();
                depth.give();
                const IntTerm w5 = w * w * w * w * w;
                q.multiply_by({sums.latency()});
                q.multiply_by({w5, w5 * w * sums.latency()});
                q.prove("the bound", sums.is_bounded(cost));
              },
          .false_twin = prove_a_hundredth_less<TableByHybrid>};
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_hybrids() { return {hybrid()}; }

}  // namespace bankproof::proofs
