// Random tasks of an algorithm for each variant, machine and mode, and runs of these tasks.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "../algorithms/machines.hpp"
#include "values.hpp"

namespace bankproof {

inline std::ostream& operator<<(std::ostream& out, MachineKind kind) {
  constexpr std::array names = {"pram", "dmm", "umm", "hmm", "async-hmm"};
  return out << names[static_cast<std::size_t>(kind)];
}

inline std::ostream& operator<<(std::ostream& out, const Task& task) {
  const MachineParameters& m = task.machine;
  out << task.variant << " on " << m.machine << ":w=" << m.w << ",l=" << m.l << ",L=" << m.L
      << ",d=" << m.d << ",p=" << m.p << " with";
  for (const auto& [name, value] : task.sizes) out << ' ' << name << '=' << value;
  if (!task.permutation.empty()) out << " and P =";
  for (const std::uint32_t to : task.permutation) out << ' ' << to;
  return out;
}

}  // namespace bankproof

namespace bankproof::testing {

using Number = std::uint64_t;

/// A number drawn from the whole range, from the first case on.
inline Number any(Number least, Number most) {
  return *rc::gen::resize(100, rc::gen::inRange<Number>(least, most + 1));
}

/// A task with the usual sizes where none are given.
template <class A>
Task task_of(std::string_view variant, const MachineParameters& machine,
             const std::vector<std::pair<std::string_view, Number>>& sizes = {}) {
  Task task{variant, Sizes(A::size_keys), machine};
  for (const auto& [name, value] : sizes) task.sizes.set(name, value);
  return task;
}

/// A variant of an algorithm, on a machine in a mode.
struct TestedVariant {
  std::string_view variant;
  MachineKind machine;
  Mode mode;

  auto operator<=>(const TestedVariant&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const TestedVariant& tested) {
  return out << tested.variant << " on " << tested.machine
             << (tested.mode == Mode::lockstep ? ", lockstep" : ", overlapped");
}

/// Each variant of the algorithm A on each of its machines in each mode.
template <class A>
std::vector<TestedVariant> tested_variants() {
  std::vector<TestedVariant> variants;
  for (const Variant& variant : A::variants) {
    for (const MachineKind machine : variant.machines) {
      for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
        variants.push_back({variant.name, machine, mode});
      }
    }
  }
  return variants;
}

/// Random tasks of the algorithm A for a tested variant. Sizes go up to `reach` times their limit
/// for random tests, machine parameters up to `reach`² times their limit. If `reach` > 1, half of
/// the latencies have any order of magnitude up to 2²⁰.
template <class A>
rc::Gen<Task> any_task(const TestedVariant& tested, std::uint64_t reach = 1) {
  const auto draw = [tested, reach, machine_reach = reach * reach] {
    const auto number = [](std::uint64_t least, std::uint64_t most) {
      return *rc::gen::inRange<std::uint64_t>(least, most + 1);
    };
    Task task = task_of<A>(tested.variant, {});
    for (const SizeKey& key : A::size_keys) {
      task.sizes.set(key.name, number(key.least, std::min(reach * key.tried, key.most)));
    }
    if constexpr (requires { &A::complete; }) {
      A::complete(task, *rc::gen::arbitrary<std::uint64_t>());
    }
    if (tested.machine == MachineKind::pram) {
      task.machine = MachineParameters::pram(number(1, 200 * machine_reach));
      return task;
    }
    const std::uint64_t w = number(1, 8 * machine_reach);
    const auto latency = [&](std::uint64_t most) {
      const bool is_large = reach > 1 && number(0, 1) == 0;
      return number(1, is_large ? std::uint64_t{1} << number(0, 20) : most * machine_reach);
    };
    // In the sources, p is a multiple of w; here other numbers are as likely.
    const std::uint64_t p = number(0, 1) == 0 ? w * number(1, 6) : number(1, 40 * machine_reach);
    // One HMM in four has a small shared memory, so that fewer slots fit.
    const std::uint64_t capacity =
        is_hierarchical(tested.machine) && number(0, 3) == 0 ? number(1, 300) : unlimited;
    const std::uint64_t d = number(1, 5 * machine_reach);
    task.machine = MachineParameters{tested.machine, w, latency(6), latency(9), d, p, capacity};
    return task;
  };
  // Sizes have to come from their whole range from the first case on.
  return rc::gen::resize(100, rc::gen::suchThat(rc::gen::exec(draw), [](const Task& task) {
                           return A::refusal(task).empty();
                         }));
}

/// Random tasks for all of A's tested variants.
template <class A>
rc::Gen<Task> any_task(std::uint64_t reach = 1) {
  return rc::gen::exec(
      [reach] { return *any_task<A>(*rc::gen::elementOf(tested_variants<A>()), reach); });
}

inline Conditions in(Mode mode) { return {{.mode = mode}}; }

/// The number of tasks that were run for each tested variant.
inline std::map<TestedVariant, std::uint64_t>& runs() {
  static std::map<TestedVariant, std::uint64_t> counts;
  return counts;
}

/// Runs the task on a machine with these rules, with observers.
template <class A, class T, class R = Rules>
Outcome<T> run_task(const Task& task, const Conditions& conditions, const Inputs<T>& inputs,
                    const std::vector<Observer*>& observers = {}) {
  ++runs()[{task.variant, task.machine.machine, conditions.options.mode}];
  return with_machine<R>(task.machine, conditions, [&](auto& machine) {
    for (Observer* observer : observers) machine.attach(*observer);
    return A::template run<T>(task, machine, inputs);
  });
}

}  // namespace bankproof::testing
