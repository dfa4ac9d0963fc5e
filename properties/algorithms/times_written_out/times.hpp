// Helpers of the times that are written out by hand: random numbers, a machine's time, and the time
// of a round. These times repeat the closed forms of algorithms/ in other words, mostly for sizes
// without partial tiles and warps. The closed forms use the same geometry of sweeps, windows and
// turns as the programs. So if a program does useless work, only the written-out times reveal it.
// No file of this folder uses the code that computes costs.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../testing/tasks.hpp"

namespace bankproof::written_out {

using testing::any;
using testing::Number;

inline Number power_of_two(Number most_bits) { return Number{1} << any(0, most_bits); }

/// Rounds up to a whole number.
inline Number ceil(Number a, Number b) { return (a + b - 1) / b; }

template <class A>
Time machine_time(const Task& task) {
  const auto inputs = testing::random_inputs<Number>(A::inputs(task), 1);
  return testing::run_task<A, Number>(task, testing::in(Mode::lockstep), inputs).time;
}
template <class A>
Time machine_time(std::string_view variant, const MachineParameters& machine,
                  const std::vector<std::pair<std::string_view, Number>>& sizes) {
  return machine_time<A>(testing::task_of<A>(variant, machine, sizes));
}

/// The time of a round of k stages; 0 if no thread takes part.
inline Number round(Number k, Number latency) { return k == 0 ? 0 : k + latency - 1; }

/// Counts the stages of one access of threads 0 … count − 1 to every `step`-th word from `first`
/// on: for each warp, the words in its fullest bank, or its groups.
inline Number stages(MachineKind kind, Number first, Number count, Number step, Number w) {
  Number sum = 0;
  for (Number warp = 0; warp < count; warp += w) {
    std::map<Number, std::set<Number>> banks;
    std::set<Number> groups;
    for (Number thread = warp; thread < count && thread < warp + w; ++thread) {
      const Number word = first + thread * step;
      banks[word % w].insert(word);
      groups.insert(word / w);
    }
    Number fullest = 0;
    for (const auto& [bank, words] : banks) fullest = std::max<Number>(fullest, words.size());
    sum += kind == MachineKind::dmm ? fullest : groups.size();
  }
  return sum;
}

}  // namespace bankproof::written_out
