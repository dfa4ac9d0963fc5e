// The cost of rounds of accesses, in closed form: the stages of one round, the time of many rounds.
//
// In a round, each warp of a launch makes one access. Nearly all rounds of the sources' algorithms
// are runs: consecutive threads access words in arithmetic progression, words start, start + step,
// …. On banks, a warp of consecutive words takes one stage. On groups, cut the run wherever a new
// warp or a new address group begins: each piece is a stage.
//
// Example: w = 4, and 6 threads from thread 0 on access words 2 … 7. Thread 4 begins a new warp.
// Word 4, which thread 2 accesses, begins a new group. The pieces are 2–3, 4–5, 6–7: three stages
// on groups, two on banks.
#pragma once

#include <cstdint>

#include "../model/memory.hpp"
#include "number.hpp"

namespace bankproof {

/// Threads thread … thread + count − 1 of a block. The first thread accesses word `address`, and
/// each next thread accesses the next word.
template <class N>
struct Run {
  N address;
  N count;
  N thread = N(0);
};
template <class N>
Run(N, N) -> Run<N>;
template <class N>
Run(N, N, N) -> Run<N>;

/// The number of multiples of w in first + 1 … first + count − 1.
template <class N>
constexpr N boundaries(const N& first, const N& count, const N& w) {
  return (first + minus_or_zero(count, N(1))) / w - first / w;
}

/// The stages on banks of a run of any length: one for each warp.
template <class N>
constexpr N bank_stages(const Run<N>& run, const N& w) {
  return select(run.count == N(0), N(0), N(1) + boundaries(run.thread, run.count, w));
}

/// The stages on groups: the pieces of a run between the beginnings of warps and of groups. A warp
/// and a group begin together where thread and address are equal modulo w.
template <class N>
constexpr N group_stages(const Run<N>& run, const N& w) {
  const N more =
      select(run.address % w == run.thread % w, N(0), boundaries(run.address, run.count, w));
  return select(run.count == N(0), N(0), N(1) + boundaries(run.thread, run.count, w) + more);
}

/// Stages of a run of consecutive words. On the PRAM a round takes one stage.
template <class N>
constexpr N stages_of(MemoryKind kind, const Run<N>& run, const N& w) {
  if (kind == MemoryKind::uniform) return smaller(run.count, N(1));
  return kind == MemoryKind::banks ? bank_stages(run, w) : group_stages(run, w);
}

/// Stages of a run whose threads access every `step`-th word, step ≥ 1. On banks, a warp of k
/// threads meets each of w/gcd(step, w) banks in turn. On groups with step ≥ w, each thread begins
/// a new group. On groups with step < w, a group begins at each multiple of w, and a warp begins a
/// further piece if the thread before it is in the same group. The words at the beginnings of warps
/// are equal modulo w.
template <class N>
constexpr N stages_of_stride(MemoryKind kind, const Run<N>& run, const N& step, const N& w) {
  if (kind == MemoryKind::uniform) return smaller(run.count, N(1));
  if (kind == MemoryKind::banks) {
    const N conflicts = gcd(step, w);
    const N lane = run.thread % w;
    const N before = smaller(run.count, select(lane == N(0), N(0), w - lane));
    const N full = (run.count - before) / w;
    const N rest = (run.count - before) % w;
    return ceil_div(before * conflicts, w) + full * conflicts + ceil_div(rest * conflicts, w);
  }
  const N last = run.address + step * minus_or_zero(run.count, N(1));
  const N groups = last / w - run.address / w;
  const N warps = boundaries(run.thread, run.count, w);
  // The words of the threads whose numbers are multiples of w; modulo w, all of them are equal.
  const N at_warps = (run.address + step * ((w - run.thread % w) % w)) % w;
  const N pieces = N(1) + groups + select(at_warps < step, N(0), warps);
  return select(run.count == N(0), N(0), select(step < w, pieces, run.count));
}

/// The sum of rounds on one memory. On the shared memories of several DMMs, a round has the stages
/// of the busiest DMM and the requests of all DMMs.
template <class N>
struct Rounds {
  N stages = N(0);
  N rounds = N(0);    ///< rounds in which some thread takes part
  N requests = N(0);  ///< of threads

  constexpr Rounds& operator+=(const Rounds& other) {
    stages += other.stages;
    rounds += other.rounds;
    requests += other.requests;
    return *this;
  }
  friend constexpr Rounds operator+(Rounds a, const Rounds& b) { return a += b; }
  friend constexpr Rounds operator*(const N& times, const Rounds& one) {
    return {times * one.stages, times * one.rounds, times * one.requests};
  }
  bool operator==(const Rounds&) const = default;  // constexpr if == of N is constexpr

  /// Lockstep time: k + l − 1 for each round of k stages.
  constexpr N time(const N& latency) const { return stages + rounds * (latency - N(1)); }
};

/// One round; no round if no thread takes part.
template <class N>
constexpr Rounds<N> one_round(const N& stages, const N& requests) {
  return {stages, smaller(stages, N(1)), requests};
}

/// A round in which the threads of a run access consecutive words.
template <class N>
constexpr Rounds<N> round_of(MemoryKind kind, const Run<N>& run, const N& w) {
  return one_round(stages_of(kind, run, w), run.count);
}

/// The cost of a program: its rounds on each kind of memory.
template <class N>
struct Cost {
  Rounds<N> global = {};  ///< or on the one memory of a PRAM, DMM or UMM
  Rounds<N> shared = {};
  Rounds<N> constant = {};
  N overlap = N(0);   ///< lockstep time saved by rounds on several memories at the same time
  N launches = N(0);  ///< launches with a round on the global memory

  constexpr Cost& operator+=(const Cost& other) {
    global += other.global;
    shared += other.shared;
    constant += other.constant;
    overlap += other.overlap;
    launches += other.launches;
    return *this;
  }
  /// The cost of a launch on the one memory of a PRAM, DMM or UMM.
  static constexpr Cost on_one_memory(const Rounds<N>& rounds) {
    return {.global = rounds, .launches = smaller(rounds.rounds, N(1))};
  }
  friend constexpr Cost operator*(const N& times, const Cost& one) {
    return {times * one.global, times * one.shared, times * one.constant, times * one.overlap,
            times * one.launches};
  }
  bool operator==(const Cost&) const = default;
};

/// The rounds of a loop over `items` items by p threads, which take p consecutive items at a time.
/// turn(start, count) gives the rounds of the turn that begins at item `start`.
template <class N, class Turn>
constexpr auto over_turns(const N& items, const N& p, Turn turn) {
  return sum_over(ceil_div(items, p),
                  [&](const N& t) { return turn(t * p, smaller(p, items - t * p)); });
}

}  // namespace bankproof
