// Transpose of a matrix on the HMM with the diagonal arrangement (THS 5.3): a block takes a tile of
// w × w words through its shared memory, where element (i, j) of the tile is at i·w + (i + j) mod
// w. So the words of a row are in different banks, and those of a column, too.
//
//   for the rows i of the tile in parallel: tile(i, j) ← a[top + i][left + j]
//   for the columns i of the tile in parallel: b[left + i][top + j] ← tile(j, i)
//
// In lockstep, with w² threads for each of T tiles, all of them resident, and sides that are
// multiples of w, on d DMMs: 2(n/w + L − 1) for the global memory and 2(⌈T/d⌉·w + l − 1) for the
// shared ones; for d = l = 1 the 4n/w + 2L − 2 of THS table 5.1. With p resident threads a DMM the
// latencies are paid once for each turn of a block's threads and each wave of resident blocks.
//
// Example: w = 2, the tile (p q; r s) is kept as p q s r; its columns p, r and q, s are in banks
// 0, 1 and 1, 0.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../model/machine.hpp"

namespace bankproof {

/// An HMM by its letters: d DMMs with p resident threads each, latencies l and L.
struct HmmLetters {
  std::uint64_t d = 1;
  std::uint64_t l = 1;
  std::uint64_t L = 1;
  std::uint64_t p = unlimited;

  /// Waves of blocks of so many threads, when as many are resident as fit.
  std::uint64_t waves(std::uint64_t blocks, std::uint64_t threads) const {
    return ceil_div(ceil_div(blocks, d), std::max<std::uint64_t>(p / threads, 1));
  }
};

/// A matrix in row-major order, to be transposed in tiles.
struct Transposing {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t w;  ///< width

  std::uint64_t tiles_across() const { return ceil_div(columns, w); }
  std::uint64_t tiles() const { return ceil_div(rows, w) * tiles_across(); }
  /// A block for each tile, of whole warps, at most p threads.
  Launch launch(std::uint64_t p = unlimited) const {
    return {.blocks = tiles(),
            .threads = std::min(w, p / w) * w,
            .shared_words = w * w,
            .name = "transpose"};
  }

  /// Requires w to divide both sides, and w ≤ p.
  Time lockstep_time(const HmmLetters& hmm) const {
    const std::uint64_t threads = launch(hmm.p).threads;
    const std::uint64_t turns = hmm.waves(tiles(), threads) * ceil_div(w * w, threads);
    return 2 * (rows * columns / w + turns * (hmm.L - 1)) +
           2 * (ceil_div(tiles(), hmm.d) * w + turns * (hmm.l - 1));
  }
};

/// b ← aᵀ, with blocks of whole warps, one for each tile.
template <class T>
Program transpose(Warp& warp, Array<T>& a, Array<T>& b, const Transposing& matrix) {
  const Address w = warp.width();
  const Address top = warp.block() / matrix.tiles_across() * w;
  const Address left = warp.block() % matrix.tiles_across() * w;
  const Address warps = warp.threads() / w;
  auto& tile = warp.shared<T>(w * w, "tile");
  const auto diagonal = [&](Address row, const Progression& column) {
    return make_lanes(warp.width(),
                      [&](Width lane) -> Address { return row * w + (row + column[lane]) % w; });
  };
  // Rows that begin at multiples of w are coalesced.
  const auto kind = [&](Address length) {
    return length % w == 0 ? AccessKind::coalesced : AccessKind::casual;
  };
  for (Address i = warp.index(); i < w; i += warps) {
    const auto inside =
        warp.only(left + warp.lane() < (top + i < matrix.rows ? matrix.columns : 0));
    const Lanes<T> row =
        co_await a.read((top + i) * matrix.columns + left + warp.lane(), kind(matrix.columns));
    co_await tile.write(diagonal(i, warp.lane()), row, AccessKind::conflict_free);
  }
  co_await barrier();
  for (Address i = warp.index(); i < w; i += warps) {
    const auto inside =
        warp.only(top + warp.lane() < (left + i < matrix.columns ? matrix.rows : 0));
    const Lanes<T> column = co_await tile.read(
        make_lanes(warp.width(), [&](Width lane) -> Address { return lane * w + (lane + i) % w; }),
        AccessKind::conflict_free);
    co_await b.write((left + i) * matrix.rows + top + warp.lane(), column, kind(matrix.rows));
  }
}

}  // namespace bankproof
