// Scheduled permutation (THS 5.5): any permutation of an R × C matrix in row-major order as three
// passes. Each pass permutes rows or columns on their own, so that it can be done in shared
// memories: first within the rows, then within the columns, then within the rows again.
//
// An element in row u that P takes to row v is an edge between u and v. All R nodes a side have C
// edges, so C colors suffice (König). The first pass takes an element to the column of its color.
// Then no two elements of one color go to the same row, so the second pass can take each element to
// its row; the third pass takes it to its column. Each row of each pass gets a conflict-free plan
// (plan.hpp).
//
// The second pass permutes the rows of the transposed matrix. If n is less than R·C, elements n,
// n+1, … stay where they are; a pass may move them aside if a later pass moves them back.
//
// Example: 2 × 2, P = (3, 2, 1, 0). Both elements of row 0 go to row 1 and get colors 0 and 1, as
// do both elements of row 1. The first pass changes nothing, the second exchanges the elements
// within each column, the third the elements within each row.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../model/units.hpp"
#include "coloring.hpp"
#include "plan.hpp"

namespace bankproof {

/// Conflict-free plans for the rows of a matrix; the plan of row r starts at r·lanes(). A lane
/// moves column S to column D, or is idle.
template <class Index>
struct RowPlans {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  Width width = 1;
  std::vector<Index> s;
  std::vector<Index> d;

  std::uint64_t lanes() const { return lanes_of_plan(columns, width); }
};

/// Three passes: over the rows, over the rows of the transposed matrix, over the rows.
template <class Index>
struct Schedule {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::array<RowPlans<Index>, 3> passes;
};

struct MatrixShape {
  std::uint64_t rows;
  std::uint64_t columns;
  bool operator==(const MatrixShape&) const = default;
};

/// A shape for n elements. The first choice has exactly n elements and sides that are multiples of
/// the width: the squarest such shape, if it is at most about 3√n wide. Otherwise the
/// number of columns is a multiple of the width and about √n, and the shape has room for n
/// elements.
inline MatrixShape shape_for(std::uint64_t n, Width width) {
  auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (side * side < n) ++side;
  side = std::max<std::uint64_t>(ceil_div(side, width), 1) * width;
  for (std::uint64_t columns = side; columns <= 3 * side; columns += width) {
    if (n > 0 && n % columns == 0 && n / columns % width == 0) return {n / columns, columns};
  }
  return {std::max<std::uint64_t>(ceil_div(ceil_div(n, side), width), 1) * width, side};
}

/// A shape with at most `most_rows` rows, in multiples of the width, for columns that have to be
/// short: for example, if a block takes several columns at a time. Requires width ≤ most_rows.
inline MatrixShape shape_for(std::uint64_t n, Width width, std::uint64_t most_rows) {
  const MatrixShape squarest = shape_for(n, width);
  if (squarest.rows <= most_rows) return squarest;
  const std::uint64_t rows = most_rows / width * width;
  return {rows, ceil_div(ceil_div(n, rows), width) * width};
}

namespace detail {

/// Plans each row of a matrix of permutations, [row][column].
template <class Index>
RowPlans<Index> plan_rows(const std::vector<Index>& permutations, std::uint64_t rows,
                          std::uint64_t columns, Width width) {
  RowPlans<Index> plans{rows, columns, width, {}, {}};
  const std::uint64_t lanes = plans.lanes();
  plans.s.resize(rows * lanes);
  plans.d.resize(rows * lanes);
  tbb::enumerable_thread_specific<BankPlanner<Index>> planners(columns, width);
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, rows), [&](const auto& range) {
    BankPlanner<Index>& planner = planners.local();
    for (std::uint64_t row = range.begin(); row < range.end(); ++row) {
      planner.plan(std::span(permutations).subspan(row * columns, columns),
                   std::span(plans.s).subspan(row * lanes, lanes),
                   std::span(plans.d).subspan(row * lanes, lanes));
    }
  });
  return plans;
}

}  // namespace detail

/// A schedule for P; `Cell` numbers columns and rows. Requires a permutation of 0 … n−1 and 1 ≤
/// width ≤ widest_access. Throws std::invalid_argument unless rows · columns ≥ n, and
/// std::length_error unless `Cell` numbers the lanes of rows and columns and has a value left.
template <class Cell, class Index>
Schedule<Cell> schedule(std::span<const Index> permutation, MatrixShape shape, Width width) {
  const auto [rows, columns] = shape;
  if (columns == 0 || rows == 0 || rows < ceil_div(permutation.size(), columns)) {
    throw std::invalid_argument("a matrix of " + std::to_string(rows) + " x " +
                                std::to_string(columns) + " has no room for " +
                                std::to_string(permutation.size()) + " elements");
  }
  if (lanes_of_plan(std::max(rows, columns), width) >= std::numeric_limits<Cell>::max()) {
    throw std::length_error("a schedule of so long rows needs a wider type of cells");
  }
  const auto target = [&](std::uint64_t i) -> std::uint64_t {
    return i < permutation.size() ? permutation[i] : i;
  };
  std::vector<Cell> slots(rows * columns);
  {
    std::vector<detail::Edge<Cell>> edges(rows * columns);
    for (std::uint64_t row = 0, i = 0; row < rows; ++row) {
      for (std::uint64_t column = 0; column < columns; ++column, ++i) {
        edges[i] = {static_cast<Cell>(target(i) / columns), static_cast<Cell>(column)};
      }
    }
    detail::EdgeColoring<Cell>().color(rows, columns, edges, slots);
  }
  std::array<std::vector<Cell>, 3> permutations;
  for (auto& pass : permutations) pass.resize(rows * columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t color = 0; color < columns; ++color) {
      const std::uint64_t column = slots[row * columns + color];
      const std::uint64_t to = target(row * columns + column);
      permutations[0][row * columns + column] = static_cast<Cell>(color);
      permutations[1][color * rows + row] = static_cast<Cell>(to / columns);
      permutations[2][to / columns * columns + color] = static_cast<Cell>(to % columns);
    }
  }
  return {rows,
          columns,
          {detail::plan_rows(permutations[0], rows, columns, width),
           detail::plan_rows(permutations[1], columns, rows, width),
           detail::plan_rows(permutations[2], rows, columns, width)}};
}

}  // namespace bankproof
