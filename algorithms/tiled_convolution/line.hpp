// One-dimensional convolution (CONV 7.2 to 7.5),
//
//   P[i] = Σ N[i − v + j]·M[j] over 0 ≤ j ≤ 2v,
//
// with a thread for each P[i], and blocks of t threads:
//
//   basic    N and M are read from global memory
//   constant M from constant memory, which gives all threads of a warp one word in a stage
//   tiled    a block loads its t elements of N, and v halo cells on either side, to shared memory
//   cached   a block loads its t elements; halo cells are read from global memory again
//
// CONV assumes that t divides the length; here threads past the end have no element. A halo wider
// than the block is loaded in several turns.
//
// Example: t = 4, v = 2: block 1 loads N[2 … 9] when tiled, N[4 … 7] when cached.
#pragma once

#include <cstdint>

#include "cells.hpp"

namespace bankproof {

/// A row of N, a mask of radius v, and blocks of t threads.
struct ConvolvingLine {
  Row row;
  std::uint64_t v;
  std::uint64_t t;

  std::uint64_t side() const { return 2 * v + 1; }
  std::uint64_t blocks() const { return ceil_div(row.length, t); }
  /// Turns in which t threads load the halo of one side.
  std::uint64_t halo_turns() const { return ceil_div(v, t); }
};

/// The basic variant, and the variant with M in constant memory.
template <class T>
Program convolve_line(Warp& warp, Array<T>& n, Array<T>& m, Array<T>& p,
                      const ConvolvingLine line) {
  const Progression i = row_major(warp.block(), warp.thread(), line.t);
  const auto with_output = warp.only(i < line.row.length);
  Lanes<T> sum = warp.all(T{});
  for (Address j = 0; j < line.side(); ++j) {
    const Progression element = i + j - line.v;
    const auto present = warp.only(line.row.present(element));
    const Lanes<Address> word = line.row.words(element);
    const Lanes<T> value = co_await n.read(word);
    const Lanes<T> weight = co_await m.read(warp.same(j));
    sum += value * weight;
  }
  co_await p.write(i, sum);
}

/// cells[k] ← N[first + k − v], by the threads with from ≤ k < to; zero for ghost cells without an
/// element.
template <class T>
Program load_cells(Warp& warp, Array<T>& n, const Row row, Array<T>& cells, Progression k,
                   Address from, Address to, Address first, Address v) {
  const auto mine = warp.only((k >= from) & (k < to));
  Lanes<T> values = warp.all(T{});
  {
    const Progression element = first + k - v;
    const auto present = warp.only(row.present(element));
    const Lanes<Address> word = row.words(element);
    values = co_await n.read(word);
  }
  co_await cells.write(k, values);
}

/// The tiled variant: the halo in shared memory, M in constant memory.
template <class T>
Program convolve_line_tiled(Warp& warp, Array<T>& n, Array<T>& m, Array<T>& p,
                            const ConvolvingLine line) {
  const auto [row, v, t] = line;
  auto& cells = warp.shared<T>(t + 2 * v, "cells");
  const Address first = warp.block() * t;
  const Address turns = line.halo_turns();
  for (Address turn = turns; turn > 0; --turn) {  // the last threads load the nearest cells
    co_await load_cells(warp, n, row, cells, left_cell(v, t, turn, warp.thread()), 0, v, first, v);
  }
  co_await load_cells(warp, n, row, cells, v + warp.thread(), v, v + t, first, v);
  for (Address turn = 0; turn < turns; ++turn) {
    co_await load_cells(warp, n, row, cells, right_cell(v, t, turn, warp.thread()), v + t,
                        v + t + v, first, v);
  }
  co_await barrier();
  Lanes<T> sum = warp.all(T{});
  for (Address j = 0; j < line.side(); ++j) {
    const Lanes<T> value = co_await cells.read(warp.thread() + j);
    const Lanes<T> weight = co_await m.read(warp.same(j));
    sum += value * weight;
  }
  const Progression i = row_major(warp.block(), warp.thread(), t);
  const auto with_output = warp.only(i < row.length);
  co_await p.write(i, sum);
}

/// The cached variant: only the block's own elements in shared memory, M in constant memory.
template <class T>
Program convolve_line_cached(Warp& warp, Array<T>& n, Array<T>& m, Array<T>& p,
                             const ConvolvingLine line) {
  const auto [row, v, t] = line;
  auto& cells = warp.shared<T>(t, "cells");
  const Progression i = row_major(warp.block(), warp.thread(), t);
  const auto with_output = i < row.length;
  {
    const auto mine = warp.only(with_output);
    const Lanes<T> own = co_await n.read(i);
    co_await cells.write(warp.thread(), own);
  }
  co_await barrier();
  const auto mine = warp.only(with_output);
  Lanes<T> sum = warp.all(T{});
  for (Address j = 0; j < line.side(); ++j) {
    const Progression element = i + j - v;
    const Lanes<Address> nearest = make_lanes(warp.width(), [&, &row = row](Width lane) -> Address {
      return row.nearest(element[lane]);
    });
    const Lanes<Address> cell = nearest - warp.block() * t;  // wraps around below 0
    const Mask here = cell < t;
    Lanes<T> value = warp.all(T{});
    {
      const auto in_tile = warp.only(row.present(element) & here);
      const Lanes<T> values = co_await cells.read(cell);
      warp.assign(value, values);
    }
    {
      const auto in_halo = warp.only(row.present(element) & ~here);
      const Lanes<T> values = co_await n.read(nearest);
      warp.assign(value, values);
    }
    const Lanes<T> weight = co_await m.read(warp.same(j));
    sum += value * weight;
  }
  co_await p.write(i, sum);
}

/// The rounds of a block, for each variant.
inline BlockRounds line_rounds(const MachineParameters& machine, const ConvolvingLine& line,
                               std::uint64_t block, bool constant) {
  BlockRounds rounds(machine);
  const std::uint64_t first = block * line.t;
  const std::uint64_t count = std::min(line.t, line.row.length - first);
  for (std::uint64_t j = 0; j < line.side(); ++j) {
    const auto access = line.row.access(
        static_cast<std::int64_t>(first + j) - static_cast<std::int64_t>(line.v), count, machine.w);
    rounds.global(access.global_stages, access.requests);
    constant ? rounds.constant(access.warps, access.requests)
             : rounds.global(access.warps, access.requests);
  }
  rounds.global_run({first, count});
  return rounds;
}

inline BlockRounds tiled_line_rounds(const MachineParameters& machine, const ConvolvingLine& line,
                                     std::uint64_t block) {
  const auto [row, v, t] = line;
  const std::uint64_t w = machine.w;
  BlockRounds rounds(machine);
  // `count` threads of the block, from `thread` on, load the cells from k on.
  const auto load = [&, &row = row, &v = v, &t = t](std::uint64_t thread, std::uint64_t k,
                                                    std::uint64_t count) {
    std::uint64_t stages = 0;
    std::uint64_t requests = 0;
    std::uint64_t warps = 0;
    for (std::uint64_t done = 0; done < count;) {
      // The number of threads up to the end of the warp, or of all threads that are left.
      const std::uint64_t part = std::min(count - done, w - (thread + done) % w);
      const auto access = row.access(
          static_cast<std::int64_t>(block * t + k + done) - static_cast<std::int64_t>(v), part, w);
      stages += access.global_stages;
      requests += access.requests;
      ++warps;
      done += part;
    }
    rounds.global(stages, requests);
    rounds.shared(warps, count);
  };
  const std::uint64_t turns = line.halo_turns();
  for (std::uint64_t turn = turns; turn > 0; --turn) {
    const std::uint64_t cut = turn * t > v ? turn * t - v : 0;  // threads without a cell
    load(cut, v + cut - turn * t, t - cut);
  }
  load(0, v, t);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    load(0, v + t + turn * t, std::min(t, v - turn * t));
  }
  const std::uint64_t warps = ceil_div(t, w);
  for (std::uint64_t j = 0; j < line.side(); ++j) {
    rounds.shared(warps, t);
    rounds.constant(warps, t);
  }
  rounds.global_run({block * t, std::min(t, row.length - block * t)});
  return rounds;
}

