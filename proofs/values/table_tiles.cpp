// Summed area tables tile by tile (rows A4 and A6, THS 6.3 and 6.4), for every size, width and
// tile: what a tile takes from those before it, and what it makes of that.
#include <utility>

#include "../../algorithms/summed_area_table.hpp"
#include "../areas.hpp"
#include "../parameters.hpp"
#include "values.hpp"

namespace bankproof::proofs {
namespace {

/// The tile from element (top, left) on, in shared memory: add_carry(), then sum_tile().
struct Tile {
  Query& q;
  Area area;
  IntTerm top;
  IntTerm left;
  Function down;   ///< column j after so many rows
  Function along;  ///< row i after so many columns
  bool with_corner;

  Tile(Query& query, IntTerm first_row, IntTerm first_column, bool corner = true)
      : q(query),
        area(q),
        top(std::move(first_row)),
        left(std::move(first_column)),
        down(q.function("down", 2)),
        along(q.function("along", 2)),
        with_corner(corner) {}

  /// The sums above column j, to the left of row i, and of both: C, R and M; where there are none,
  /// they are empty.
  IntTerm above(const IntTerm& j) const {
    return area(IntTerm(0), left + j, top, left + j + IntTerm(1));
  }
  IntTerm before(const IntTerm& i) const {
    return area(top + i, IntTerm(0), top + i + IntTerm(1), left);
  }
  IntTerm corner() const { return with_corner ? area.corner(top, left) : IntTerm(0); }
  /// Element (i, j) of the tile, with the carry.
  IntTerm carried(const IntTerm& i, const IntTerm& j) const {
    const IntTerm zero(0);
    return area.element(top + i, left + j) + select(i == zero, above(j), zero) +
           select(j == zero, before(i), zero) + select(i == zero && j == zero, corner(), zero);
  }
  /// What column j has to be after k rows: with all that is to its left, the first one.
  IntTerm wanted_down(const IntTerm& k, const IntTerm& j) const {
    const IntTerm zero(0);
    const IntTerm from = select(j == zero, zero, left + j);
    return area(zero, from, top + k, left + j + IntTerm(1));
  }
  Truth is_down(const IntTerm& k, const IntTerm& j) const {
    return down(k, j) == wanted_down(k, j);
  }
  Truth is_table(const IntTerm& i, const IntTerm& k) const {
    return along(i, k) == area.corner(top + i + IntTerm(1), left + k);
  }
  void first_row(const IntTerm& j) const {
    const IntTerm one(1);
    q.assume(down(one, j) == carried(IntTerm(0), j));
    area.split_rows(left + j, left + j + one, IntTerm(0), top, top + one);
    area.split_corner(top, left, top + one, left + one);
  }
  void add_row(const IntTerm& k, const IntTerm& j) const {
    const IntTerm one(1);
    q.assume(down(k + one, j) == down(k, j) + carried(k, j));
    area.split_rows(left + j, left + j + one, IntTerm(0), top + k, top + k + one);
    area.split_corner(top + k, left, top + k + one, left + one);
  }
  void add_column(const IntTerm& i, const IntTerm& k) const {
    const IntTerm one(1);
    q.assume(along(i, k + one) == along(i, k) + down(i + one, k));
    area.split_columns(IntTerm(0), top + i + one, IntTerm(0), left + k, left + k + one);
  }
};

Theorem block_step() {
  return {.id = "A4.block",
          .source = "THS 6.3, step 3",
          .statement =
              "with the sums above its columns, to the left of its rows, and of both added to its "
              "top row, leftmost column and corner, a tile's sums down and along are the table",
          .domain = "all w, tiles and matrices, by induction over rows and columns",
          .proof =
              [](Query& q) {
                const IntTerm w = width(q);
                const Tile tile(q, q.number("top", 0, 4), q.number("left", 0, 8));
                const IntTerm one(1);
                const IntTerm i = below(q, "i", w, 2);
                const auto sums_down = [&](const IntTerm& j) {
                  tile.first_row(j);
                  q.induct(
                      one, i + one, [&](const IntTerm& k) { return tile.is_down(k, j); },
                      [&](const IntTerm& k) { tile.add_row(k, j); });
                };
                sums_down(IntTerm(0));
                q.assume(tile.along(i, one) == tile.down(i + one, IntTerm(0)));
                q.induct(
                    one, w, [&](const IntTerm& k) { return tile.is_table(i, k); },
                    [&](const IntTerm& k) {
                      sums_down(k);
                      tile.add_column(i, k);
                    });
                q.prove("the table", tile.is_table(i, w));
                // Where nothing is above the tile, nothing is added; likewise to its left.
                const IntTerm zero(0);
                tile.area.split_rows(tile.left + i, tile.left + i + one, zero, zero, zero);
                tile.area.split_columns(tile.top + i, tile.top + i + one, zero, zero, zero);
                q.prove("nothing above", implies(tile.top == zero, tile.above(i) == zero));
                q.prove("nothing to the left", implies(tile.left == zero, tile.before(i) == zero));
              },
          .false_twin =
              [](Query& q) {
                // Without the corner.
                const Tile tile(q, IntTerm(4), IntTerm(8), false);
                tile.first_row(IntTerm(0));
                q.prove("the table", tile.is_down(IntTerm(1), IntTerm(0)));
              }};
}

/// Sums of tiles of w × w, down and then along: what step 2 leaves of C and M. Wrongly, those of
/// the tile itself are among them.
struct TileSums {
  Query& q;
  Area area;
  IntTerm w;
  Function columns;  ///< C of a column, after so many rows of tiles
  Function tiles;    ///< M's sums down of a column of tiles
  Function corners;  ///< M's table along the row of tiles

