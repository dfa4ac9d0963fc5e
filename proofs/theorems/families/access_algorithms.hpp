// Accesses and copies in the form of algorithms: each has a time or a cost, a bound and a run. So
// families of accesses and copies are proved and replayed like families of algorithms
// (families.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "../../../algorithms/algorithm.hpp"
#include "../../../algorithms/copy.hpp"

namespace bankproof::proofs {

/// n/w + nl/p + l (HMM theorem 2, for one array).
template <class N>
BoundOf<N> bound_of(const ContiguousAccessOf<N>& c, std::uint64_t factor = 1) {
  return {N(factor), {{"n/w", c.n, c.w}, {"nl/p", c.n * c.l, c.p}, {"l", c.l}}};
}

/// Shared parts of accesses of p threads to n words, and of copies of n words.
struct OfOneArray {
  template <class N>
  static ContiguousAccessOf<N> access_of(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    return {task.sizes["n"], m.p, m.w, m.l};
  }
  static std::vector<Shape> inputs(const Task& task) { return {{"a", task.sizes["n"]}}; }
  static Launch launch(const Task& task, std::uint64_t blocks = 1) {
    return {.blocks = blocks, .threads = task.machine.p, .name = "access"};
  }
};

/// Accepts the values that are read, and ignores them.
struct Ignore {
  template <class Index, class Values>
  void operator()(const Index&, const Values&, Mask) const {}
};

/// Contiguous access with a barrier after each round, or without barriers (C1 and C2).
template <Mode how>
struct ContiguousAccesses : OfOneArray {
  static constexpr Mode mode = how;
  template <class N>
  static N time(const TaskOf<N>& task) {
    const ContiguousAccessOf<N> c = access_of(task);
    const bool banks = task.machine.machine == MachineKind::dmm;
    if constexpr (mode == Mode::lockstep) {
      return banks ? contiguous_lockstep_time_on_dmm(c) : contiguous_lockstep_time_on_umm(c);
    } else {
      return banks ? contiguous_overlapped_time_on_dmm(c) : contiguous_overlapped_time_on_umm(c);
    }
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return bound_of(access_of(task), task.machine.machine == MachineKind::dmm ? 1 : 2);
  }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    Ignore ignore;
    return {{}, machine.launch(launch(task), contiguous_read<T, Ignore>, a, a.size(), ignore)};
  }
};

/// Reads a from its end, so that full warps are in different banks if w | n.
template <class T>
Program read_from_the_end(Warp& warp, Array<T>& a) {
  for (auto i : warp.each(a.size())) {
    Lanes<Address> at = warp.all(Address{0});
    for_each_lane(warp.mask(), [&](Width lane) { at[lane] = a.size() - 1 - i[lane]; });
    co_await a.read(at, AccessKind::conflict_free);
  }
}

/// n conflict-free accesses by p threads (C4). Each warp takes one stage, no matter which words it
/// accesses.
struct ConflictFreeAccesses : OfOneArray {
  template <class N>
  static Rounds<N> rounds(const ContiguousAccessOf<N>& c) {
    using bankproof::ceil_div;  // for machine words
    return over_turns(
        c.n, c.p, [&](const N&, const N& count) { return one_round(ceil_div(count, c.w), count); });
  }
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    return Cost<N>::on_one_memory(rounds(access_of(task)));
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return bound_of(access_of(task));
  }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    return {{}, machine.launch(launch(task), read_from_the_end<T>, a)};
  }
};

/// Arrays of n words in all: `pairs` arrays of two words, the pairs, and one array of the other
/// words. The two words of a pair are the last word of a group and the first word of the next
/// group, and no two pairs share a group. The array of the other words begins one word after the
/// beginning of a group. If 2·pairs is a multiple of w, each word of a pair is a piece of a warp's
/// access, and each warp on the array of the other words has two pieces.
template <class N>
struct CutArraysOf {
  N n;
  N pairs;
  N w;

  explicit CutArraysOf(const TaskOf<N>& task)
      : n(task.sizes["n"]), pairs(task.sizes["pairs"]), w(task.machine.w) {}

