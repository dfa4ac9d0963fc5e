// Tasks of algorithms with names in place of numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../../algorithms/algorithm.hpp"
#include "written.hpp"

namespace bankproof::proofs {

/// Algorithms whose cost() is a template over the number type.
template <class A>
concept HasWrittenCost = requires(const TaskOf<Written>& task) { A::cost(task); };

/// The numbers of a task: its sizes and its machine's parameters, with their names in formulas.
template <class N>
std::vector<std::pair<std::string, N>> numbers_of(const TaskOf<N>& task) {
  const MachineParametersOf<N>& m = task.machine;
  std::vector<std::pair<std::string, N>> all;
  for (const auto& [name, value] : task.sizes) all.emplace_back("size " + std::string(name), value);
  all.insert(
      all.end(),
      {{"w", m.w}, {"l", m.l}, {"L", m.L}, {"d", m.d}, {"p", m.p}, {"capacity", m.capacity}});
  return all;
}

/// The variant's task on this machine, with a name for each number.
template <class A>
TaskOf<Written> written_task(std::string_view variant, MachineKind machine) {
  TaskOf<Written> task{variant, SizesOf<Written>(A::size_keys), {.machine = machine}};
  for (const SizeKey& key : A::size_keys) {
    task.sizes.set(key.name, Written::name("size " + std::string(key.name)));
  }
  task.machine.w = Written::name("w");
  task.machine.l = Written::name("l");
  task.machine.L = Written::name("L");
  task.machine.d = Written::name("d");
  task.machine.p = Written::name("p");
  task.machine.capacity = Written::name("capacity");
  return task;
}

}  // namespace bankproof::proofs
