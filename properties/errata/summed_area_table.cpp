// Statements of THS 6 about summed area tables, which a run refutes (rows A2, A6, A14 and A17;
// docs/errata.md).
#include "../../algorithms/summed_area_table/summed_area_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../model/observers/initialization.hpp"
#include "../../model/observers/statistics.hpp"
#include "../../testing/property.hpp"
#include "../../testing/tasks.hpp"

namespace bankproof::testing {
namespace {

using Table = Array<std::uint64_t>;

/// The kinds of accesses with which one warp of w threads sums along the rows, or down the columns.
KindCounts kinds_of_sums(std::uint64_t w, bool along) {
  Hmm machine({.dmms = 1, .width = static_cast<Width>(w)});
  Statistics statistics;
  machine.attach(statistics);
  Table a(machine.global(), std::vector<std::uint64_t>(w * w, 1), "a");
  const Summing matrix{w, w};
  if (along) {
    machine.launch({.threads = w}, sum_along<std::uint64_t>, a, matrix);
  } else {
    machine.launch({.threads = w}, sum_down<std::uint64_t>, a, matrix, std::uint64_t{0});
  }
  return statistics.of(machine.global()).observed_accesses;
}

TEST(Errata, sums_along_the_rows_of_THS_6_2_are_not_coalesced) {
  for (std::uint64_t w = 2; w <= 8; ++w) {
    const std::uint64_t accesses = 2 * w - 1;  // reads all words, writes all but the first
    EXPECT_EQ(kinds_of_sums(w, false), (KindCounts{.coalesced = accesses}));
    EXPECT_EQ(kinds_of_sums(w, true), (KindCounts{.casual = accesses}));
  }
}

/// Formula (6.1) on a diagonal, from words that earlier diagonals should have computed: b[i + 1][j
/// − 1] as printed, or b[i − 1][j − 1].
Program sum_from_three(Warp& warp, Table& b, Summing matrix, Diagonal diagonal, bool printed) {
  const auto inside = warp.only(warp.thread() < diagonal.count);
  const Progression i = diagonal.row + warp.thread();
  const Progression j = diagonal.k - i;
  const auto read = [&](const Progression& place, Mask present) -> Program {
    const auto there = warp.only(present);
    co_await b.read(place);
  };
  const Progression place = row_major(i, j, matrix.columns);
  co_await read(place - 1, j > 0);
  co_await read(place - matrix.columns, i > 0);
  if (printed) {
    co_await read(place + matrix.columns - 1, (j > 0) & (i + 1 < matrix.rows));
  } else {
    co_await read(place - matrix.columns - 1, (j > 0) & (i > 0));
  }
  co_await b.write(place, warp.all(std::uint64_t{1}));
}

/// The first diagonal that reads an unwritten word; the number of diagonals if no diagonal does.
std::uint64_t first_fault(const Summing& matrix, bool printed) {
  Hmm machine({.dmms = 1, .width = 4});
  Initialization initialization;
  machine.attach(initialization);
  Table b(machine.global(), matrix.rows * matrix.columns, "b");
  const std::uint64_t diagonals = matrix.rows + matrix.columns - 1;
  for (std::uint64_t k = 0; k < diagonals; ++k) {
    const Diagonal diagonal = Diagonal::of(k, matrix.rows, matrix.columns);
    try {
      machine.launch({.threads = diagonal.count}, sum_from_three, b, matrix, diagonal, printed);
    } catch (const Fault& fault) {
      EXPECT_EQ(fault.kind(), FaultKind::uninitialized) << fault.what();
      return k;
    }
  }
  return diagonals;
}

BANKPROOF_PROPERTY(Errata, element_of_THS_6_4_on_the_same_diagonal_is_not_computed_before, ()) {
  const Summing matrix{any(1, 9), any(1, 9)};
  RC_ASSERT(first_fault(matrix, false) == matrix.rows + matrix.columns - 1);
  // The fault is on the first diagonal with two elements; a single row or column has no such
  // diagonal.
  const bool has_two = matrix.rows > 1 && matrix.columns > 1;
  RC_ASSERT(first_fault(matrix, true) == (has_two ? 1 : matrix.rows + matrix.columns - 1));
}

BANKPROOF_PROPERTY(Errata, corner_of_THS_figure_6_8_is_the_last_of_its_tile, ()) {
  // A 9 × 9 matrix has tiles of 3 × 3. The sum of column 3 over the first two rows of tiles is a
  // difference of two entries of the table: the first word in the bottom row of tile (1, 1), minus
  // a corner of tile (1, 0). Positive elements distinguish the corners.
  std::vector<std::uint64_t> a(81);
  for (std::uint64_t& element : a) element = any(1, 100);
  const auto table = oracle::summed_area_table(a, 9, 9);
  const std::uint64_t above = oracle::rectangle_sum(a, 9, 0, 3, 5, 3);
  for (const std::uint64_t i : {3U, 5U}) {
    for (const std::uint64_t j : {0U, 2U}) {
      RC_ASSERT((table[5 * 9 + 3] - table[i * 9 + j] == above) == (i == 5 && j == 2));
    }
  }
}

}  // namespace
}  // namespace bankproof::testing
