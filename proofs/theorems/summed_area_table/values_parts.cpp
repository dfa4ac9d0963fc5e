// The parts of a summed area table that go through two passes (rows A4 and A7, THS 6.3 and 6.5),
// for every size and width: the tiles of the parts, and the positions of their sums.
#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../builder/areas.hpp"
#include "../../builder/bounds.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

TilingOf<IntTerm> any_tiling(Query& q) {
  const IntTerm w = width(q);
  return {{q.number("rows", 1, 15), q.number("columns", 1, 14)}, w};
}

/// Whether a part has each tile on its diagonals, which are the diagonals from … to − 1 of its
/// tiling. In the false twin, rows and columns of tiles in the part are counted from tile (0, 0)
/// instead of from the first tile of the part's box.
Truth has_its_tiles(Query& q, const TilingOf<IntTerm>& tiling, bool from_its_box) {
  const auto [from, to] = q.numbers({{"from", 0, 5}, {"to", 1, 6}});
  q.assume(from < to && to <= tiling.diagonals());
  const PartOf<IntTerm> part(tiling, from, to);
  const IntTerm y = below(q, "y", tiling.down(), 2);
  const IntTerm x = below(q, "x", tiling.across(), 3);
  q.assume(from <= y + x && y + x < to);
  const IntTerm row = from_its_box ? y - part.top : y;
  const IntTerm column = from_its_box ? x - part.left : x;
  const auto met = part.row(part.first, part.end, row);
  return row >= 0 && column >= 0 && part.has(row, column) && met.begin <= column &&
         column < met.begin + met.count;
}

Theorem tiles_of_parts() {
  return Theorem{.id = "A7.tiles",
                 .source = "THS 6.5",
                 .statement =
                     "the blocks of a part of (1+r)R1W are for each tile on its diagonals, once, "
                     "and for no other",
                 .domain = "all sizes, w and parts"}
      .proof([](Query& q) {
        const auto tiling = any_tiling(q);
        {
          const Query::Scope scope(q);
          q.claim("each tile", has_its_tiles(q, tiling, true));
        }
        const auto [from, to] = q.numbers({{"begin", 0, 4}, {"end", 1, 6}});
        q.assume(from < to && to <= tiling.diagonals());
        const PartOf<IntTerm> part(tiling, from, to);
        const IntTerm y = q.number("row", 0, 1);
        const auto row = part.row(part.first, part.end, y);
        const IntTerm x = row.begin + q.number("k", 0, 0);
        q.assume(y < part.down && x < row.begin + row.count);
        const IntTerm tile_y = part.top + y;
        const IntTerm tile_x = part.left + x;
        q.claim("no other", part.has(y, x) && tile_y < tiling.down() && tile_x < tiling.across() &&
                                from <= tile_y + tile_x && tile_y + tile_x < to);
      })
      .false_twin([](Query& q) { q.claim("each tile", has_its_tiles(q, any_tiling(q), false)); });
}

/// Triangles of t diagonals, and the diagonals between them.
struct Regions {
  TilingOf<IntTerm> tiling;
  SummedAreaTable::Parts<IntTerm> parts;

  explicit Regions(Query& q) : tiling(any_tiling(q)), parts(of(q), tiling) {}
  static TaskOf<IntTerm> of(Query& q) {
    return task_on(MachineKind::hmm, "hybrid", {}, {{"t", q.number("t", 0, 2)}});
  }
  Truth in_first(const IntTerm& diagonal) const { return diagonal < parts.t; }
  Truth between(const IntTerm& diagonal) const {
    return parts.t <= diagonal && diagonal < parts.last_begin;
  }
  Truth in_last(const IntTerm& diagonal) const {
    return parts.last_begin <= diagonal && diagonal < tiling.diagonals();
  }
  static Truth one_of(const Truth& a, const Truth& b, const Truth& c) {
    return (a || b || c) && !(a && b) && !(b && c) && !(a && c);
  }
};

