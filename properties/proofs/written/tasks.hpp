// The tasks of algorithms with names in place of numbers, and the numbers that the names stand for.
#pragma once

#include <string>

#include "../../../algorithms/algorithm.hpp"
#include "../../../proofs/written/evaluate.hpp"

namespace bankproof::proofs {

/// The task with a name for each size and each machine parameter.
inline TaskOf<Written> written_task(const Task& task) {
  const auto named = [](std::string_view name) { return Written::name(std::string(name)); };
  TaskOf<Written> written{task.variant, {}, {.machine = task.machine.machine}};
  for (const auto& [name, value] : task.sizes)
    written.sizes.add(name, named("size " + std::string(name)));
  written.machine.w = named("w");
  written.machine.l = named("l");
  written.machine.L = named("L");
  written.machine.d = named("d");
  written.machine.p = named("p");
  written.machine.capacity = named("capacity");
  return written;
}

/// What the names of written_task() stand for.
inline NamedNumbers numbers_of(const Task& task) {
  const MachineParameters& m = task.machine;
  NamedNumbers numbers{{"w", m.w}, {"l", m.l}, {"L", m.L},
                       {"d", m.d}, {"p", m.p}, {"capacity", m.capacity}};
  for (const auto& [name, value] : task.sizes) numbers["size " + std::string(name)] = value;
  return numbers;
}

/// Algorithms whose cost() is a template over the number type.
template <class A>
concept HasWrittenCost = requires(const TaskOf<Written>& task) { A::cost(task); };

}  // namespace bankproof::proofs