  TileSums(Query& query, IntTerm of_tile)
      : q(query),
        area(q),
        w(std::move(of_tile)),
        columns(q.function("C")),
        tiles(q.function("down")),
        corners(q.function("M")) {}

  void start() const {
    const IntTerm zero(0);
    q.assume(columns(zero) == zero && tiles(zero) == zero && corners(zero) == zero);
  }
  /// One row of tiles more: the sums of columns from `begin` to `end` of its tile.
  void add(const Function& sum, const IntTerm& y, const IntTerm& begin, const IntTerm& end) const {
    const IntTerm next = y + IntTerm(1);
    q.assume(sum(next) == sum(y) + area(y * w, begin, next * w, end));
    area.split_rows(begin, end, IntTerm(0), y * w, next * w);
  }
  Truth is_above(const Function& sum, const IntTerm& y, const IntTerm& begin,
                 const IntTerm& end) const {
    return sum(y) == area(IntTerm(0), begin, y * w, end);
  }
};

Theorem sums_of_sums() {
  return {.id = "A4.sums",
          .source = "THS 6.3, steps 1 and 2",
          .statement =
              "summed down, the sums of the columns of tiles are those of all that is above; the "
              "table of the sums of tiles is that of all that is above and to the left",
          .domain = "all w, tiles and matrices, by induction over rows and columns of tiles",
          .proof =
              [](Query& q) {
                const TileSums of(q, width(q));
                of.start();
                const IntTerm zero(0);
                const IntTerm one(1);
                const IntTerm rows = q.number("y", 0, 2);
                const IntTerm j = q.number("j", 0, 5);
                q.multiply_by({of.w});
                const auto down = [&](const Function& sum, const IntTerm& begin,
                                      const IntTerm& end) {
                  of.area.split_rows(begin, end, zero, zero, zero);
                  q.induct(
                      zero, rows, [&](const IntTerm& y) { return of.is_above(sum, y, begin, end); },
                      [&](const IntTerm& y) { of.add(sum, y, begin, end); });
                };
                down(of.columns, j, j + one);
                q.prove("above a column", of.is_above(of.columns, rows, j, j + one));
                q.compare_multiples(of.w, zero, rows);
                q.prove("rows above", rows * of.w >= zero);
                of.area.split_columns(zero, rows * of.w, zero, zero, zero);
                q.induct(
                    zero, q.number("x", 0, 3),
                    [&](const IntTerm& x) {
                      return of.corners(x) == of.area.corner(rows * of.w, x * of.w);
                    },
                    [&](const IntTerm& x) {
                      // Of each column of tiles the sum down it is added.
                      const IntTerm begin = x * of.w;
                      const IntTerm end = begin + of.w;
                      const Function tiles = q.function("tiles");
                      q.assume(tiles(zero) == zero);
                      down(tiles, begin, end);
                      q.assume(of.corners(x + one) == of.corners(x) + tiles(rows));
                      q.compare_multiples(of.w, zero, x);
                      of.area.split_columns(zero, rows * of.w, zero, begin, end);
                    });
              },
          .false_twin =
              [](Query& q) {
                // A column's sum above tile 1, where tile 1 has been added, too.
                const TileSums of(q, IntTerm(4));
                const IntTerm zero(0);
                const IntTerm one(1);
                of.start();
                of.add(of.columns, zero, zero, one);
                of.add(of.columns, one, zero, one);
                q.assume(of.is_above(of.columns, one, zero, one));
                q.prove("above", of.columns(IntTerm(2)) == of.columns(one));
              }};
}

/// The edges around a tile, as 1R1W finds them: the table along the bottom of the tile above, with
/// its corner. Wrongly, without it.
Truth differences_are_sums(Query& q, bool with_corner) {
  const Area area(q);
  const IntTerm zero(0);
  const IntTerm one(1);
  const IntTerm top = q.number("top", 0, 4);
  const IntTerm left = q.number("left", 0, 8);
  const IntTerm k = q.number("k", 0, 0);
  // edge[0 … w]
  const auto above = [&](const IntTerm& at) {
    return with_corner ? area.corner(top, left + at)
                       : select(at == zero, zero, area.corner(top, left + at));
  };
  const auto before = [&](const IntTerm& at) { return area.corner(top + at, left); };
  area.split_columns(zero, top, zero, left + k, left + k + one);
  area.split_rows(zero, left, zero, top + k, top + k + one);
  const Truth columns = above(k + one) - above(k) == area(zero, left + k, top, left + k + one);
  const Truth rows = before(k + one) - before(k) == area(top + k, zero, top + k + one, left);
  return columns && rows && above(zero) == area.corner(top, left);
}

Theorem carry_of_edges() {
  return {.id = "A6.carry",
          .source = "THS 6.4, figure 6.8",
          .statement =
              "differences along the edges of the tables above and to the left of a tile are the "
              "sums above its columns and to the left of its rows, and their corner that of both: "
              "1R1W adds what 2R1W does",
          .domain = "all w, tiles and matrices",
          .proof = [](Query& q) { q.prove("the sums", differences_are_sums(q, true)); },
          .false_twin = [](Query& q) { q.prove("the sums", differences_are_sums(q, false)); }};
}

/// A tiling of any matrix.
TilingOf<IntTerm> any_tiling(Query& q) {
  return {{q.number("rows", 1, 10), q.number("columns", 1, 11)}, width(q)};
}
/// A tile of it.
struct Place {
  IntTerm y;
  IntTerm x;

