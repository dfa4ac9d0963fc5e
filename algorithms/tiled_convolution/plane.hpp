// Two-dimensional convolution of images with channels (CONV 7.6 and exercises 8 to 10),
//
//   P(i, j, c) = Σ N(i − v + s, j − v + u, c)·M(s, u) over 0 ≤ s, u ≤ 2v,
//
// with a block for each t × t tile of P:
//
//   basic    N and M are read from global memory
//   constant M from constant memory
//   tiled    a block first loads the (t + 2v) × (t + 2v) pixels that its tile needs to shared
//            memory
//
// Pixel (i, j) has its channels next to each other, and rows are `pitch` words apart. If the pitch
// is a multiple of w, rows begin with an address group (CONV figure 7.15).
//
// CONV takes a thread for each pixel of the larger tile. Here the p threads of a block sweep it, so
// that tiles may have more pixels than a block has threads.
//
// Example: 3 × 3 pixels, w = 4: with pitch 3 the second row lies in two groups, with pitch 4 in
// one.
#pragma once

#include <cstdint>

#include "../sweep.hpp"
#include "cells.hpp"

namespace bankproof {

/// An image, a mask of radius v, and t × t tiles.
struct ConvolvingPlane {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t channels;
  std::uint64_t pitch;
  GhostCells ghosts;
  std::uint64_t v;
  std::uint64_t t;

  std::uint64_t side() const { return 2 * v + 1; }
  std::uint64_t loaded() const { return t + 2 * v; }  ///< side of the square that a tile needs
  std::uint64_t across() const { return ceil_div(columns, t); }
  std::uint64_t blocks() const { return ceil_div(rows, t) * across(); }

  /// A channel of row `y` of the image; `y` may lie outside.
  Row row(Address y, Address channel) const {
    const Row all_rows{rows};
    return {columns, ghosts, row_major(all_rows.nearest(y), channel, pitch), channels};
  }
  bool has_row(Address y) const { return ghosts == GhostCells::nearest || y < rows; }
};

/// The basic variant, and the variant with M in constant memory.
template <class T>
Program convolve_plane(Warp& warp, Array<T>& n, Array<T>& m, Array<T>& p,
                       const ConvolvingPlane plane) {
  const auto [top, left] = CornerOf<Address>(warp.block(), plane.columns, plane.t);
  for (Address channel = 0; channel < plane.channels; ++channel) {
    for (auto [i, j] : sweep(warp, plane.t, plane.t)) {
      const Progression x = left + j;
      const auto with_output = warp.only(x < (top + i < plane.rows ? plane.columns : 0));
      Lanes<T> sum = warp.all(T{});
      for (Address s = 0; s < plane.side(); ++s) {
        const Address y = top + i + s - plane.v;
        for (Address u = 0; u < plane.side(); ++u) {
          const Row row = plane.row(y, channel);
          const Progression element = x + u - plane.v;
          const auto present = warp.only(plane.has_row(y) ? row.present(element) : Mask());
          const Lanes<Address> word = row.words(element);
          const Lanes<T> value = co_await n.read(word);
          const Lanes<T> weight = co_await m.read(warp.same(row_major(s, u, plane.side())));
          sum += value * weight;
        }
      }
      const Progression word =
          row_major(top + i, row_major(x, channel, plane.channels), plane.pitch);
      co_await p.write(word, sum);
    }
  }
}

/// The tiled variant, with M in constant memory.
template <class T>
Program convolve_plane_tiled(Warp& warp, Array<T>& n, Array<T>& m, Array<T>& p,
                             const ConvolvingPlane plane) {
  const auto [top, left] = CornerOf<Address>(warp.block(), plane.columns, plane.t);
  const Address side = plane.loaded();
  auto& pixels = warp.shared<T>(plane.channels * side * side, "pixels");
  for (Address channel = 0; channel < plane.channels; ++channel) {
    for (auto [i, j] : sweep(warp, side, side)) {
      const Address y = top + i - plane.v;
      const Progression x = left + j - plane.v;
      const Row row = plane.row(y, channel);
      Lanes<T> values = warp.all(T{});
      {
        const auto present = warp.only(plane.has_row(y) ? row.present(x) : Mask());
        const Lanes<Address> word = row.words(x);
        values = co_await n.read(word);
      }
      co_await pixels.write(row_major(row_major(channel, i, side), j, side), values);
    }
  }
  co_await barrier();
  for (Address channel = 0; channel < plane.channels; ++channel) {
    for (auto [i, j] : sweep(warp, plane.t, plane.t)) {
      Lanes<T> sum = warp.all(T{});
      for (Address s = 0; s < plane.side(); ++s) {
        for (Address u = 0; u < plane.side(); ++u) {
          const Lanes<T> value =
              co_await pixels.read(row_major(row_major(channel, i + s, side), j + u, side));
          const Lanes<T> weight = co_await m.read(warp.same(row_major(s, u, plane.side())));
          sum += value * weight;
        }
      }
      const Progression x = left + j;
      const auto with_output = warp.only(x < (top + i < plane.rows ? plane.columns : 0));
      co_await p.write(row_major(top + i, row_major(x, channel, plane.channels), plane.pitch), sum);
    }
  }
}

/// The accesses of a block to one tile in one channel.
class PlaneRounds {
 public:
  PlaneRounds(const MachineParameters& machine, const ConvolvingPlane& plane, std::uint64_t block)
      : plane_(plane),
        w_(machine.w),
        top_(block / plane.across() * plane.t),
        left_(block % plane.across() * plane.t) {}

