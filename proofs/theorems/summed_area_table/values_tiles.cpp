// Summed area tables tile by tile (row A4, THS 6.3), for every size, width and tile: the values
// that a tile computes from the sums of earlier tiles.
#include <utility>

#include "../../builder/areas.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// The tile that begins at element (top, left), as add_carry() and then sum_tile() compute it in
/// shared memory.
struct Tile {
  Query& q;
  Area area;
  IntTerm top;
  IntTerm left;
  Function down;   ///< sum of column j after this many rows
  Function along;  ///< sum of row i after this many columns
  bool with_corner;

  Tile(Query& query, IntTerm first_row, IntTerm first_column, bool corner = true)
      : q(query),
        area(q),
        top(std::move(first_row)),
        left(std::move(first_column)),
        down(q.function("down", 2)),
        along(q.function("along", 2)),
        with_corner(corner) {}

  /// Three sums of elements outside the tile: above() adds up what is above its column j (C),
  /// before() what is to the left of its row i (R), and corner() what is both above the tile and to
  /// its left (M). These sums are empty at the edges of the matrix.
  IntTerm above(const IntTerm& j) const { return area(0, left + j, top, left + j + 1); }
  IntTerm before(const IntTerm& i) const { return area(top + i, 0, top + i + 1, left); }
  IntTerm corner() const { return with_corner ? area.corner(top, left) : 0; }
  /// Element (i, j) of the tile after add_carry().
  IntTerm carried(const IntTerm& i, const IntTerm& j) const {
    return area.element(top + i, left + j) + select(i == 0, above(j), 0) +
           select(j == 0, before(i), 0) + select(i == 0 && j == 0, corner(), 0);
  }
  /// The sum that column j must have after k rows. The first column includes everything to its
  /// left.
  IntTerm wanted_down(const IntTerm& k, const IntTerm& j) const {
    const IntTerm from = select(j == 0, 0, left + j);
    return area(0, from, top + k, left + j + 1);
  }
  Truth is_down(const IntTerm& k, const IntTerm& j) const {
    return down(k, j) == wanted_down(k, j);
  }
  Truth is_table(const IntTerm& i, const IntTerm& k) const {
    return along(i, k) == area.corner(top + i + 1, left + k);
  }
  void first_row(const IntTerm& j) const {
    q.assume(down(1, j) == carried(0, j));
    area.split_rows(left + j, left + j + 1, 0, top, top + 1);
    area.split_corner(top, left, top + 1, left + 1);
  }
  void add_row(const IntTerm& k, const IntTerm& j) const {
    q.assume(down(k + 1, j) == down(k, j) + carried(k, j));
    area.split_rows(left + j, left + j + 1, 0, top + k, top + k + 1);
    area.split_corner(top + k, left, top + k + 1, left + 1);
  }
  void add_column(const IntTerm& i, const IntTerm& k) const {
    q.assume(along(i, k + 1) == along(i, k) + down(i + 1, k));
    area.split_columns(0, top + i + 1, 0, left + k, left + k + 1);
  }
};

Theorem block_step() {
  return Theorem{
      .id = "A4.block",
      .source = "THS 6.3, step 3",
      .statement =
          "with the sums above its columns, to the left of its rows, and of both added to its top "
          "row, leftmost column and corner, a tile's sums down and along are the table",
      .domain = "all w, tiles and matrices, by induction over rows and columns"}
      .proof([](Query& q) {
        const IntTerm w = width(q);
        const Tile tile(q, q.number("top", 0, 4), q.number("left", 0, 8));
        const IntTerm i = below(q, "i", w, 2);
        const auto sums_down = [&](const IntTerm& j) {
          tile.first_row(j);
          q.induct(
              1, i + 1, [&](const IntTerm& k) { return tile.is_down(k, j); },
              [&](const IntTerm& k) { tile.add_row(k, j); });
        };
        sums_down(0);
        q.assume(tile.along(i, 1) == tile.down(i + 1, 0));
        q.induct(
            1, w, [&](const IntTerm& k) { return tile.is_table(i, k); },
            [&](const IntTerm& k) {
              sums_down(k);
              tile.add_column(i, k);
            });
        q.claim("the table", tile.is_table(i, w));
        // A tile at the top edge of the matrix adds nothing from above, and a tile at the left edge
        // adds nothing from the left.
        tile.area.split_rows(tile.left + i, tile.left + i + 1, 0, 0, 0);
        tile.area.split_columns(tile.top + i, tile.top + i + 1, 0, 0, 0);
        q.claim("nothing above", implies(tile.top == 0, tile.above(i) == 0));
        q.claim("nothing to the left", implies(tile.left == 0, tile.before(i) == 0));
      })
      .false_twin([](Query& q) {
        // The false twin leaves out the corner.
        const Tile tile(q, 4, 8, false);
        tile.first_row(0);
        q.claim("the table", tile.is_down(1, 0));
      });
}

