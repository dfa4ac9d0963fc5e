// Summed area tables in one pass (row A6, THS 6.4), for every size, width and tile: the edges that
// a tile takes from the tiles before it, the places of these edges, and the order of the tiles.
#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../builder/areas.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// Whether the edges around a tile, as 1R1W finds them, give the sums of what is above the tile's
/// columns and to the left of its rows. The edges are entries of the table along the bottom of the
/// tile above, along the right of the tile to the left, and at the corner. The false twin leaves
/// out the corner.
Truth differences_are_sums(Query& q, bool with_corner) {
  const Area area(q);
  const auto [top, left, k] = q.numbers({{"top", 0, 4}, {"left", 0, 8}, {"k", 0, 0}});
  // edge[0 … w].
  const auto above = [&](const IntTerm& at) {
    return with_corner ? area.corner(top, left + at)
                       : select(at == 0, 0, area.corner(top, left + at));
  };
  const auto before = [&](const IntTerm& at) { return area.corner(top + at, left); };
  area.split_columns(0, top, 0, left + k, left + k + 1);
  area.split_rows(0, left, 0, top + k, top + k + 1);
  const Truth columns = above(k + 1) - above(k) == area(0, left + k, top, left + k + 1);
  const Truth rows = before(k + 1) - before(k) == area(top + k, 0, top + k + 1, left);
  return columns && rows && above(0) == area.corner(top, left);
}

Theorem carry_of_edges() {
  return Theorem{.id = "A6.carry",
                 .source = "THS 6.4, figure 6.8",
                 .statement =
                     "differences along the edges of the tables above and to the left of a tile "
                     "are the sums above its columns and to the left of its rows, and their corner "
                     "that of both: 1R1W adds what 2R1W does",
                 .domain = "all w, tiles and matrices"}
      .claim_both("the sums", differences_are_sums);
}

/// A tiling of any matrix.
TilingOf<IntTerm> any_edged_tiling(Query& q) {
  return {{q.number("rows", 1, 10), q.number("columns", 1, 11)}, width(q)};
}
/// A tile of a tiling.
struct Place {
  IntTerm y;
  IntTerm x;

  Place(Query& q, const TilingOf<IntTerm>& tiling)
      : y(below(q, "y", tiling.down(), 2)), x(below(q, "x", tiling.across(), 1)) {}
};

/// The places where tile (y, x) reads the edges around it, and where its neighbors have left them.
/// In the false twin, the tile takes the corner from the tile above.
struct EdgesOfTile {
  TilingOf<IntTerm> tiling;
  Place of;
  EdgePlacesOf<IntTerm> at;
  EdgePlacesOf<IntTerm> above;
  EdgePlacesOf<IntTerm> left;
  EdgePlacesOf<IntTerm> both;
  IntTerm corner;

  explicit EdgesOfTile(Query& q, bool corner_of_both = true)
      : tiling(any_edged_tiling(q)),
        of(q, tiling),
        at(tiling, of.y, of.x),
        above(tiling, of.y - 1, of.x),
        left(tiling, of.y, of.x - 1),
        both(tiling, of.y - 1, of.x - 1),
        corner((corner_of_both ? both : above).own_bottom + last()) {}
  /// Index of the last word of a row or column that a tile leaves, if another tile follows it.
  IntTerm last() const { return tiling.w - 1; }
  /// Whether the tile reads exactly the words that its neighbors left, and no word beyond the edges
  /// of the matrix.
  Truth are_read_where_left() const {
    const Truth beside_both = at.above_row - 1 == corner &&
                              at.left_row - 1 == both.own_right + last() && both.below &&
                              both.right && both.columns == tiling.w && both.rows == tiling.w;
    return implies(at.above, at.above_row == above.own_bottom && above.below &&
                                 at.columns_above() == above.columns) &&
           implies(!at.above, at.columns_above() == 0) &&
           implies(at.left,
                   at.left_row == left.own_right && left.right && at.rows_left() == left.rows) &&
           implies(!at.left, at.rows_left() == 0) && implies(at.above && at.left, beside_both) &&
           implies(!(at.above && at.left), at.corners() == 0);
  }
};

Theorem edges_in_places() {
  return Theorem{
      .id = "A6.places",
      .source = "THS 6.4",
      .statement =
          "a tile of 1R1W reads the bottom row of the table above it, the rightmost column of the "
          "table to its left, and the last words of the tile diagonally above to the left, exactly "
          "where those tiles stored them, and nothing beyond the edge of the matrix",
      .domain = "all sizes, w and tiles"}
      .proof([](Query& q) {
        const EdgesOfTile edges(q);
        const IntTerm& rows = edges.tiling.matrix.rows;
        const IntTerm& columns = edges.tiling.matrix.columns;
        const IntTerm& w = edges.tiling.w;
        const auto& [y, x] = edges.of;
        q.multiply_by({w});
        q.claim("a tile that there is", y * w < rows && x * w < columns);
        q.multiply_by({});
        q.multiply_equals(columns, minus_or_zero(y, 1), y - 1);
        q.multiply_equals(rows, minus_or_zero(x, 1), x - 1);
        q.claim("the words", edges.are_read_where_left());
      })
      .false_twin(
          [](Query& q) { q.claim("the words", EdgesOfTile(q, false).are_read_where_left()); });
}

/// Whether launch k, for diagonal k of the tiles of a tiling, handles tile (y, x). The false twin
/// leaves out the last tile of each diagonal.
Truth meets(const TilingOf<IntTerm>& tiling, const IntTerm& k, const IntTerm& y, const IntTerm& x,
            std::uint64_t missing = 0) {
  const auto diagonal = DiagonalOf<IntTerm>::of(k, tiling.down(), tiling.across());
  const IntTerm count = diagonal.count - missing;
  return k < tiling.diagonals() && diagonal.row <= y && y < diagonal.row + count &&
         diagonal.k - y == x;
}
Theorem tiles_in_order() {
  return Theorem{.id = "A6.order",
                 .source = "THS 6.4, theorem 6.4.2",
                 .statement =
                     "1R1W's launches, one for each diagonal of tiles, meet each tile, once, and "
                     "after the three that it takes from",
                 .domain = "all sizes, w and tiles"}
      .proof([](Query& q) {
        const auto tiling = any_edged_tiling(q);
        const auto [y, x] = Place(q, tiling);
        q.claim("met", meets(tiling, y + x, y, x));
        const auto [k, other, up, back] =
            q.numbers({{"launch", 0, 3}, {"other", 0, 2}, {"up", 0, 1}, {"back", 0, 0}});
        q.assume(meets(tiling, k, y, x));
        q.claim("once", implies(meets(tiling, other, y, x), other == k));
        q.assume(up <= y && back <= x && up + back > 0);
        q.claim("after those above and to the left",
                implies(meets(tiling, other, y - up, x - back), other < k));
      })
      .false_twin([](Query& q) {
        const auto tiling = any_edged_tiling(q);
        const auto [y, x] = Place(q, tiling);
        q.claim("met", meets(tiling, y + x, y, x, 1));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_table_edges() {
  return {carry_of_edges(), edges_in_places(), tiles_in_order()};
}

}  // namespace bankproof::proofs