  Place(Query& q, const TilingOf<IntTerm>& tiling)
      : y(below(q, "y", tiling.down(), 2)), x(below(q, "x", tiling.across(), 1)) {}
};

/// Where tile (y, x) reads the edges around it, and their neighbors have left them; wrongly, it
/// takes the corner from the tile above.
Truth edges_are_where_left(Query& q, bool corner_of_both) {
  const auto tiling = any_tiling(q);
  const auto [y, x] = Place(q, tiling);
  const IntTerm one(1);
  q.assume(y >= one && x >= one);
  const EdgePlacesOf<IntTerm> at(tiling, y, x);
  const EdgePlacesOf<IntTerm> above(tiling, y - one, x);
  const EdgePlacesOf<IntTerm> left(tiling, y, x - one);
  const EdgePlacesOf<IntTerm> both(tiling, y - one, x - one);
  q.prove("rows and columns before",
          minus_or_zero(y, one) == y - one && minus_or_zero(x, one) == x - one);
  q.multiply_equals(tiling.matrix.columns, minus_or_zero(y, one), y - one);
  q.multiply_equals(tiling.matrix.rows, minus_or_zero(x, one), x - one);
  const IntTerm last = tiling.w - one;
  const IntTerm corner = (corner_of_both ? both : above).own_bottom + last;
  return at.above_row == above.own_bottom && at.left_row == left.own_right &&
         at.above_row - one == corner && at.left_row - one == both.own_right + last;
}

Theorem edges_in_places() {
  return {.id = "A6.places",
          .source = "THS 6.4",
          .statement =
              "a tile of 1R1W reads the bottom row and the rightmost column that the tiles above "
              "and to the left of it have left, and the last words of the tile beyond both",
          .domain = "all sizes, w and tiles",
          .proof = [](Query& q) { q.prove("the words", edges_are_where_left(q, true)); },
          .false_twin =
              [](Query& q) {
                const TilingOf<IntTerm> tiling{{IntTerm(10), IntTerm(11)}, IntTerm(4)};
                const EdgePlacesOf<IntTerm> at(tiling, IntTerm(1), IntTerm(2));
                const EdgePlacesOf<IntTerm> above(tiling, IntTerm(0), IntTerm(2));
                q.prove("the words", at.above_row - IntTerm(1) == above.own_bottom + IntTerm(3));
              }};
}

/// The diagonals of a tiling's tiles as launches; wrongly, the last tile of each is left out.
Truth tile_is_met_once(Query& q, std::uint64_t missing) {
  const auto tiling = any_tiling(q);
  const auto [y, x] = Place(q, tiling);
  const auto diagonal = DiagonalOf<IntTerm>::of(y + x, tiling.down(), tiling.across());
  const IntTerm count = diagonal.count - IntTerm(missing);
  const Truth met = diagonal.row <= y && y < diagonal.row + count && diagonal.k - y == x;
  return met && y + x < tiling.diagonals() && (y - IntTerm(1)) + x < y + x;
}

Theorem tiles_in_order() {
  return {.id = "A6.order",
          .source = "THS 6.4, theorem 6.4.2",
          .statement =
              "1R1W's launches, one for each diagonal of tiles, meet each tile once, and after the "
              "three that it takes from",
          .domain = "all sizes, w and tiles",
          .proof = [](Query& q) { q.prove("met", tile_is_met_once(q, 0)); },
          .false_twin = [](Query& q) { q.prove("met", tile_is_met_once(q, 1)); }};
}

}  // namespace

std::vector<Theorem> theorems_on_table_tiles() {
  return {block_step(), sums_of_sums(), carry_of_edges(), edges_in_places(), tiles_in_order()};
}

}  // namespace bankproof::proofs
