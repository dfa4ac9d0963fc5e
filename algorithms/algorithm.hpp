// The contract of an algorithm, through which suites, the command line and the tables use every
// algorithm. catalog.hpp lists all algorithms; docs/adding-an-algorithm.md shows how to add one.
//
// An algorithm is a struct A of static members:
//
//   name, does              "sum"; a phrase that says what it computes
//   algebra                 the operations that it needs on its values
//   size_keys, variants     its sizes; its variants with their sources
//   inputs(task), output(task)  the shapes of its arrays; the shape of its result
//   refusal(task)           why a variant cannot do a task, empty if it can
//   complete(task, seed)    optional: draws at random what a task has besides its sizes
//   expected(task, inputs)  the result, from plain sequential code in oracles/
//   run(task, machine, inputs)
//                           the result, and the time the machine took
//   cost(task)              the rounds of a run in closed form; the time follows from them
//   overlapped_time(task)   optional: the exact overlapped time in closed form, or nothing if this
//                           task has none
//   upper(task), lower(task)
//                           the bounds of its source, with constants and the domain where the
//                           source states them
//   global_cost_upper(task) optional: its source's bound on the global memory access cost
//
// Costs and bounds may be templates over the number type (number.hpp). They add up the levels,
// turns and waves of a program, each in closed form. The blocks of summed area tables, tiled
// convolutions and given permutations differ from one another, so cost() goes through these blocks
// one by one in machine words (launch_rounds.hpp). Only the count of global memory accesses of
// summed area tables is a template.
//
// In lockstep mode, a run takes exactly the time that follows from its cost. An overlapped run
// takes at least least_time(): no port serves two stages at a time, and no thread waits for two
// accesses at a time. Tests check that an overlapped run of these algorithms takes at most the
// lockstep time; for programs on the HMM in general this is false (properties/model/machines.cpp).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../model/machine.hpp"
#include "rounds.hpp"

namespace bankproof {

enum class MachineKind : std::uint8_t { pram, dmm, umm, hmm, asynchronous_hmm };

constexpr bool is_hierarchical(MachineKind kind) {
  return kind == MachineKind::hmm || kind == MachineKind::asynchronous_hmm;
}

/// The machine parameters of a task. On machines with one memory, l is the latency, p is the number
/// of threads, and d and L are not used. On the HMM, p is the number of resident threads of each
/// DMM.
template <class N>
struct MachineParametersOf {
  MachineKind machine = MachineKind::hmm;
  N w = N(32);
  N l = N(1);
  N L = N(1);
  N d = N(1);
  N p = N(32);
  N capacity = N(unlimited);  ///< words of the memory, or of each shared memory

  /// The PRAM with p processors.
  static MachineParametersOf pram(const N& p) {
    return {.machine = MachineKind::pram, .w = N(widest_warp), .p = p};
  }

  /// The kind of the main memory: the one memory of a PRAM, DMM or UMM, or the global memory of an
  /// HMM.
  MemoryKind memory() const {
    if (machine == MachineKind::pram) return MemoryKind::uniform;
    return machine == MachineKind::dmm ? MemoryKind::banks : MemoryKind::groups;
  }
  /// The latency of the main memory.
  N latency() const { return is_hierarchical(machine) ? L : l; }
  /// The number of threads of a launch; on an HMM, the threads of all DMMs together.
  N threads() const { return is_hierarchical(machine) ? d * p : p; }
  /// The number of ports: 1 on a machine with one memory, d + 1 on an HMM.
  N ports() const { return is_hierarchical(machine) ? d + N(1) : N(1); }

