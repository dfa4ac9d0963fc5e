// The values of summed area tables in global memory (rows A1, A2 and A5, THS 6.2 and 6.4), for
// every size. Only the splitting law is known about sums of rectangles.
#include <utility>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../builder/areas.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// Whether the sum of a rectangle follows from four entries of the table. The false twin has the
/// signs that THS 6 prints.
Truth four_corners(Query& q, bool mended) {
  const Area area(q);
  const auto [top, left, bottom, right] =
      q.numbers({{"top", 0, 1}, {"left", 0, 1}, {"bottom", 0, 2}, {"right", 0, 3}});
  q.assume(top <= bottom && left <= right);
  area.split_corner(top, left, bottom + 1, right + 1);
  area.split_rows(0, left, 0, top, bottom + 1);
  const auto corner = [&](const IntTerm& i, const IntTerm& j) { return area.corner(i, j); };
  const IntTerm sum = area(top, left, bottom + 1, right + 1);
  if (mended) return sum == rectangle_from_corners(corner, top, left, bottom, right);
  return sum == corner(bottom + 1, right + 1) + corner(top, right + 1) + corner(bottom + 1, left) -
                    corner(top, left);
}

Theorem rectangle() {
  return Theorem{
      .id = "A1.rectangle",
      .source = "THS 6, mended",
      .statement =
          "b[d][r] − b[u][r] − b[d][l] + b[u][l] is the sum of the rectangle below row u, to the "
          "right of column l, and up to (d, r); before the first row or column b is 0",
      .domain = "all matrices and rectangles"}
      .claim_both("the sum", four_corners);
}

/// The numbers of 2R2W at (i, j): sums down column j, then along row i. In the false twin, the sums
/// along a row are sums of the elements instead of sums of the column sums.
struct Straight {
  Query& q;
  Area area{q};
  IntTerm i;
  IntTerm j;
  Function down = q.function("down");    ///< column j's sum after this many rows
  Function along = q.function("along");  ///< row i's sum after this many columns

  Straight(Query& query, IntTerm row, IntTerm column)
      : q(query), i(std::move(row)), j(std::move(column)) {
    q.assume(down(0) == 0 && along(0) == 0);
    area.split_rows(j, j + 1, 0, 0, 0);
    area.split_columns(0, i + 1, 0, 0, 0);
  }
  void add_down(const IntTerm& row) const {
    const IntTerm next = row + 1;
    q.assume(down(next) == down(row) + area.element(row, j));
    area.split_rows(j, j + 1, 0, row, next);
  }
  IntTerm summed_down(const IntTerm& rows, const IntTerm& column) const {
    return area(0, column, rows, column + 1);
  }
  void add_along(const IntTerm& column, bool sums = true) const {
    const IntTerm next = column + 1;
    q.assume(along(next) ==
             along(column) + (sums ? summed_down(i + 1, column) : area.element(i, column)));
    area.split_columns(0, i + 1, 0, column, next);
  }
  Truth is_table(const IntTerm& columns) const {
    return along(columns) == area.corner(i + 1, columns);
  }
};

Theorem values_down_and_along() {
  return Theorem{
      .id = "A2.value",
      .source = "THS 6.2",
      .statement =
          "2R2W's sums along the rows, of its sums down the columns, are the summed area table",
      .domain = "all sizes, by induction over rows and columns"}
      .proof([](Query& q) {
        const Straight of(q, q.number("i", 0, 2), q.number("j", 0, 3));
        q.induct(
            0, of.i + 1, [&](const IntTerm& k) { return of.down(k) == of.summed_down(k, of.j); },
            [&](const IntTerm& k) { of.add_down(k); });
        q.induct(
            0, of.j + 1, [&](const IntTerm& k) { return of.is_table(k); },
            [&](const IntTerm& k) { of.add_along(k); });
        q.claim("the table", of.is_table(of.j + 1));
      })
      .false_twin([](Query& q) {
        const Straight of(q, 1, 0);
        of.area.split_rows(0, 1, 0, 1, 2);
        of.add_along(0, false);
        q.claim("the table", of.is_table(1));
      });
}

