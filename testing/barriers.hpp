// Does an algorithm need its barriers? The tests leave out each barrier in turn, and must notice
// that the barrier is missing.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../model/observers/initialization.hpp"
#include "../model/observers/races.hpp"
#include "tasks.hpp"

namespace bankproof::testing {

/// Machines that ignore one barrier, or all barriers at one place in the programs.
struct WithoutOneBarrier : Rules {
  using Place = std::pair<std::string_view, std::uint64_t>;  ///< file and line
  static inline std::optional<std::uint64_t> missing = {};
  static inline std::optional<Place> missing_at = {};
  static inline std::set<Place> met = {};

  static bool holds_at(std::uint64_t number, const std::source_location& at) {
    const Place place{at.file_name(), at.line()};
    met.insert(place);
    return number != missing && place != missing_at;
  }
};

/// For example "sum.hpp:48".
inline std::string name_of(const WithoutOneBarrier::Place& place) {
  return std::string(place.first.substr(place.first.rfind('/') + 1)) + ":" +
         std::to_string(place.second);
}

/// Counts launches, and the barriers of the launch with the most barriers.
class BarrierCount : public Observer {
 public:
  void launch_begins(const LaunchEvent&) override { ++launches_; }
  void barrier_opens(const BlockEvent& event) override {
    most_ = std::max(most_, event.block.phase);
  }
  std::uint64_t most() const { return most_; }
  std::uint64_t launches() const { return launches_; }

 private:
  std::uint64_t most_ = 0;
  std::uint64_t launches_ = 0;
};

/// Whether a run without these barriers has a race, a read of a word that nobody wrote, or a wrong
/// result.
template <class A>
bool misses_barriers(const Task& task, const Inputs<std::uint64_t>& inputs) {
  Races races(OnFinding::record);
  Initialization initialization(OnFinding::record);
  for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
    const auto outcome = run_task<A, std::uint64_t, WithoutOneBarrier>(task, in(mode), inputs,
                                                                       {&races, &initialization});
    if (!races.found().empty() || !initialization.found().empty()) return true;
    if (outcome.values != A::template expected<std::uint64_t>(task, inputs)) return true;
  }
  return false;
}
template <class A>
bool misses_barrier(const Task& task, std::uint64_t number, const Inputs<std::uint64_t>& inputs) {
  WithoutOneBarrier::missing = number;
  const bool misses = misses_barriers<A>(task, inputs);
  WithoutOneBarrier::missing.reset();
  return misses;
}
template <class A>
bool misses_barriers_at(const Task& task, const WithoutOneBarrier::Place& place,
                        const Inputs<std::uint64_t>& inputs) {
  WithoutOneBarrier::missing_at = place;
  const bool misses = misses_barriers<A>(task, inputs);
  WithoutOneBarrier::missing_at.reset();
  return misses;
}

/// Whether a race shows if nothing separates launch `number` from the launch before it.
template <class A>
bool misses_launch(const Task& task, std::uint64_t number, const Inputs<std::uint64_t>& inputs) {
  Races races(OnFinding::record, number);
  run_task<A>(task, in(Mode::lockstep), inputs, {&races});
  return !races.found().empty();
}

/// A barrier of a variant, or all barriers at one place of its programs, and the number of tasks
/// that met it.
struct BarrierTried {
  TestedVariant tested;  ///< of the last such task
  int met = 0;
  bool shown = false;
};

/// The tests try at least this many tasks. A barrier counts as unneeded if this many tasks met it
/// and none showed that it is needed.
inline constexpr int often = 300;

/// The barriers of all variants for which no task shows that they are needed. The tests leave out
/// all barriers of one place in the programs, each of the first four and the last two barriers of a
/// launch, and each of the first four barriers between launches. If none of the first tasks shows
/// that a barrier is needed, the tests try larger tasks of a tested variant that met the barrier.
template <class A>
std::vector<std::string> unneeded_barriers() {
  std::map<std::string, BarrierTried> barriers;
  const auto open = [&] {
    return std::ranges::find_if(barriers, [](const auto& entry) {
      return !entry.second.shown && entry.second.met < often;
    });
  };
  const auto tasks = any_task<A>();
  rc::Random random(rc::detail::configuration().testParams.seed);
  for (int tried = 0; tried < 20 * often; ++tried) {
    const auto next = open();
    if (tried >= often && next == barriers.end()) break;
    const Task task = tried < often
                          ? tasks(random.split(), 100).value()
                          : any_task<A>(next->second.tested, 2)(random.split(), 100).value();
    const auto inputs = random_inputs<std::uint64_t>(A::inputs(task), 1);
    BarrierCount count;
    WithoutOneBarrier::met.clear();
    run_task<A, std::uint64_t, WithoutOneBarrier>(task, in(Mode::lockstep), inputs, {&count});
    const auto try_without = [&](const std::string& what, auto misses) {
      BarrierTried& barrier = barriers[std::string(task.variant) + ", " + what];
      barrier.tested = {task.variant, task.machine.machine, Mode::lockstep};
      ++barrier.met;
      barrier.shown = barrier.shown || misses();
    };
    for (const auto& place : std::set(WithoutOneBarrier::met)) {
      try_without(name_of(place), [&] { return misses_barriers_at<A>(task, place, inputs); });
    }
    // Warps of a PRAM are wide, so a small task has only one warp, and the work of one warp needs
    // no barrier.
    const bool is_pram = task.machine.machine == MachineKind::pram;
    const std::uint64_t first = is_pram ? 1 : 4;
    for (std::uint64_t number = 0; number < std::min(count.most(), first); ++number) {
      try_without("barrier " + std::to_string(number),
                  [&] { return misses_barrier<A>(task, number, inputs); });
    }
    for (std::uint64_t k = 1; k <= std::min<std::uint64_t>(count.most(), is_pram ? 0 : 2); ++k) {
      try_without("barrier " + std::to_string(k) + " from the end",
                  [&] { return misses_barrier<A>(task, count.most() - k, inputs); });
    }
    for (std::uint64_t number = 1; number < std::min(count.launches(), first + 1); ++number) {
      try_without("launch " + std::to_string(number),
                  [&] { return misses_launch<A>(task, number, inputs); });
    }
  }
  std::vector<std::string> unneeded;
  for (const auto& [name, barrier] : barriers) {
    if (!barrier.shown) unneeded.push_back(name);
  }
  return unneeded;
}

}  // namespace bankproof::testing