inline BlockRounds cached_line_rounds(const MachineParameters& machine, const ConvolvingLine& line,
                                      std::uint64_t block) {
  const auto [row, v, t] = line;
  const std::uint64_t w = machine.w;
  BlockRounds rounds(machine);
  const std::uint64_t first = block * t;
  const std::uint64_t count = std::min(t, row.length - first);
  rounds.global_run({first, count});
  rounds.shared(ceil_div(count, w), count);
  for (std::uint64_t j = 0; j < line.side(); ++j) {
    std::uint64_t shared_stages = 0;
    std::uint64_t shared_requests = 0;
    std::uint64_t global_stages = 0;
    std::uint64_t global_requests = 0;
    for (std::uint64_t thread = 0; thread < count; thread += w) {
      std::uint64_t in_tile = 0;
      std::uint64_t groups = 0;
      std::uint64_t last_group = unlimited;  // the elements of a warp ascend
      for (std::uint64_t lane = thread; lane < std::min(thread + w, count); ++lane) {
        const Address element = first + lane + j - v;
        if (row.ghosts == GhostCells::zero && element >= row.length) continue;
        const Address nearest = row.nearest(element);
        if (nearest - first < t) {
          ++in_tile;
          continue;
        }
        ++global_requests;
        if (nearest / w != last_group) ++groups;
        last_group = nearest / w;
      }
      shared_stages += std::min<std::uint64_t>(in_tile, 1);
      shared_requests += in_tile;
      global_stages += groups;
    }
    rounds.shared(shared_stages, shared_requests);
    rounds.global(global_stages, global_requests);
    rounds.constant(ceil_div(count, w), count);
  }
  rounds.global_run({first, count});
  return rounds;
}

}  // namespace bankproof