/// Whether a tile never takes from a later region, if it takes from a tile above it or to its left.
/// In the false twin, it takes from a tile below it.
Truth is_in_order(Query& q, const Regions& of, bool above) {
  const IntTerm k = below(q, "diagonal", of.tiling.diagonals(), above ? 2 : 1);
  const IntTerm other = q.number("other", 0, above ? 1 : 2);
  q.assume(above ? other < k : other > k);
  return !(of.in_first(k) && !of.in_first(other)) && !(of.between(k) && of.in_last(other));
}

Theorem regions() {
  return Theorem{.id = "A7.regions",
                 .source = "THS 6.5, theorem 6.5.1",
                 .statement =
                     "each tile is in exactly one of (1+r)R1W's triangles or of the diagonals "
                     "between them; no tile reads from a later region, and no tile of those "
                     "diagonals reads from its own launch",
                 .domain = "all sizes, w and t"}
      .proof([](Query& q) {
        const Regions of(q);
        {
          const Query::Scope scope(q);
          q.claim("in order", is_in_order(q, of, true));
        }
        const IntTerm y = below(q, "y", of.tiling.down(), 1);
        const IntTerm x = below(q, "x", of.tiling.across(), 2);
        const IntTerm k = y + x;
        q.claim("in one", Regions::one_of(of.in_first(k), of.between(k), of.in_last(k)));
        q.claim("the triangles are these diagonals",
                of.parts.first.top + of.parts.first.left == 0 && of.parts.first.end == of.parts.t &&
                    of.parts.last.first + of.parts.last.top + of.parts.last.left ==
                        of.parts.last_begin &&
                    of.parts.last.end + of.parts.last.top + of.parts.last.left ==
                        of.tiling.diagonals());
      })
      .false_twin([](Query& q) { q.claim("in order", is_in_order(q, Regions(q), false)); });
}

/// Tile (y, x) of 2R1W: the words that it reads, and the words that the tile above it, the tile to
/// its left, and the tile diagonally above to the left have left in C, Rᵀ and M.
struct SumsOfTile {
  PartOf<IntTerm> part;
  IntTerm y;
  IntTerm x;
  CarryPlaceOf<IntTerm> carry;
  SumPlacesOf<IntTerm> above;
  SumPlacesOf<IntTerm> left;
  SumPlacesOf<IntTerm> both;

  /// In the false twin, `up` is 0 instead of 1, so that `above` is the tile itself.
  explicit SumsOfTile(Query& q, std::uint64_t up = 1)
      : part(any_tiling(q)),
        y(below(q, "y", part.down, 2)),
        x(below(q, "x", part.across, 1)),
        carry(carry_of_sums(part, y, x)),
        above(part, y - up, x),
        left(part, y, x - 1),
        both(part, y - 1, x - 1) {}
  /// Whether the tile reads exactly the words that its neighbors left, and no word beyond the edges
  /// of the matrix.
  Truth are_read_where_left() const {
    const Truth has_above = y > 0;
    const Truth has_left = x > 0;
    return implies(has_above, carry.above == above.in_columns && carry.columns == above.columns) &&
           implies(!has_above, carry.columns == 0) &&
           implies(has_left, carry.left == left.in_rows && carry.rows == left.rows) &&
           implies(!has_left, carry.rows == 0) &&
           implies(has_above && has_left,
                   carry.corner == both.in_tiles && carry.corners == both.tiles) &&
           implies(!(has_above && has_left), carry.corners == 0);
  }
};

Theorem sums_in_places() {
  return Theorem{
      .id = "A4.places",
      .source = "THS 6.3",
      .statement =
          "step 3 of 2R1W reads as many sums above a tile, to its left and of both as the tiles "
          "there have left, at the words where they are, and none beyond the edge",
      .domain = "all sizes, w and tiles"}
      .proof([](Query& q) {
        const SumsOfTile of(q);
        const auto& part = of.part;
        const IntTerm y_before = minus_or_zero(of.y, 1);
        const IntTerm x_before = minus_or_zero(of.x, 1);
        q.multiply_equals(part.width(), y_before, of.y - 1);
        q.multiply_equals(part.height(), x_before, of.x - 1);
        q.multiply_equals(part.across, y_before, of.y - 1);
        q.claim("the words", of.are_read_where_left());
      })
      .false_twin([](Query& q) {
        // The tile reads C at the place where the tile itself has left its sums.
        q.claim("the words", SumsOfTile(q, 0).are_read_where_left());
      });
}