  N of_pairs() const { return N(2) * pairs; }
  /// Stages of one access to all words.
  N group_stages() const {
    return of_pairs() + bankproof::group_stages(Run<N>{N(1), n - of_pairs(), of_pairs()}, w);
  }
  std::uint64_t begin_of_others() const { return 2 * w * pairs + 1; }
  std::uint64_t end() const { return begin_of_others() + n - of_pairs(); }
  Concatenation words() const {
    std::vector<Segment> segments;
    segments.reserve(pairs + 1);
    for (std::uint64_t k = 0; k < pairs; ++k) segments.push_back({(2 * k + 1) * w - 1, 2});
    segments.push_back({begin_of_others(), n - of_pairs()});
    return Concatenation(std::move(segments));
  }
};

/// Access to arrays whose words are numbered one array after another, by one thread for each word
/// (C3).
struct AccessesToArrays : OfOneArray {
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const CutArraysOf<N> arrays(task);
    return Cost<N>::on_one_memory(one_round(arrays.group_stages(), arrays.n));
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return bound_of(access_of(task), 4);
  }
  static std::vector<Shape> inputs(const Task& task) {
    return {{"a", CutArraysOf<std::uint64_t>(task).end()}};
  }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    const Concatenation words = CutArraysOf<std::uint64_t>(task).words();
    Ignore ignore;
    return {{}, machine.launch(launch(task), read_segments<T, Ignore>, a, words, ignore)};
  }
};

template <class N>
CopyOf<N> copy_of(const TaskOf<N>& task) {
  const MachineParametersOf<N>& m = task.machine;
  return {task.sizes["n"], m.d, m.p, m.w, m.l, m.L};
}
/// n/w + n/(dw) + n(l + L)/(dp) + l + L (OPT lemma 2).
template <class N>
BoundOf<N> bound_of(const CopyOf<N>& c, std::uint64_t factor = 1) {
  return {N(factor),
          {{"n/w", c.n, c.w},
           {"n/(dw)", c.n, c.d * c.w},
           {"n(l+L)/(dp)", c.n * (c.l + c.L), c.d * c.p},
           {"l+L", c.l + c.L}}};
}
/// Copies to the shared memories of all DMMs.
template <class T, class Machine>
Outcome<T> run_copy(const Task& task, Machine& machine, const Inputs<T>& inputs,
                    const Concatenation& words) {
  if constexpr (Hierarchical<Machine>) {
    const Copy c = copy_of(task);
    Array<T> a(machine.global(), inputs[0], "a");
    std::deque<Array<T>> shared;
    for (std::uint64_t i = 0; i < c.d; ++i) {
      shared.emplace_back(machine.shared(i), std::max(Share::size(c.n, c.d, c.w), c.w), "share");
    }
    return {{},
            machine.launch(OfOneArray::launch(task, c.d), copy_to_shared<T, std::deque<Array<T>>>,
                           a, words, shared)};
  } else {
    throw unsuitable("copies to shared memories run on an HMM");
  }
}

/// Copies of n words in one piece (C5).
struct Copies : OfOneArray {
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    using bankproof::sum_over;  // for machine words
    const CopyOf<N> copy = copy_of(task);
    const N rounds = copy.levels();
    return {
        .global = {sum_over(rounds, [&](const N& k) { return copy.global_stages(k); }), rounds},
        .shared = {sum_over(rounds, [&](const N& k) { return copy.shared_stages(k); }), rounds}};
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return bound_of(copy_of(task));
  }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    return run_copy(task, machine, inputs, Concatenation({{0, task.sizes["n"]}}));
  }
};

/// Copies of arrays whose words are numbered one array after another, by one thread for each word
/// (C6). Requires that each DMM gets full warps of words.
struct CopiesOfArrays : AccessesToArrays {
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    using bankproof::ceil_div;  // for machine words
    const CutArraysOf<N> arrays(task);
    return {.global = one_round(arrays.group_stages(), arrays.n),
            .shared = one_round(ceil_div(task.machine.p, arrays.w), arrays.n)};
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return bound_of(copy_of(task), 4);
  }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    return run_copy(task, machine, inputs, CutArraysOf<std::uint64_t>(task).words());
  }
};

}  // namespace bankproof::proofs
