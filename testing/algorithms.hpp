// The requirements on every algorithm, as a test suite:
//
//     BANKPROOF_ALGORITHM(Sum)
//
// makes the tests of a suite Sum. The tests check that results equal the oracle's, even on machines
// that drift. A lockstep run takes the time of the closed form, an overlapped run takes a time
// between the stated bounds, and the bounds of the source hold. There is no race, no uninitialized
// read, and no word that two threads write at the same time. Each barrier is needed. Each variant
// gets its own cases, on each machine and in each mode.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "../model/observers/collisions.hpp"
#include "../model/observers/initialization.hpp"
#include "../model/observers/races.hpp"
#include "../model/observers/statistics.hpp"
#include "barriers.hpp"
#include "property.hpp"
#include "tasks.hpp"

namespace bankproof::testing {

/// The result equals the oracle's, no matter which thread wins when several threads write a word.
/// No access races, and no access reads a word that nobody wrote.
template <class A, class T>
void computes_what_the_oracle_does(const Task& task, Mode mode, std::uint64_t seed,
                                   Time drift = 0) {
  const auto inputs = random_inputs<T>(A::inputs(task), seed);
  const auto writers =
      *rc::gen::element(WriterPolicy::lowest, WriterPolicy::highest, WriterPolicy::random);
  Races races;
  Initialization initialization;
  const auto outcome =
      run_task<A, T>(task, {{.mode = mode, .writers = writers, .seed = seed}, drift}, inputs,
                     {&races, &initialization});
  RC_ASSERT(outcome.values == A::template expected<T>(task, inputs));
}

template <class A>
void gives_the_oracles_result(const TestedVariant& tested) {
  const Task task = *any_task<A>(tested);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  computes_what_the_oracle_does<A, std::uint64_t>(task, tested.mode, seed);
  computes_what_the_oracle_does<A, typename PoorestOf<A::algebra>::Type>(task, tested.mode, seed);
}

template <class A>
void gives_it_in_any_drift(const TestedVariant& tested) {
  const Task task = *any_task<A>(tested);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto drift = *rc::gen::inRange<Time>(1, 40);
  computes_what_the_oracle_does<A, std::uint64_t>(task, tested.mode, seed, drift);
}

/// No two threads write a word at the same time, not even the same value.
template <class A>
void has_one_writer_at_a_time(const TestedVariant& tested) {
  const Task task = *any_task<A>(tested);
  const auto inputs = random_inputs<std::uint64_t>(A::inputs(task), 0);
  Collisions collisions(OnFinding::fault, Collisions::Allow::none);
  run_task<A, std::uint64_t>(task, in(tested.mode), inputs, {&collisions});
}

/// Counts the launches that access a memory of this kind.
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
void takes_the_closed_time_in_lockstep(const TestedVariant& tested) {
  const Task task = *any_task<A>(tested);
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

/// Whether the time is at most the bound; the bound's value is rounded, so a tiny difference is
/// allowed.
inline bool is_at_most(Time time, const Bound& bound) {
  return static_cast<double>(time) <= bound.value() * (1 + 1e-12);
}
inline bool is_at_least(Time time, const Bound& bound) {
  return static_cast<double>(time) >= bound.value() * (1 - 1e-12);
}

template <class A>
void overlapped_stays_between_the_closed_times(const TestedVariant& tested) {
  const Task task = *any_task<A>(tested);
  const auto inputs = random_inputs<std::uint64_t>(A::inputs(task), 0);
  const Time time = run_task<A, std::uint64_t>(task, in(Mode::overlapped), inputs).time;
  const Cost<std::uint64_t> cost = A::cost(task);
  RC_ASSERT(time >= least_time(cost, task.machine));
  RC_ASSERT(time <= lockstep_time(cost, task.machine));
  for (const Bound& bound : lower_bounds<A>(task)) RC_ASSERT(is_at_least(time, bound));
  if constexpr (requires { A::overlapped_time(task); }) {
    if (const auto exact = A::overlapped_time(task)) RC_ASSERT(time == *exact);
  }
}

/// Whether A states an upper bound for tasks of a tested variant, and whether a drawn task was in
/// the bound's domain.
struct BoundMet {
  bool stated = false;
  bool met = false;
};
inline std::map<TestedVariant, BoundMet>& bounds_met() {
  static std::map<TestedVariant, BoundMet> variants;
  return variants;
}

/// The first of a few hundred random tasks for which an upper bound holds; otherwise the last task
/// tried.
template <class A>
Task any_bounded_task(const TestedVariant& tested, std::uint64_t seed) {
  const auto tasks = any_task<A>(tested, 2);
  rc::Random random(seed);
  BoundMet& bound = bounds_met()[tested];
  Task task;
  for (int tried = 0; tried < 300; ++tried) {
    task = tasks(random.split(), 100).value();
    bound.stated = bound.stated || A::upper(task).has_value();
    if (upper_bound<A>(task)) {
      bound.met = true;
      break;
    }
    if (tried == 30 && !bound.stated) break;
  }
  return task;
}

template <class A>
void keeps_the_bounds_of_its_source(const TestedVariant& tested) {
  const Task any = *any_task<A>(tested, 2);
  const Task bounded = any_bounded_task<A>(tested, *rc::gen::arbitrary<std::uint64_t>());
  for (const Task& task : {any, bounded}) {
    const Time time = lockstep_time(A::cost(task), task.machine);
    RC_LOG() << task << ": " << time << '\n';
    if (const auto bound = upper_bound<A>(task)) RC_ASSERT(is_at_most(time, *bound));
    for (const Bound& bound : lower_bounds<A>(task)) RC_ASSERT(is_at_least(time, bound));
    if (const auto bound = global_cost_bound<A>(task)) {
      RC_ASSERT(is_at_most(global_access_cost(A::cost(task), task.machine), *bound));
    }
  }
}

/// A function that returns whether a property is about this tested variant.
using Wanted = bool (*)(const TestedVariant&);
inline bool any_variant(const TestedVariant&) { return true; }
inline bool is_lockstep(const TestedVariant& tested) { return tested.mode == Mode::lockstep; }
inline bool is_overlapped(const TestedVariant& tested) {
  return tested.mode == Mode::overlapped &&
         tested.machine != MachineKind::pram;  // the PRAM has no mode
}
inline bool drifts(const TestedVariant& tested) {
  return tested.machine == MachineKind::asynchronous_hmm;
}

/// Tries a property for each wanted tested variant of A, with a quarter of the usual cases for
/// each.
template <class A>
void check_each_variant(void (*property)(const TestedVariant&), Wanted wanted) {
  for (const TestedVariant& tested : tested_variants<A>()) {
    if (wanted(tested))
      check_property([&] { property(tested); }, ::testing::PrintToString(tested), 4);
  }
}

/// The tested variants of A for which check_each_variant() ran no task of the property. Returns
/// none while RapidCheck reproduces a counterexample.
template <class A>
std::vector<TestedVariant> variants_not_run(void (*property)(const TestedVariant&), Wanted wanted) {
  runs().clear();
  check_each_variant<A>(property, wanted);
  if (!rc::detail::configuration().reproduce.empty()) return {};
  std::vector<TestedVariant> missing = tested_variants<A>();
  std::erase_if(missing, [](const TestedVariant& tested) { return runs().contains(tested); });
  return missing;
}

/// The tested variants of A that have an upper bound but drew no task from the bound's domain.
template <class A>
std::vector<TestedVariant> variants_not_bounded() {
  bounds_met().clear();
  check_each_variant<A>(&keeps_the_bounds_of_its_source<A>, is_lockstep);
  if (!rc::detail::configuration().reproduce.empty()) return {};
  std::vector<TestedVariant> missing;
  for (const auto& [tested, bound] : bounds_met()) {
    if (bound.stated && !bound.met) missing.push_back(tested);
  }
  return missing;
}

}  // namespace bankproof::testing

/// The tests that every algorithm passes. BANKPROOF_HMM_ALGORITHM adds a test for variants on the
/// HMM.
#define BANKPROOF_ALGORITHM(A)                                                           \
  TEST(A, gives_the_oracles_result) {                                                    \
    EXPECT_THAT(::bankproof::testing::variants_not_run<A>(                               \
                    &::bankproof::testing::gives_the_oracles_result<A>,                  \
                    ::bankproof::testing::any_variant),                                  \
                ::testing::IsEmpty());                                                   \
  }                                                                                      \
  BANKPROOF_IN_EACH_VARIANT(A, has_one_writer_at_a_time, is_lockstep)                    \
  BANKPROOF_IN_EACH_VARIANT(A, takes_the_closed_time_in_lockstep, is_lockstep)           \
  BANKPROOF_IN_EACH_VARIANT(A, overlapped_stays_between_the_closed_times, is_overlapped) \
  TEST(A, keeps_the_bounds_of_its_source) {                                              \
    EXPECT_THAT(::bankproof::testing::variants_not_bounded<A>(), ::testing::IsEmpty());  \
  }                                                                                      \
  TEST(A, needs_each_barrier) {                                                          \
    EXPECT_THAT(::bankproof::testing::unneeded_barriers<A>(), ::testing::IsEmpty());     \
  }

#define BANKPROOF_HMM_ALGORITHM(A) \
  BANKPROOF_ALGORITHM(A)           \
  BANKPROOF_IN_EACH_VARIANT(A, gives_it_in_any_drift, drifts)

/// A test that tries a property of testing/ for each wanted tested variant of A.
#define BANKPROOF_IN_EACH_VARIANT(A, property, wanted)                              \
  TEST(A, property) {                                                               \
    ::bankproof::testing::check_each_variant<A>(&::bankproof::testing::property<A>, \
                                                ::bankproof::testing::wanted);      \
  }
