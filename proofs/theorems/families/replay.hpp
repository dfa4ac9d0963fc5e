// Runs the largest members of the families on their machines.
#pragma once

#include <cstdint>

#include "../../../algorithms/machines.hpp"
#include "families.hpp"

namespace bankproof::proofs {

struct Replayed {
  Task task;
  Bound bound;
  Time time = 0;  ///< the machine's time in the family's mode

  /// The time divided by the terms of the bound.
  double ratio() const {
    return static_cast<double>(time) * static_cast<double>(bound.factor) / bound.value();
  }
};

template <class Family>
Replayed replay_largest() {
  using A = typename Family::Algorithm;
  Replayed replayed{.task = Family::task(Family::row.largest), .bound = {}};
  const Task& task = replayed.task;
  replayed.bound = upper_bound<A>(task).value();
  Inputs<std::uint64_t> inputs;
  for (const Shape& shape : A::inputs(task)) inputs.emplace_back(shape.size(), 1);
  replayed.time = with_machine(
      task.machine, {.options = {.mode = mode_of<Family>()}},
      [&](auto& machine) { return A::template run<std::uint64_t>(task, machine, inputs).time; });
  return replayed;
}

}  // namespace bankproof::proofs