  /// The reads of the pixels that lie (down, right) from a turn's pixels. If with_outputs, only
  /// threads with an output read.
  Row::Access reads(const SweepTurn<std::uint64_t>& turn, std::int64_t down, std::int64_t right,
                    bool with_outputs, std::uint64_t channel) const {
    Row::Access sum;
    for (std::uint64_t row = turn.row; row < turn.row + turn.rows; ++row) {
      const Address y = top_ + row + static_cast<Address>(down);
      if (with_outputs && top_ + row >= plane_.rows) break;
      if (!plane_.has_row(y)) continue;
      const std::uint64_t count = with_outputs ? outputs_of_row(turn) : turn.columns;
      const auto first = static_cast<std::int64_t>(left_ + turn.column) + right;
      const Row::Access access = plane_.row(y, channel).access(first, count, w_);
      sum.global_stages += access.global_stages;
      sum.warps += access.warps;
      sum.requests += access.requests;
    }
    return sum;
  }

  /// The write of a turn's outputs.
  Row::Access writes(const SweepTurn<std::uint64_t>& turn, std::uint64_t channel) const {
    Row::Access sum;
    for (std::uint64_t row = turn.row; row < turn.row + turn.rows; ++row) {
      if (top_ + row >= plane_.rows) break;
      const auto first = static_cast<std::int64_t>(left_ + turn.column);
      const Row::Access access =
          plane_.row(top_ + row, channel).access(first, outputs_of_row(turn), w_);
      sum.global_stages += access.global_stages;
      sum.requests += access.requests;
    }
    return sum;
  }

 private:
  std::uint64_t outputs_of_row(const SweepTurn<std::uint64_t>& turn) const {
    const std::uint64_t first = std::min(left_ + turn.column, plane_.columns);
    return std::min(turn.columns, plane_.columns - first);
  }

  const ConvolvingPlane& plane_;
  std::uint64_t w_;
  std::uint64_t top_;
  std::uint64_t left_;
};

inline BlockRounds plane_rounds(const MachineParameters& machine, const ConvolvingPlane& plane,
                                std::uint64_t block, bool constant) {
  const PlaneRounds part(machine, plane, block);
  const auto v = static_cast<std::int64_t>(plane.v);
  BlockRounds rounds(machine);
  for (std::uint64_t channel = 0; channel < plane.channels; ++channel) {
    over_sweep(SweepShape<std::uint64_t>{plane.t, plane.t, machine.p, machine.w},
               [&](const SweepTurn<std::uint64_t>& turn) {
                 for (std::int64_t down = -v; down <= v; ++down) {
                   for (std::int64_t right = -v; right <= v; ++right) {
                     const Row::Access access = part.reads(turn, down, right, true, channel);
                     rounds.global(access.global_stages, access.requests);
                     constant ? rounds.constant(access.warps, access.requests)
                              : rounds.global(access.warps, access.requests);
                   }
                 }
                 const Row::Access write = part.writes(turn, channel);
                 rounds.global(write.global_stages, write.requests);
                 return 0;
               });
  }
  return rounds;
}

inline BlockRounds tiled_plane_rounds(const MachineParameters& machine,
                                      const ConvolvingPlane& plane, std::uint64_t block) {
  const PlaneRounds part(machine, plane, block);
  const auto v = static_cast<std::int64_t>(plane.v);
  const std::uint64_t side = plane.loaded();
  BlockRounds rounds(machine);
  const auto threads = [&](const SweepTurn<std::uint64_t>& turn) {
    return Window{plane.loaded(), plane.loaded()}.round(MemoryKind::banks,
                                                        {0, turn.rows, 0, turn.columns}, machine.w);
  };
  for (std::uint64_t channel = 0; channel < plane.channels; ++channel) {
    over_sweep(SweepShape<std::uint64_t>{side, side, machine.p, machine.w},
               [&](const SweepTurn<std::uint64_t>& turn) {
                 const Row::Access access = part.reads(turn, -v, -v, false, channel);
                 rounds.global(access.global_stages, access.requests);
                 rounds.shared(threads(turn).stages, threads(turn).requests);
                 return 0;
               });
  }
  for (std::uint64_t channel = 0; channel < plane.channels; ++channel) {
    over_sweep(SweepShape<std::uint64_t>{plane.t, plane.t, machine.p, machine.w},
               [&](const SweepTurn<std::uint64_t>& turn) {
                 for (std::uint64_t term = 0; term < plane.side() * plane.side(); ++term) {
                   rounds.shared(threads(turn).stages, threads(turn).requests);
                   rounds.constant(threads(turn).stages, threads(turn).requests);
                 }
                 const Row::Access write = part.writes(turn, channel);
                 rounds.global(write.global_stages, write.requests);
                 return 0;
               });
  }
  return rounds;
}

}  // namespace bankproof
