// What every algorithm must do, as a suite that any of them can be put through:
//
//     BANKPROOF_ALGORITHM(Sum)
//
// makes the tests of a suite Sum: results against the oracle, on machines that drift too; in
// lockstep the time of the closed form, overlapped one between the stated ones; the bounds of the
// source; no race, no uninitialized read; and that each barrier is needed.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../algorithms/machines.hpp"
#include "../model/observers/initialization.hpp"
#include "../model/observers/races.hpp"
#include "../model/observers/statistics.hpp"
#include "property.hpp"
#include "values.hpp"

namespace bankproof {

inline std::ostream& operator<<(std::ostream& out, const Task& task) {
  constexpr std::array names = {"pram", "dmm", "umm", "hmm", "async-hmm"};
  const Letters& m = task.machine;
  out << task.variant << " on " << names[static_cast<std::size_t>(m.machine)] << ":w=" << m.w
      << ",l=" << m.l << ",L=" << m.L << ",d=" << m.d << ",p=" << m.p << " with";
  for (const auto& [name, value] : task.sizes) out << ' ' << name << '=' << value;
  if (!task.permutation.empty()) out << " and P =";
  for (const std::uint32_t to : task.permutation) out << ' ' << to;
  return out;
}

}  // namespace bankproof

namespace bankproof::testing {

/// Whether the variant runs on an HMM.
inline bool is_for_hmm(const Variant& variant) {
  return std::ranges::any_of(variant.machines, is_hierarchical);
}

/// Random tasks of the algorithm A for those of its variants that are wanted; their sizes go
/// `reach` times, and their letters the square of that, as far as those of tasks that are to be
/// run.
template <class A>
rc::Gen<Task> any_task(
    bool (*wanted)(const Variant&) = [](const Variant&) { return true; }, std::uint64_t reach = 1) {
  const auto draw = [wanted, reach, letters_reach = reach * reach] {
    const auto number = [](std::uint64_t least, std::uint64_t most) {
      return *rc::gen::inRange<std::uint64_t>(least, most + 1);
    };
    std::vector<Variant> variants;
    std::ranges::copy_if(A::variants, std::back_inserter(variants), wanted);
    const Variant& variant = variants[number(0, variants.size() - 1)];
    Task task{variant.name, Sizes(A::size_keys), {}};
    for (const SizeKey& key : A::size_keys) {
      task.sizes.set(key.name, number(key.least, std::min(reach * key.tried, key.most)));
    }
    if constexpr (requires { &A::complete; }) {
      A::complete(task, *rc::gen::arbitrary<std::uint64_t>());
    }
    const MachineKind kind = variant.machines[number(0, variant.machines.size() - 1)];
    if (kind == MachineKind::pram) {
      task.machine = Letters::pram(number(1, 200 * letters_reach));
      return task;
    }
    const std::uint64_t w = number(1, 8 * letters_reach);
    // Multiples of w are what the sources have; others are as likely.
    const std::uint64_t p = number(0, 1) == 0 ? w * number(1, 6) : number(1, 40 * letters_reach);
    // Now and then a shared memory that is hardly large enough, for fewer slots.
    const std::uint64_t capacity =
        is_hierarchical(kind) && number(0, 3) == 0 ? number(1, 300) : unlimited;
    task.machine = Letters{kind,
                           w,
                           number(1, 6 * letters_reach),
                           number(1, 9 * letters_reach),
                           number(1, 5 * letters_reach),
                           p,
                           capacity};
    return task;
  };
  // Sizes are to be drawn from all of their range from the first case on.
  return rc::gen::resize(100, rc::gen::suchThat(rc::gen::exec(draw), [](const Task& task) {
                           return A::refusal(task).empty();
                         }));
}

inline Conditions in(Mode mode, std::uint64_t seed = 0, Time drift = 0) {
  return {{.mode = mode, .seed = seed}, drift};
}

/// Runs the task on a machine with these rules, watched.
template <class A, class T, class R = Rules>
Outcome<T> run_task(const Task& task, const Conditions& conditions, const Inputs<T>& inputs,
                    const std::vector<Observer*>& observers = {}) {
  return with_machine<R>(task.machine, conditions, [&](auto& machine) {
    for (Observer* observer : observers) machine.attach(*observer);
    return A::template run<T>(task, machine, inputs);
  });
}

/// The result is the oracle's, no access races, and none reads what nobody wrote.
template <class A, class T>
void computes_what_the_oracle_does(const Task& task, const Conditions& conditions,
                                   std::uint64_t seed) {
  const auto inputs = random_inputs<T>(A::inputs(task), seed);
  Races races;
  Initialization initialization;
  const auto outcome = run_task<A, T>(task, conditions, inputs, {&races, &initialization});
  RC_ASSERT(outcome.values == A::template expected<T>(task, inputs));
}

template <class A>
void gives_the_oracles_result() {
  const Task task = *any_task<A>();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Mode mode = *rc::gen::element(Mode::overlapped, Mode::lockstep);
  using Poorest = typename PoorestOf<A::algebra>::Type;
  computes_what_the_oracle_does<A, std::uint64_t>(task, in(mode), seed);
  computes_what_the_oracle_does<A, Poorest>(task, in(mode), seed);
}

template <class A>
void gives_it_in_any_drift() {
  Task task = *any_task<A>(is_for_hmm);
  task.machine.machine = MachineKind::asynchronous_hmm;
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Mode mode = *rc::gen::element(Mode::overlapped, Mode::lockstep);
  const auto drift = *rc::gen::inRange<Time>(1, 40);
  computes_what_the_oracle_does<A, std::uint64_t>(task, in(mode, seed, drift), seed);
}

/// Counts the launches that access memory of a kind.
class LaunchCount : public Observer {
 public:
  explicit LaunchCount(MemoryKind kind) : kind_(kind) {}
  void launch_begins(const LaunchEvent&) override { counted_ = false; }
  void accessed(const AccessEvent& event) override {
    if (!counted_ && event.memory().kind() == kind_) ++launches_;
    counted_ = counted_ || event.memory().kind() == kind_;
  }
  std::uint64_t launches() const { return launches_; }

