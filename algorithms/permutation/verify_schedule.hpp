// Does a schedule carry out P, without a conflict? The verifier decides it from the definition
// alone. It does not know how schedules are made, and includes nothing that makes them.
//
// A schedule has three passes of rows. Each row of a pass has to be right as a plan on its own:
// every column moves once, to a column of its own, and no two lanes of a warp read from the same
// bank or write to the same bank. The second pass is over the rows of the transposed matrix. Then
// the verifier carries out the passes, one after the other, on a matrix that holds the number i at
// place i. Afterwards place P(i) has to hold i, and a place beyond P has to hold its own number.
//
// Example: a 1 × 2 matrix and P = (0, 1). The first two passes change nothing, and the last pass
// swaps the two columns: place 0 holds 1 in the end, and should hold 0.
//
// Cost: O(R·C) time; R·C numbers.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../model/units.hpp"
#include "verify.hpp"

namespace bankproof {

/// The first thing wrong with a schedule.
struct ScheduleDefect {
  unsigned pass = 0;                    ///< 0, 1 or 2; 3 if each pass is right, but not the result
  std::uint64_t row = 0;                ///< of that pass
  std::optional<PlanDefect> plan = {};  ///< what is wrong with the row's plan
  std::uint64_t place = 0;              ///< for pass 3: place P(i)
  std::uint64_t found = 0;              ///< the number that the place holds in the end
  std::uint64_t expected = 0;           ///< the number that the place should hold: i
};

/// S and D of the rows of a pass, ⌈columns/w⌉·w lanes for each.
template <class Index>
struct PassToVerify {
  std::span<const Index> s;
  std::span<const Index> d;
};

namespace detail {

/// The lanes of a row of `columns` columns.
inline std::uint64_t lanes_for(std::uint64_t columns, Width width) {
  return (columns / width + (columns % width != 0 ? 1 : 0)) * width;
}

/// Does one pass on a matrix, and verifies it row by row.
template <class Index, class Element>
std::optional<ScheduleDefect> verify_pass(const PassToVerify<Index>& pass, Width width,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::vector<Element>& matrix) {
  const std::uint64_t lanes = lanes_for(columns, width);
  std::vector<Index> moves_to(columns);
  std::vector<Element> before(columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto s = pass.s.subspan(row * lanes, lanes);
    const auto d = pass.d.subspan(row * lanes, lanes);
    // `moved` has the columns from which the plan has moved an element, `taken` the columns to
    // which it has moved one.
    std::vector<bool> moved(columns);
    std::vector<bool> taken(columns);
    for (std::uint64_t j = 0; j < lanes; ++j) {
      const auto from = static_cast<std::uint64_t>(s[j]);
      const auto to = static_cast<std::uint64_t>(d[j]);
      if (from >= columns) continue;
      using Kind = PlanDefect::Kind;
      PlanDefect defect{.kind = Kind::repeated,
                        .warp = j / width,
                        .lane = static_cast<Width>(j % width),
                        .value = from,
                        .expected = columns};
      if (!moved[from]) {
        moved[from] = true;
        moves_to[from] = d[j];
        if (to < columns && !taken[to]) {
          taken[to] = true;
          continue;
        }
        defect.kind = to < columns ? Kind::overwritten : Kind::target;
        defect.value = to;
      }
      return ScheduleDefect{.row = row, .plan = defect};
    }
    const std::span<const Index> permutation(moves_to);
    if (const auto defect = verify_plan(permutation, s, d, width)) {
      return ScheduleDefect{.row = row, .plan = defect};
    }
    Element* const now = matrix.data() + row * columns;
    before.assign(now, now + columns);
    for (std::uint64_t column = 0; column < columns; ++column) {
      now[static_cast<std::uint64_t>(moves_to[column])] = before[column];
    }
  }
  return std::nullopt;
}

template <class Element>
std::vector<Element> transposed(const std::vector<Element>& matrix, std::uint64_t rows,
                                std::uint64_t columns) {
  std::vector<Element> result(matrix.size());
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      result[column * rows + row] = matrix[row * columns + column];
    }
  }
  return result;
}

}  // namespace detail

/// The first defect, if any. Requires that P is a permutation of 0 … n−1, n ≤ rows · columns, 1 ≤
/// width, and that `P` numbers the places of the matrix.
template <class P, class Index>
std::optional<ScheduleDefect> verify_schedule(std::span<const P> permutation, std::uint64_t rows,
                                              std::uint64_t columns, Width width,
                                              const std::array<PassToVerify<Index>, 3>& passes) {
  for (unsigned pass = 0; pass < 3; ++pass) {  // before anything of that size is allocated
    const std::uint64_t lanes = pass == 1 ? columns * detail::lanes_for(rows, width)
                                          : rows * detail::lanes_for(columns, width);
    for (const std::uint64_t length : {passes[pass].s.size(), passes[pass].d.size()}) {
      if (length == lanes) continue;
      using Kind = PlanDefect::Kind;
      return ScheduleDefect{
          .pass = pass,
          .plan = PlanDefect{.kind = Kind::length, .value = length, .expected = lanes}};
    }
  }
  std::vector<P> matrix(rows * columns);
  std::iota(matrix.begin(), matrix.end(), P{0});
  for (unsigned pass = 0; pass < 3; ++pass) {
    const bool by_columns = pass == 1;
    if (by_columns) matrix = detail::transposed(matrix, rows, columns);
    auto defect = detail::verify_pass(passes[pass], width, by_columns ? columns : rows,
                                      by_columns ? rows : columns, matrix);
    if (defect) {
      defect->pass = pass;
      return defect;
    }
    if (by_columns) matrix = detail::transposed(matrix, columns, rows);
  }
  for (std::uint64_t i = 0; i < matrix.size(); ++i) {
    const std::uint64_t place = i < permutation.size() ? permutation[i] : i;
    if (matrix[place] != i) {
      return ScheduleDefect{.pass = 3, .place = place, .found = matrix[place], .expected = i};
    }
  }
  return std::nullopt;
}

/// A text for people: "pass 2, row 5: warp 3, lane 5: reads from bank 2, as lane 1 does".
inline std::string describe(const ScheduleDefect& defect) {
  if (defect.pass == 3) {
    return "after the three passes, place " + std::to_string(defect.place) + " has element " +
           std::to_string(defect.found) + ", expected element " + std::to_string(defect.expected);
  }
  const std::string pass = "pass " + std::to_string(defect.pass + 1);
  if (defect.plan->kind == PlanDefect::Kind::length) return pass + " " + describe(*defect.plan);
  return pass + ", row " + std::to_string(defect.row) + ": " + describe(*defect.plan);
}

}  // namespace bankproof
