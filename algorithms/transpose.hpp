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
#include "layout.hpp"
#include "window.hpp"

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

/// Words of (i, j) and of (j, i), for the columns j of a tile in diagonal arrangement.
inline Lanes<Address> diagonal_row(const Warp& warp, Address i, const Progression& j) {
  const Address w = warp.width();
  return make_lanes(warp.width(), [&](Width lane) { return diagonal<Address>(i, j[lane], w); });
}
inline Lanes<Address> diagonal_column(const Warp& warp, Address i, const Progression& j) {
  const Address w = warp.width();
  return make_lanes(warp.width(), [&](Width lane) { return diagonal<Address>(j[lane], i, w); });
}

/// b ← aᵀ, with a block for each tile.
template <class T>
Program transpose(Warp& warp, Array<T>& a, Array<T>& b, const Transposing& matrix) {
  const Address w = warp.width();
  const Address top = warp.block() / matrix.tiles_across() * w;
  const Address left = warp.block() % matrix.tiles_across() * w;
  const Window from{matrix.rows, matrix.columns, static_cast<std::int64_t>(top),
                    static_cast<std::int64_t>(left)};
  const Window to{matrix.columns, matrix.rows, from.left, from.top};
  auto& tile = warp.shared<T>(w * w, "tile");
  // Rows that begin at multiples of w are coalesced.
  const auto kind = [&](Address length) {
    return length % w == 0 ? AccessKind::coalesced : AccessKind::casual;
  };
  for (auto [i, j] : sweep(warp, w, w)) {
    Lanes<T> row = warp.all(T{});
    {
      const auto within = warp.only(inside(from, i, j));
      row = co_await a.read(words_of(from, i, j), kind(matrix.columns));
    }
    co_await tile.write(diagonal_row(warp, i, j), row, AccessKind::conflict_free);
  }
  co_await barrier();
  for (auto [i, j] : sweep(warp, w, w)) {
    const Lanes<T> column =
        co_await tile.read(diagonal_column(warp, i, j), AccessKind::conflict_free);
    const auto within = warp.only(inside(to, i, j));
    co_await b.write(words_of(to, i, j), column, kind(matrix.rows));
  }
}

}  // namespace bankproof
