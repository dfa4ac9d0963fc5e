// The scheduled permutation (row H6, THS 5.5), for every R and C: three passes over an R × C
// matrix. Each pass permutes rows, or columns, separately. Element e is an edge from row e/C to row
// P(e)/C. There are C colors, and edges that share a row have different colors. The first pass
// takes e to the column of its color, the second to its row, the third to its column
// (algorithms/permutation/schedule.hpp).
#include "../../../algorithms/layout.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

class Scheduled {
 public:
  explicit Scheduled(Query& q)
      : rows(q.number("R", 1, 3)),
        columns(q.number("C", 1, 4)),
        q_(q),
        permuted_(q.function("P")),
        inverse_(q.function("Q")),
        color_(q.function("color")) {}

  IntTerm element(const std::string& name, std::uint64_t example) {
    IntTerm e = below(q_, name, rows * columns, example);
    q_.assume(permuted(e) >= 0 && permuted(e) < rows * columns);
    q_.assume(inverse_(permuted(e)) == e);
    q_.assume(color(e) >= 0 && color(e) < columns);
    q_.compare_multiples(columns, e / columns, rows);
    q_.compare_multiples(columns, permuted(e) / columns, rows);
    return e;
  }
  /// Assumes that two elements differ, and that the coloring is proper at the rows that they come
  /// from and go to.
  void compare(const IntTerm& e, const IntTerm& f, bool at_both_ends = true) {
    q_.assume(e != f);
    q_.assume(implies(e / columns == f / columns, color(e) != color(f)));
    if (at_both_ends) {
      q_.assume(implies(permuted(e) / columns == permuted(f) / columns, color(e) != color(f)));
    }
  }
  IntTerm permuted(const IntTerm& e) const { return permuted_(e); }
  IntTerm color(const IntTerm& e) const { return color_(e); }
  /// The place of e after the first, the second, and the third pass.
  IntTerm first(const IntTerm& e) const { return placed(e / columns, color(e)); }
  IntTerm second(const IntTerm& e) const { return placed(permuted(e) / columns, color(e)); }
  IntTerm third(const IntTerm& e) const {
    return placed(permuted(e) / columns, permuted(e) % columns);
  }
  Truth has_place(const IntTerm& place) const { return place >= 0 && place < rows * columns; }

  const IntTerm rows;
  const IntTerm columns;

 private:
  /// The place at a row and a column. Proves that its quotient and remainder by C are this row and
  /// column.
  IntTerm placed(const IntTerm& row, const IntTerm& column) const {
    IntTerm place = row_major(row, column, columns);
    for (const IntTerm& other : {IntTerm(0), rows - 1, place / columns}) {
      q_.compare_multiples(columns, row, other);
    }
    return place;
  }

  Query& q_;
  Function permuted_;
  Function inverse_;
  Function color_;
};

/// Whether the first pass takes two elements to different places, each within its row. The false
/// twin claims that elements of any rows have different colors.
Truth moves_in_rows(Query& q, bool by_color) {
  Scheduled pass(q);
  const IntTerm e = pass.element("e", 1);
  const IntTerm f = pass.element("f", 6);
  pass.compare(e, f);
  const IntTerm place = pass.first(e);
  const IntTerm other = pass.first(f);
  const Truth same_row = place / pass.columns == e / pass.columns;
  const Truth apart = by_color ? place != other : pass.color(e) != pass.color(f);
  return pass.has_place(place) && same_row && apart;
}

Theorem first_pass() {
  return Theorem{.id = "H6.first",
                 .source = "THS 5.5",
                 .statement =
                     "the first pass made from a proper coloring takes the elements of each row to "
                     "different places of that row",
                 .domain = "all R, C, permutations and proper colorings"}
      .proof([](Query& q) { q.claim("rows on their own", moves_in_rows(q, true)); })
      .false_twin([](Query& q) { q.claim("colors differ", moves_in_rows(q, false)); });
}