/// Whether S, the table of M, is right at tile (y, x), given that it is right at the tile's
/// neighbors. M is 0 before the two diagonals that precede the part. On the farther of these two
/// diagonals M has corners of the table, and on the nearer one what these corners lack. In the
/// false twin, M has corners of the table on both.
Truth table_has_corners(Query& q, bool nearer_lack_some) {
  const Area tiles(q);  // for rectangles of tiles
  const Function table = q.function("S", 2);
  const auto [y, x, first] = q.numbers({{"y", 0, 2}, {"x", 0, 2}, {"first", 2, 5}});
  const IntTerm known = first - 2;
  const IntTerm k = y + x;
  q.assume(k >= known);
  const auto corner = [&](const Truth& there, const IntTerm& i, const IntTerm& j) {
    return select(there, tiles.corner(i + 1, j + 1), 0);
  };
  const auto neighbor = [&](const IntTerm& i, const IntTerm& j) {
    q.assume(table(i, j) == corner(i >= 0 && j >= 0 && i + j >= known, i, j));
    return table(i, j);
  };
  const IntTerm above = neighbor(y - 1, x);
  const IntTerm before = neighbor(y, x - 1);
  const IntTerm both = neighbor(y - 1, x - 1);
  const IntTerm own = tiles.corner(y + 1, x + 1);
  const IntTerm lacking = own - corner(y > 0, y - 1, x) - corner(x > 0, y, x - 1);
  const IntTerm sum = select(
      k == known, own, select(k < first, nearer_lack_some ? lacking : own, tiles.element(y, x)));
  q.assume(table(y, x) == sum + above + before - both);
  tiles.split_corner(y, x, y + 1, x + 1);
  tiles.split_rows(0, x, 0, y, y + 1);
  // There is nothing above the first row of tiles, or before the first column.
  for (const IntTerm& end : {x, x + 1}) tiles.split_rows(0, end, 0, 0, 0);
  for (const IntTerm& end : {y, y + 1}) tiles.split_columns(0, end, 0, 0, 0);
  return table(y, x) == own;
}

Theorem corners() {
  return Theorem{.id = "A7.corners",
                 .source = "THS 6.5",
                 .statement =
                     "with corners of the table, and what they lack, for the sums of the tiles on "
                     "the two diagonals before the last triangle, the table of the tiles' sums is "
                     "that of all that is above and to the left",
                 .domain = "all sizes and t; the step of an induction over diagonals"}
      .proof([](Query& q) {
        q.claim("the corner", table_has_corners(q, true));
        // If the sums of a tile are wanted, the tile's neighbors are in the part's box.
        const auto tiling = any_tiling(q);
        const IntTerm from = q.number("from", 2, 5);
        q.assume(from < tiling.diagonals());
        const PartOf<IntTerm> part(tiling, from, tiling.diagonals());
        const auto [y, x] = q.numbers({{"row", 0, 2}, {"column", 0, 2}});
        q.assume(y + 1 < tiling.down() && x + 1 < tiling.across() && y + x + 1 >= from);
        q.claim("in the box", (y == 0 || y - 1 >= part.top) && (x == 0 || x - 1 >= part.left));
      })
      .false_twin([](Query& q) { q.claim("the corner", table_has_corners(q, false)); });
}

}  // namespace

std::vector<Theorem> theorems_on_table_parts() {
  return {tiles_of_parts(), regions(), corners(), sums_in_places()};
}

}  // namespace bankproof::proofs