  /// The number of threads that can be resident at a time, on an HMM for each DMM and in whole
  /// warps.
  N resident() const { return is_hierarchical(machine) ? d * rounded_up(p, w) : p; }
  /// The number of blocks that can be resident at a time on each DMM, if each block has this many
  /// threads and shared words.
  N slots(const N& block_threads, const N& shared_words = N(0)) const {
    const N by_threads = rounded_up(p, w) / rounded_up(block_threads, w);
    const N by_words = capacity / larger(rounded_up(shared_words, w), N(1));
    const N both = select(shared_words == N(0), by_threads, smaller(by_threads, by_words));
    return larger(both, N(1));
  }
};
using MachineParameters = MachineParametersOf<std::uint64_t>;

/// The operations that an algorithm needs on its values. Each kind includes the kinds before it.
enum class Algebra : std::uint8_t {
  monoid,              ///< an associative +, with T{} for zero
  commutative_monoid,  ///< and commutative
  group,               ///< and −
  ring,                ///< and a product
};

/// The largest value of a size, unless its SizeKey states another limit.
inline constexpr std::uint64_t most_of_size = std::uint64_t{1} << 32U;

/// A size of a task: a whole number.
struct SizeKey {
  std::string_view name;
  std::string_view meaning;
  std::uint64_t usual;
  std::uint64_t least = 1;
  std::uint64_t tried = 200;  ///< the largest size in random tests
  std::uint64_t most = most_of_size;
  std::string_view of = {};  ///< the size exists only for variants whose names begin with this

  bool is_of(std::string_view variant) const { return variant.starts_with(of); }
};

/// The largest value of a size that formulas multiply by other sizes, such as the side of a tile: a
/// product of three such sizes stays below 2⁶⁴.
inline constexpr std::uint64_t most_of_side = std::uint64_t{1} << 20U;

/// A variant of an algorithm.
struct Variant {
  std::string_view name;
  std::string_view source;
  std::string_view idea;
  std::span<const MachineKind> machines;
};

/// The sizes of a task, by name.
template <class N>
class SizesOf {
 public:
  SizesOf() = default;
  explicit SizesOf(std::span<const SizeKey> keys) {
    for (const SizeKey& key : keys) add(key.name, N(key.usual));
  }
  /// The name has to outlive the sizes.
  void add(std::string_view name, const N& value) { sizes_.emplace_back(name, value); }
  bool has(std::string_view name) const { return find(name) != sizes_.end(); }
  const N& operator[](std::string_view name) const {
    const auto found = find(name);
    if (found == sizes_.end()) throw std::out_of_range("no size " + std::string(name));
    return found->second;
  }
  void set(std::string_view name, const N& value) {
    const auto found = find(name);
    if (found == sizes_.end()) throw std::out_of_range("no size " + std::string(name));
    sizes_[static_cast<std::size_t>(found - sizes_.begin())].second = value;
  }
  auto begin() const { return sizes_.begin(); }
  auto end() const { return sizes_.end(); }

 private:
  using Entry = std::pair<std::string_view, N>;
  std::vector<Entry>::const_iterator find(std::string_view name) const {
    return std::find_if(sizes_.begin(), sizes_.end(),
                        [&](const Entry& entry) { return entry.first == name; });
  }
  std::vector<Entry> sizes_;
};
using Sizes = SizesOf<std::uint64_t>;

/// An array of an algorithm: rows × columns elements in row-major order; each element has
/// `channels` values.
struct Shape {
  std::string_view name;
  std::uint64_t columns;
  std::uint64_t rows = 1;
  std::uint64_t channels = 1;