/// Sums of w × w tiles, down and then along, as step 2 leaves them in C and M. In the false twin, a
/// tile adds the sums of the tile below it.
struct TileSums {
  Query& q;
  Area area;
  IntTerm w;
  Function columns;  ///< C of a column, after this many rows of tiles
  Function tiles;    ///< M, summed down a column of tiles
  Function corners;  ///< M, summed down and then along
  IntTerm below;

  TileSums(Query& query, IntTerm of_tile, std::uint64_t rows_below = 0)
      : q(query),
        area(q),
        w(std::move(of_tile)),
        columns(q.function("C")),
        tiles(q.function("down")),
        corners(q.function("M")),
        below(rows_below) {}

  void start() const { q.assume(columns(0) == 0 && tiles(0) == 0 && corners(0) == 0); }
  /// Adds row y of tiles to the sum: the elements of this row in columns begin … end − 1.
  void add(const Function& sum, const IntTerm& y, const IntTerm& begin, const IntTerm& end) const {
    const IntTerm next = y + 1;
    q.assume(sum(next) == sum(y) + area((y + below) * w, begin, (next + below) * w, end));
    area.split_rows(begin, end, 0, y * w, next * w);
  }
  Truth is_above(const Function& sum, const IntTerm& y, const IntTerm& begin,
                 const IntTerm& end) const {
    return sum(y) == area(0, begin, y * w, end);
  }
};

Theorem sums_of_sums() {
  return Theorem{
      .id = "A4.sums",
      .source = "THS 6.3, steps 1 and 2",
      .statement =
          "summed down, the sums of the columns of tiles are those of all that is above; the table "
          "of the sums of tiles is that of all that is above and to the left",
      .domain = "all w, tiles and matrices, by induction over rows and columns of tiles"}
      .proof([](Query& q) {
        const TileSums of(q, width(q));
        of.start();
        const auto [rows, j] = q.numbers({{"y", 0, 2}, {"j", 0, 5}});
        q.multiply_by({of.w});
        const auto down = [&](const Function& sum, const IntTerm& begin, const IntTerm& end) {
          of.area.split_rows(begin, end, 0, 0, 0);
          q.induct(
              0, rows, [&](const IntTerm& y) { return of.is_above(sum, y, begin, end); },
              [&](const IntTerm& y) { of.add(sum, y, begin, end); });
        };
        down(of.columns, j, j + 1);
        q.claim("above a column", of.is_above(of.columns, rows, j, j + 1));
        q.compare_multiples(of.w, 0, rows);
        q.claim("rows above", rows * of.w >= 0);
        of.area.split_columns(0, rows * of.w, 0, 0, 0);
        q.induct(
            0, q.number("x", 0, 3),
            [&](const IntTerm& x) {
              return of.corners(x) == of.area.corner(rows * of.w, x * of.w);
            },
            [&](const IntTerm& x) {
              // Each step adds one column of tiles: M's sum down this column.
              const IntTerm begin = x * of.w;
              const IntTerm end = begin + of.w;
              const Function tiles = q.function("tiles");
              q.assume(tiles(0) == 0);
              down(tiles, begin, end);
              q.assume(of.corners(x + 1) == of.corners(x) + tiles(rows));
              q.compare_multiples(of.w, 0, x);
              of.area.split_columns(0, rows * of.w, 0, begin, end);
            });
      })
      .false_twin([](Query& q) {
        const TileSums of(q, 4, 1);
        of.start();
        of.area.split_rows(0, 1, 0, 0, 0);
        of.add(of.columns, 0, 0, 1);
        q.claim("above a column", of.is_above(of.columns, 1, 0, 1));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_table_tiles() { return {block_step(), sums_of_sums()}; }

}  // namespace bankproof::proofs