/// Whether formula (6.1) holds at (i, j). The false twin adds the corner instead of subtracting it.
Truth formula(Query& q, bool taken_away) {
  const Area area(q);
  const auto [i, j] = q.numbers({{"i", 0, 2}, {"j", 0, 3}});
  area.split_corner(i, j, i + 1, j + 1);
  area.split_rows(0, j, 0, i, i + 1);
  // Entries of b outside the matrix count as 0; the algorithm does not read them.
  area.split_columns(0, i + 1, 0, 0, 0);
  area.split_columns(0, i, 0, 0, 0);
  area.split_rows(0, j + 1, 0, 0, 0);
  area.split_rows(0, j, 0, 0, 0);
  const auto read = [&](const Truth& there, const IntTerm& value) {
    return select(there, value, 0);
  };
  const IntTerm corner = read(i > 0 && j > 0, area.corner(i, j));
  const IntTerm sum =
      area.element(i, j) + read(j > 0, area.corner(i + 1, j)) + read(i > 0, area.corner(i, j + 1));
  return area.corner(i + 1, j + 1) == (taken_away ? sum - corner : sum + corner);
}

Theorem formula_6_1() {
  return Theorem{.id = "A5.value",
                 .source = "THS 6.4, formula (6.1)",
                 .statement =
                     "b[i][j] = a[i][j] + b[i][j−1] + b[i−1][j] − b[i−1][j−1], with nothing for "
                     "what is outside",
                 .domain = "all sizes"}
      .claim_both("the table", formula);
}

/// A matrix with a launch for each diagonal.
struct Diagonals {
  IntTerm rows;
  IntTerm columns;

  explicit Diagonals(Query& q) : rows(q.number("rows", 1, 4)), columns(q.number("columns", 1, 3)) {}
  /// Whether launch k handles element (i, j). The false twin leaves out `missing` elements of each
  /// diagonal.
  Truth meets(const IntTerm& k, const IntTerm& i, const IntTerm& j,
              std::uint64_t missing = 0) const {
    const auto diagonal = DiagonalOf<IntTerm>::of(k, rows, columns);
    const IntTerm count = diagonal.count - missing;
    return k < rows + columns - 1 && diagonal.row <= i && i < diagonal.row + count &&
           diagonal.k - i == j;
  }
};

Truth is_met(Query& q, const Diagonals& of, std::uint64_t missing) {
  const IntTerm i = below(q, "i", of.rows, 3);
  const IntTerm j = below(q, "j", of.columns, 0);
  return of.meets(i + j, i, j, missing);
}

/// Proves that the threads of a diagonal have only elements of the matrix.
void prove_inside(Query& q, const IntTerm& rows, const IntTerm& columns) {
  const IntTerm k = below(q, "k", rows + columns - 1, 4);
  const auto diagonal = DiagonalOf<IntTerm>::of(k, rows, columns);
  const IntTerm thread = q.number("thread", 0, 0);
  q.assume(thread < diagonal.count);
  const IntTerm row = diagonal.row + thread;
  const IntTerm column = diagonal.k - row;
  q.claim("no others", row < rows && column >= 0 && column < columns && row + column == k);
}

Theorem diagonals() {
  return Theorem{
      .id = "A5.order",
      .source = "THS lemma 6.4.1",
      .statement =
          "4R1W's launches meet each element, once, and after the three that formula (6.1) wants",
      .domain = "all sizes"}
      .proof([](Query& q) {
        const Diagonals of(q);
        q.claim("met", is_met(q, of, 0));
        prove_inside(q, of.rows, of.columns);
        const auto [y, x, k, other] =
            q.numbers({{"y", 0, 1}, {"x", 0, 2}, {"launch", 0, 3}, {"other", 0, 2}});
        q.assume(of.meets(k, y, x));
        q.claim("once", implies(of.meets(other, y, x), other == k));
        const auto [up, back] = q.numbers({{"up", 0, 1}, {"back", 0, 0}});
        q.assume(up <= y && back <= x && up + back > 0);
        q.claim("after those above and to the left",
                implies(of.meets(other, y - up, x - back), other < k));
      })
      .false_twin([](Query& q) { q.claim("met", is_met(q, Diagonals(q), 1)); });
}

}  // namespace

std::vector<Theorem> theorems_on_tables() {
  return {rectangle(), values_down_and_along(), formula_6_1(), diagonals()};
}

}  // namespace bankproof::proofs