/// Whether the second pass takes two elements to different places, each within its column. In the
/// false twin, the coloring is proper only at the rows that elements come from.
Truth moves_in_columns(Query& q, bool proper_at_both_ends) {
  Scheduled pass(q);
  const IntTerm e = pass.element("e", 1);
  const IntTerm f = pass.element("f", 6);
  pass.compare(e, f, proper_at_both_ends);
  const IntTerm from = pass.first(e);
  const IntTerm place = pass.second(e);
  const IntTerm other = pass.second(f);
  q.compare_multiples(pass.columns, place / pass.columns, other / pass.columns);
  return pass.has_place(place) && place % pass.columns == from % pass.columns && place != other;
}

Theorem second_pass() {
  return Theorem{.id = "H6.second",
                 .source = "THS 5.5",
                 .statement =
                     "the second pass made from a proper coloring takes the elements of each "
                     "column to different places of that column",
                 .domain = "all R, C, permutations and proper colorings"}
      .claim_both("columns on their own", moves_in_columns);
}

/// Whether the third pass takes two elements to their places, each within its row. In the false
/// twin, the elements start where the first pass left them.
Truth moves_in_rows_again(Query& q, bool after_second) {
  Scheduled pass(q);
  const IntTerm e = pass.element("e", 1);
  const IntTerm f = pass.element("f", 6);
  pass.compare(e, f);
  const IntTerm from = after_second ? pass.second(e) : pass.first(e);
  const IntTerm place = pass.third(e);
  return place / pass.columns == from / pass.columns && place == pass.permuted(e) &&
         place != pass.third(f);
}

Theorem third_pass() {
  return Theorem{.id = "H6.third",
                 .source = "THS 5.5",
                 .statement =
                     "the third pass made from a proper coloring takes each element to its place, "
                     "which is in its row, and no two to one place",
                 .domain = "all R, C, permutations and proper colorings"}
      .claim_both("rows on their own", moves_in_rows_again);
}

/// The passes as they are stored. Within row r, column c goes to p0(r, c). Within column c, row r
/// goes to p1(c, r). Within row r, column c goes to p2(r, c). The proof assumes that they hold, for
/// element e, the values that schedule() writes. In the false twin, the second pass is stored by
/// rows and columns, like the other two.
Truth compose(Query& q, bool by_columns) {
  Scheduled pass(q);
  const IntTerm& c = pass.columns;
  const IntTerm e = pass.element("e", 6);
  const IntTerm to = pass.permuted(e);
  const Function p0 = q.function("first", 2);
  const Function p1 = q.function("second", 2);
  const Function p2 = q.function("third", 2);
  q.assume(p0(e / c, e % c) == pass.color(e));
  const IntTerm row = e / c;
  q.assume((by_columns ? p1(pass.color(e), row) : p1(row, pass.color(e))) == to / c);
  q.assume(p2(to / c, pass.color(e)) == to % c);
  const auto in_row = [&](const Function& p, const IntTerm& place) {
    return row_major(place / c, p(place / c, place % c), c);
  };
  const IntTerm one = in_row(p0, e);
  q.compare_multiples(c, one / c, e / c);
  const IntTerm row_after = p1(one % c, one / c);
  const IntTerm two = row_major(row_after, one % c, c);
  q.compare_multiples(c, row_after, to / c);
  q.compare_multiples(c, two / c, to / c);
  return in_row(p2, two) == to;
}

Theorem passes_compose() {
  return Theorem{.id = "H6.composition",
                 .source = "THS 5.5",
                 .statement = "the three passes made from a proper coloring compose to P",
                 .domain = "all R, C, permutations and proper colorings"}
      .claim_both("P", compose);
}

}  // namespace

std::vector<Theorem> theorems_on_passes() {
  return {first_pass(), second_pass(), third_pass(), passes_compose()};
}

}  // namespace bankproof::proofs