 private:
  MemoryKind kind_;
  bool counted_ = false;
  std::uint64_t launches_ = 0;
};

template <class A>
void takes_the_closed_time_in_lockstep() {
  const Task task = *any_task<A>();
  const auto inputs = random_inputs<std::uint64_t>(A::inputs(task), 0);
  Statistics statistics;
  LaunchCount launches(task.machine.memory());
  const Time time =
      run_task<A, std::uint64_t>(task, in(Mode::lockstep), inputs, {&statistics, &launches}).time;
  const Cost<std::uint64_t> cost = A::cost(task);
  RC_LOG() << task << ": the machine takes " << time << ", by the closed form it is "
           << lockstep_time(cost, task.machine);
  RC_ASSERT(time == lockstep_time(cost, task.machine));
  RC_ASSERT(launches.launches() == cost.launches);
  const MemoryStatistics global = statistics.of_kind(task.machine.memory());
  RC_ASSERT(global.requests == cost.global.requests);
  if (task.machine.machine != MachineKind::pram) RC_ASSERT(global.stages == cost.global.stages);
  RC_ASSERT(statistics.of_constants().requests == cost.constant.requests);
  if (is_hierarchical(task.machine.machine)) {
    RC_ASSERT(statistics.of_banks().requests == cost.shared.requests);
  }
}

/// Time ≤ a bound, with room for the rounding of its value.
inline bool is_at_most(Time time, const Bound& bound) {
  return static_cast<double>(time) <= bound.value() * (1 + 1e-12);
}
inline bool is_at_least(Time time, const Bound& bound) {
  return static_cast<double>(time) >= bound.value() * (1 - 1e-12);
}

template <class A>
void overlapped_stays_between_the_closed_times() {
  const Task task = *any_task<A>(
      [](const Variant& variant) { return variant.machines.front() != MachineKind::pram; });
  const auto inputs = random_inputs<std::uint64_t>(A::inputs(task), 0);
  const Time time = run_task<A, std::uint64_t>(task, in(Mode::overlapped), inputs).time;
  const Cost<std::uint64_t> cost = A::cost(task);
  RC_ASSERT(time >= least_time(cost, task.machine));
  RC_ASSERT(time <= lockstep_time(cost, task.machine));
  for (const Bound& bound : lower_bounds<A>(task)) RC_ASSERT(is_at_least(time, bound));
}

template <class A>
void keeps_the_bounds_of_its_source() {
  const Task task = *any_task<A>([](const Variant&) { return true; }, 2);
  const Time time = lockstep_time(A::cost(task), task.machine);
  RC_LOG() << task << ": " << time;
  if (const auto bound = upper_bound<A>(task)) RC_ASSERT(is_at_most(time, *bound));
  for (const Bound& bound : lower_bounds<A>(task)) RC_ASSERT(is_at_least(time, bound));
}

/// Machines on which one barrier is none, or all that stand at one place in the programs.
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

/// Counts launches, and the barriers of the launch with most.
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

/// Whether leaving barriers out shows: as a race, a read of what nobody wrote, or in a result.
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

/// Whether a race shows when nothing stands between launch `number` and the one before it.
template <class A>
bool misses_launch(const Task& task, std::uint64_t number, const Inputs<std::uint64_t>& inputs) {
  Races races(OnFinding::record, number);
  run_task<A>(task, in(Mode::lockstep), inputs, {&races});
  return !races.found().empty();
}

/// The barriers of each variant for which no task shows that they are needed: all of one place in
/// the programs, the first four and the last two of a launch, and the first four between launches.
template <class A>
std::vector<std::string> unneeded_barriers() {
  struct Barrier {
    int met = 0;  ///< in so many tasks
    bool shown = false;
  };
  constexpr int often = 300;
  std::map<std::string, Barrier> barriers;
  const auto settled = [&] {
    return std::ranges::all_of(barriers, [](const auto& entry) {
      return entry.second.shown || entry.second.met >= often;
    });
  };
  const auto tasks = any_task<A>();
  rc::Random random(rc::detail::configuration().testParams.seed);
  for (int tried = 0; tried < 20 * often && (tried < often || !settled()); ++tried) {
    const Task task = tasks(random.split(), 100).value();
    const auto inputs = random_inputs<std::uint64_t>(A::inputs(task), 1);
    BarrierCount count;
    WithoutOneBarrier::met.clear();
    run_task<A, std::uint64_t, WithoutOneBarrier>(task, in(Mode::lockstep), inputs, {&count});
    const auto try_without = [&](const std::string& what, auto misses) {
      Barrier& barrier = barriers[std::string(task.variant) + ", " + what];
      ++barrier.met;
      barrier.shown = barrier.shown || misses();
    };
    for (const auto& place : std::set(WithoutOneBarrier::met)) {
      const std::string_view file = place.first.substr(place.first.rfind('/') + 1);
      try_without(std::string(file) + ":" + std::to_string(place.second),
                  [&] { return misses_barriers_at<A>(task, place, inputs); });
    }
    // Warps of a PRAM are wide, and what a single warp does needs no barrier.
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
    if (!barrier.shown && barrier.met >= often) unneeded.push_back(name);
  }
  return unneeded;
}

}  // namespace bankproof::testing