  /// The number of values of the array; the largest machine word if the number does not fit.
  std::uint64_t size() const {
    std::uint64_t elements = 0;
    const bool overflows = __builtin_mul_overflow(rows, columns, &elements) ||
                           __builtin_mul_overflow(elements, channels, &elements);
    return overflows ? unlimited : elements;
  }
};

/// A variant, its sizes and its machine, for closed forms in numbers of any type.
template <class N>
struct TaskOf {
  std::string_view variant;
  SizesOf<N> sizes;
  MachineParametersOf<N> machine;
  /// For algorithms that permute: element i goes to position permutation[i].
  std::vector<std::uint32_t> permutation = {};
};
using Task = TaskOf<std::uint64_t>;

/// The values of each input array.
template <class T>
using Inputs = std::vector<std::vector<T>>;

/// The result of a run, and the time that the run took.
template <class T>
struct Outcome {
  std::vector<T> values;
  Time time = 0;
};

/// A term of a bound, numerator/denominator: "n/w" and its value.
template <class N>
struct TermOf {
  std::string_view name;
  N numerator;
  N denominator = N(1);

  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};
using Term = TermOf<std::uint64_t>;

/// The bound factor · (sum of terms), for the tasks in its domain. For an upper bound, time ≤
/// bound; for a lower bound, time ≥ bound.
template <class N>
struct BoundOf {
  N factor;
  std::vector<TermOf<N>> terms;
  TruthOf<N> domain = N(0) == N(0);

  double value() const {
    double sum = 0;
    for (const TermOf<N>& term : terms) sum += term.value();
    return static_cast<double>(factor) * sum;
  }
};
using Bound = BoundOf<std::uint64_t>;

/// The upper bound that A's source states for this task; nothing if the source states no bound, or
/// no bound for these sizes.
template <class A>
std::optional<Bound> upper_bound(const Task& task) {
  auto bound = A::upper(task);
  if (bound && !bound->domain) bound.reset();
  return bound;
}
/// The upper bound that A's source states for the global memory access cost of this task.
template <class A>
std::optional<Bound> global_cost_bound(const Task& task) {
  std::optional<Bound> bound;
  if constexpr (requires { A::global_cost_upper(task); }) bound = A::global_cost_upper(task);
  if (bound && !bound->domain) bound.reset();
  return bound;
}
template <class A>
std::vector<Bound> lower_bounds(const Task& task) {
  std::vector<Bound> bounds = A::lower(task);
  std::erase_if(bounds, [](const Bound& bound) { return !bound.domain; });
  return bounds;
}

/// The time of a run in lockstep.
template <class N>
N lockstep_time(const Cost<N>& cost, const MachineParametersOf<N>& machine) {
  return cost.global.time(machine.latency()) + cost.shared.time(machine.l) + cost.constant.stages -
         cost.overlap;
}

/// The global memory access cost (THS 6.1), C/w + S + (B + 1)(L − 1): C coalesced and S stride
/// accesses have C/w + S stages, and each of the B + 1 launches waits for one latency. A run takes
/// at least this time; in lockstep it also takes L − 1 for each further round, and the shared
/// rounds.
template <class N>
N global_access_cost(const Cost<N>& cost, const MachineParametersOf<N>& machine) {
  return cost.global.stages + cost.launches * (machine.latency() - N(1));
}

/// A lower bound on the time of a run in any mode. Each memory's port takes one time unit for each
/// stage. Each thread makes its share of all requests, and waits for one request after another.
template <class N>
N least_time(const Cost<N>& cost, const MachineParametersOf<N>& machine) {
  const N shared = select(cost.shared.rounds == N(0), N(0), cost.shared.stages + machine.l - N(1));
  const N waiting = cost.global.requests * machine.latency() + cost.shared.requests * machine.l;
  return larger(larger(global_access_cost(cost, machine), shared),
                ceil_div(waiting, machine.resident()));
}

/// Whether the machine has a global memory for all DMMs and a shared memory for each DMM.
template <class Machine>
concept Hierarchical = requires(Machine& machine) { machine.global(); };

/// The memory that holds the arrays of a task: the one memory, or the global memory.
template <class Machine>
Memory& main_memory(Machine& machine) {
  if constexpr (Hierarchical<Machine>) {
    return machine.global();
  } else {
    return machine.memory();
  }
}

/// Thrown by run() for a task that its variant cannot do; says why, and how to fix the task.
inline Fault unsuitable(const std::string& why) { return {FaultKind::launch, why, false}; }

}  // namespace bankproof
