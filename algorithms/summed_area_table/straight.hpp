// Summed area tables by sums down the columns and along the rows (THS 6.2), and diagonal by
// diagonal (THS 6.4), all in global memory:
//
//   2R2W   a thread for each column sums down, then a thread for each row sums along; the threads
//          of two rows access words that are a row apart: a group for each thread
//   4R4W   sums down, transpose, sums down, transpose: coalesced, and twice as many accesses
//   4R1W   on the diagonals i + j = k one after another, formula (6.1),
//          b[i][j] = a[i][j] + b[i][j−1] + b[i−1][j] − b[i−1][j−1]
//
// Launches are the barriers between the steps. Blocks have p threads.
//
// Example: for (1 2; 3 4), the sums down are (1 2; 4 6), then along (1 3; 4 10).
#pragma once

#include <cstdint>

#include "../block_steps.hpp"
#include "layout.hpp"

namespace bankproof {

/// The threads with begin ≤ j < end; the columns j of the threads are consecutive.
inline Mask between(const Progression& j, Address begin, Address end) {
  return first_lanes(minus_or_zero(end, j[0])) & ~first_lanes(minus_or_zero(begin, j[0]));
}

/// a[i][j] ← a[0][j] + … + a[i][j], a thread for each column; `first_block` has the first columns.
template <class T>
Program sum_down(Warp& warp, Array<T>& a, const Summing matrix, std::uint64_t first_block) {
  const Progression j = row_major(warp.block() - first_block, warp.thread(), warp.threads());
  Lanes<T> sum = warp.all(T{});
  for (Address i = 0; i < matrix.rows; ++i) {
    const auto on_stairs = warp.only(between(j, matrix.begin(i), matrix.end(i)));
    const Lanes<T> value = co_await a.read(row_major(i, j, matrix.columns));
    sum = sum + value;
    if (i == 0) continue;
    const auto below_others = warp.only(between(j, matrix.begin(i - 1), matrix.end(i)));
    co_await a.write(row_major(i, j, matrix.columns), sum);
  }
}

template <class Rounds, class N>
void sum_down_rounds(Rounds& rounds, const SummingOf<N>& matrix, const N& block) {
  const N& p = rounds.machine().p;
  const N first = block * p;
  const auto access = [&](Rounds& row, const N& i, const N& begin) {
    const N from = larger(begin, first);
    const N end = smaller(matrix.end(i), first + p);
    row.global_run({i * matrix.columns + from, minus_or_zero(end, from), from - first});
  };
  rounds.times(matrix.rows, [&](Rounds& row, const N& i) {
    access(row, i, matrix.begin(i));
    row.where(i > N(0), [&](Rounds& more) { access(more, i, matrix.begin(i - N(1))); });
  });
}
/// Sums down `blocks` blocks of columns, as blocks of a launch.
template <class Launch, class N>
void sum_down_blocks(Launch& launch, const SummingOf<N>& matrix, const N& blocks) {
  launch.times(blocks, [&](Launch& some, const N& block) {
    some.block([&](auto& rounds) { sum_down_rounds(rounds, matrix, block); });
  });
}

/// a[i][j] ← a[i][0] + … + a[i][j], a thread for each row.
template <class T>
Program sum_along(Warp& warp, Array<T>& a, const Summing matrix) {
  const Progression i = row_major(warp.block(), warp.thread(), warp.threads());
  const auto inside = warp.only(i < matrix.rows);
  Lanes<T> sum = warp.all(T{});
  for (Address j = 0; j < matrix.columns; ++j) {
    const Lanes<T> value = co_await a.read(row_major(i, j, matrix.columns));
    sum = sum + value;
    if (j > 0) co_await a.write(row_major(i, j, matrix.columns), sum);
  }
}

template <class Rounds, class N>
void sum_along_rounds(Rounds& rounds, const SummingOf<N>& matrix, const N& block) {
  const MachineParametersOf<N>& m = rounds.machine();
  const N first = block * m.p;
  const N count = smaller(m.p, matrix.rows - first);
  rounds.times(matrix.columns, [&](Rounds& column, const N& j) {
    const Run<N> run{first * matrix.columns + j, count};
    const N stages = stages_of_stride(MemoryKind::groups, run, matrix.columns, m.w);
    column.global(stages, count);
    column.where(j > N(0), [&](Rounds& more) { more.global(stages, count); });
  });
}

/// Formula (6.1) for the elements of a diagonal, a thread for each.
template <class T>
Program sum_diagonal(Warp& warp, Array<T>& a, Array<T>& b, const Summing matrix,
                     const Diagonal diagonal) {
  const Progression t = row_major(warp.block(), warp.thread(), warp.threads());
  const auto inside = warp.only(t < diagonal.count);
  if (warp.mask() == Mask()) co_return;  // most diagonals are short
  const Progression i = diagonal.row + t;
  const Progression j = diagonal.k - i;
  const Progression place = row_major(i, j, matrix.columns);
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

template <class Rounds, class N>
void sum_diagonal_rounds(Rounds& rounds, const SummingOf<N>& matrix, const DiagonalOf<N>& diagonal,
                         const N& block) {
  const MachineParametersOf<N>& m = rounds.machine();
  const N first = block * m.p;
  const N end = smaller(first + m.p, diagonal.count);
  const N step = larger(matrix.columns - N(1), N(1));  // with one column, runs have one element
  // The access to those of elements `from` … `to` − 1 of the diagonal that belong to the block, or
  // to the words `back` words before these elements.
  const auto access = [&](const N& from, const N& to, const N& back) {
    const N begin = larger(first, from);
    const N count = minus_or_zero(smaller(end, to), begin);
    const N row = diagonal.row + begin;
    const N place = minus_or_zero(row * matrix.columns + minus_or_zero(diagonal.k, row), back);
    const Run<N> run{select(count == N(0), N(0), place), count, begin - first};
    rounds.global_stride(run, step);
  };
  const N& all = diagonal.count;
  const N top = select(diagonal.row == N(0), N(1), N(0));  // the first is in row 0
  const N leftmost = select(diagonal.row + all == diagonal.k + N(1), N(1), N(0));  // the last
  access(N(0), all, N(0));
  access(N(0), all - leftmost, N(1));
  access(top, all, matrix.columns);
  access(top, all - leftmost, matrix.columns + N(1));
  access(N(0), all, N(0));
}

}  // namespace bankproof