/// The tests that every algorithm passes; those with a variant for the HMM pass also the next ones.
#define BANKPROOF_ALGORITHM(A)                                                       \
  BANKPROOF_PROPERTY(A, gives_the_oracles_result, ()) {                              \
    ::bankproof::testing::gives_the_oracles_result<A>();                             \
  }                                                                                  \
  BANKPROOF_PROPERTY(A, takes_the_closed_time_in_lockstep, ()) {                     \
    ::bankproof::testing::takes_the_closed_time_in_lockstep<A>();                    \
  }                                                                                  \
  BANKPROOF_PROPERTY(A, overlapped_stays_between_the_closed_times, ()) {             \
    ::bankproof::testing::overlapped_stays_between_the_closed_times<A>();            \
  }                                                                                  \
  BANKPROOF_PROPERTY(A, keeps_the_bounds_of_its_source, ()) {                        \
    ::bankproof::testing::keeps_the_bounds_of_its_source<A>();                       \
  }                                                                                  \
  TEST(A, needs_each_barrier) {                                                      \
    EXPECT_THAT(::bankproof::testing::unneeded_barriers<A>(), ::testing::IsEmpty()); \
  }

#define BANKPROOF_HMM_ALGORITHM(A)                             \
  BANKPROOF_ALGORITHM(A)                                       \
  BANKPROOF_PROPERTY(A, gives_it_however_the_DMMs_drift, ()) { \
    ::bankproof::testing::gives_it_in_any_drift<A>();          \
  }
