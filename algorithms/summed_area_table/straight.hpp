// Summed area tables by sums down the columns and along the rows (THS 6.2), and diagonal by
// diagonal (THS 6.4), all in global memory:
//
//   2R2W   a thread for each column sums down, then one for each row sums along; the latter's
//          accesses are a row apart, a group for each thread
//   4R4W   sums down, transpose, sums down, transpose: coalesced, and twice as many
//   4R1W   on the diagonals i + j = k one after another, formula (6.1),
//          b[i][j] = a[i][j] + b[i][j−1] + b[i−1][j] − b[i−1][j−1]
//
// Launches are the barriers between them. Blocks have p threads.
//
// Example: of (1 2; 3 4) the sums down are (1 2; 4 6), along (1 3; 4 10).
#pragma once

#include <cstdint>

#include "../launch_rounds.hpp"

namespace bankproof {

/// A matrix whose sums are wanted, or a staircase in it: in row i the columns begin(i) … end(i) −
/// 1, those for which first ≤ i + ⌊j/tread⌋ < last. What is beside them counts as zero, and is
/// neither read nor written.
struct Summing {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t first = 0;
  std::uint64_t last = rows + columns;
  std::uint64_t tread = 1;

  std::uint64_t begin(std::uint64_t i) const {
    return smaller(tread * minus_or_zero(first, i), columns);
  }
  std::uint64_t end(std::uint64_t i) const {
    return smaller(tread * minus_or_zero(last, i), columns);
  }
};

/// The threads for which begin ≤ j < end, of consecutive columns j.
inline Mask between(const Progression& j, Address begin, Address end) {
  return first_lanes(minus_or_zero(end, j[0])) & ~first_lanes(minus_or_zero(begin, j[0]));
}

/// a[i][j] ← a[0][j] + … + a[i][j], a thread for each column, block by block from `first_block` on.
template <class T>
Program sum_down(Warp& warp, Array<T>& a, const Summing matrix, std::uint64_t first_block) {
  const Progression j = (warp.block() - first_block) * warp.threads() + warp.thread();
  Lanes<T> sum = warp.all(T{});
  for (Address i = 0; i < matrix.rows; ++i) {
    const auto on_stairs = warp.only(between(j, matrix.begin(i), matrix.end(i)));
    const Lanes<T> value = co_await a.read(i * matrix.columns + j);
    sum = sum + value;
    if (i == 0) continue;
    const auto below_others = warp.only(between(j, matrix.begin(i - 1), matrix.end(i)));
    co_await a.write(i * matrix.columns + j, sum);
  }
}

inline BlockRounds sum_down_rounds(const Letters& machine, const Summing& matrix,
                                   std::uint64_t block) {
  BlockRounds rounds(machine);
  const std::uint64_t first = block * machine.p;
  const auto access = [&](std::uint64_t i, std::uint64_t begin) {
    const std::uint64_t from = larger(begin, first);
    const std::uint64_t end = smaller(matrix.end(i), first + machine.p);
    rounds.global_run({i * matrix.columns + from, minus_or_zero(end, from), from - first});
  };
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    access(i, matrix.begin(i));
    if (i > 0) access(i, matrix.begin(i - 1));
  }
  return rounds;
}

/// a[i][j] ← a[i][0] + … + a[i][j], a thread for each row.
template <class T>
Program sum_along(Warp& warp, Array<T>& a, const Summing matrix) {
  const Progression i = warp.block() * warp.threads() + warp.thread();
  const auto inside = warp.only(i < matrix.rows);
  Lanes<T> sum = warp.all(T{});
  for (Address j = 0; j < matrix.columns; ++j) {
    const Lanes<T> value = co_await a.read(i * matrix.columns + j);
    sum = sum + value;
    if (j > 0) co_await a.write(i * matrix.columns + j, sum);
  }
}

inline BlockRounds sum_along_rounds(const Letters& machine, const Summing& matrix,
                                    std::uint64_t block) {
  BlockRounds rounds(machine);
  const std::uint64_t first = block * machine.p;
  const std::uint64_t count = std::min(machine.p, matrix.rows - first);
  for (std::uint64_t j = 0; j < matrix.columns; ++j) {
    const Run<std::uint64_t> run{first * matrix.columns + j, count};
    const std::uint64_t stages =
        stages_of_stride(MemoryKind::groups, run, matrix.columns, machine.w);
    rounds.global(stages, count);
    if (j > 0) rounds.global(stages, count);
  }
  return rounds;
}

/// The elements with i + j = k: rows from `row` on, `count` of them.
struct Diagonal {
  std::uint64_t k;
  std::uint64_t row;
  std::uint64_t count;

  static Diagonal of(std::uint64_t k, std::uint64_t rows, std::uint64_t columns) {
    const std::uint64_t first = k < columns ? 0 : k - columns + 1;
    return {k, first, std::min(k, rows - 1) - first + 1};
  }
};

/// Formula (6.1) for the elements of a diagonal, a thread for each.
template <class T>
Program sum_diagonal(Warp& warp, Array<T>& a, Array<T>& b, const Summing matrix,
                     const Diagonal diagonal) {
  const Progression t = warp.block() * warp.threads() + warp.thread();
  const auto inside = warp.only(t < diagonal.count);
  if (warp.mask() == Mask()) co_return;  // most diagonals are short
  const Progression i = diagonal.row + t;
  const Progression j = diagonal.k - i;
  const Progression place = i * matrix.columns + j;
  Lanes<T> sum = co_await a.read(place);
  {
    const auto not_leftmost = warp.only(j > 0);
    sum += co_await b.read(place - 1);
  }
  {
    const auto not_topmost = warp.only(i > 0);
    sum += co_await b.read(place - matrix.columns);
  }
  {
    const auto neither = warp.only((i > 0) & (j > 0));
    sum -= co_await b.read(place - matrix.columns - 1);
  }
  co_await b.write(place, sum);
}

inline BlockRounds sum_diagonal_rounds(const Letters& machine, const Summing& matrix,
                                       const Diagonal& diagonal, std::uint64_t block) {
  BlockRounds rounds(machine);
  const std::uint64_t first = block * machine.p;
  const std::uint64_t end = std::min(first + machine.p, diagonal.count);
  const std::uint64_t step = std::max<std::uint64_t>(matrix.columns - 1, 1);  // 1: of one element
  // Elements first + from … of the block's, `back` words before the diagonal's.
  const auto access = [&](std::uint64_t from, std::uint64_t to, std::uint64_t back) {
    const std::uint64_t begin = std::max(first, from);
    const std::uint64_t count = std::min(end, to) - std::min(begin, std::min(end, to));
    const std::uint64_t place =
        (diagonal.row + begin) * matrix.columns + (diagonal.k - diagonal.row - begin) - back;
    const Run<std::uint64_t> run{count == 0 ? 0 : place, count, begin - first};
    rounds.global(stages_of_stride(MemoryKind::groups, run, step, machine.w), count);
  };
  const std::uint64_t all = diagonal.count;
  const std::uint64_t top = diagonal.row == 0 ? 1 : 0;  // the first is in row 0
  const std::uint64_t leftmost = diagonal.row + all - 1 == diagonal.k ? 1 : 0;  // the last
  access(0, all, 0);
  access(0, all - leftmost, 1);
  access(top, all, matrix.columns);
  access(top, all - leftmost, matrix.columns + 1);
  access(0, all, 0);
  return rounds;
}

}  // namespace bankproof
