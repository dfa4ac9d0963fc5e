// Searches for counterexamples to the lower bounds of row S5, which should hold for every program.
// On a DMM of width 1 it tries all programs of two or three steps that all threads share, random
// programs, and programs that a search changes until they depend on more and more words. Some
// programs beat the printed bound of reductions; no program may beat the corrected bounds. Such
// small programs stay far from the bound by the number of values.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "../../algorithms/number.hpp"
#include "../../testing/canary.hpp"
#include "../../testing/property.hpp"
#include "../../testing/small_programs.hpp"

namespace bankproof::testing {
namespace {

constexpr Latency l = 100;

/// Whether a program keeps this bound: a result that depends on n words takes l⌈log₂ n⌉. The canary
/// wrongly requires `more` in addition.
bool keeps_reduction(const SmallOutcome& outcome, Time more = 0) {
  return l * ceil_log2(std::max<std::uint64_t>(outcome.depends, 1)) + more <= outcome.time;
}

/// Whether a program keeps this bound: a word takes at most (p + 3)^(2^⌊t/l⌋) values by time t. The
/// canary wrongly uses `less` for p + 3.
bool keeps_values(const SmallOutcome& outcome, std::uint64_t p, std::uint64_t less = 0) {
  std::uint64_t most = less == 0 ? p + 3 : less;
  for (Time wait = 0; wait < outcome.time / l && most < outcome.values; ++wait) {
    most *= most;  // stays below 2⁶⁴: there are at most 2¹⁶ values
  }
  return outcome.values <= most;
}

/// Whether a run keeps this bound: to access n different words takes n/w + l − 1, where w is 1. The
/// canary wrongly requires `more` in addition.
bool keeps_bandwidth(const SmallRun& run, Time more = 0) {
  return run.words == 0 || run.words + l - 1 + more <= run.time;
}

/// Whether a run keeps this bound: n requests of p threads take nl/p. The canary wrongly uses a
/// latency larger by `more`.
bool keeps_latency(const SmallRun& run, std::uint64_t p, Latency more = 0) {
  return run.requests * (l + more) <= p * run.time;
}

/// The name of a valid bound that the program beats; empty if it beats no bound.
std::string beaten_by(const SmallProgram& program, const SmallOutcome& outcome) {
  const std::uint64_t p = program.threads.size();
  if (program.is_oblivious() && !keeps_reduction(outcome)) return "reduction";
  if (!keeps_values(outcome, p)) return "values";
  for (const SmallRun& run : outcome.runs) {
    if (!keeps_bandwidth(run)) return "bandwidth";
    if (!keeps_latency(run, p)) return "latency";
  }
  return "";
}

/// The number of programs that beat the printed bound, among all programs of `steps` steps that n
/// threads share, on n words.
std::uint64_t beaten_by_shared_steps(std::uint64_t n, unsigned steps) {
  std::uint64_t programs = 1;
  for (unsigned step = 0; step < steps; ++step) programs *= Step::count;
  std::uint64_t beaten = 0;
  for (std::uint64_t number = 0; number < programs; ++number) {
    std::vector<Step> shared;
    for (std::uint64_t rest = number; shared.size() < steps; rest /= Step::count) {
      shared.push_back(Step::of(static_cast<unsigned>(rest % Step::count)));
    }
    const SmallProgram program{n, {n, shared}};
    const SmallOutcome outcome = run_on_all_inputs(program, l);
    EXPECT_EQ(beaten_by(program, outcome), "") << program;
    beaten += !keeps_reduction(outcome);
  }
  return beaten;
}

TEST(LowerBounds, are_kept_by_all_programs_of_steps_that_all_threads_share) {
  EXPECT_GT(beaten_by_shared_steps(5, 2), 0U);  // data decides an access
  beaten_by_shared_steps(4, 3);
}

SmallProgram any_program(std::uint64_t most_words) {
  const auto number = [](std::uint64_t from, std::uint64_t to) {
    return *rc::gen::resize(100, rc::gen::inRange<std::uint64_t>(from, to + 1));
  };
  const bool oblivious = *rc::gen::arbitrary<bool>();
  SmallProgram program{number(1, most_words), {}};
  program.threads.resize(number(1, program.inputs));
  for (std::vector<Step>& steps : program.threads) {
    steps.resize(number(0, 4));
    for (Step& step : steps) {
      step = Step::of(static_cast<unsigned>(number(0, Step::count - 1)));
      if (!oblivious) continue;
      step.when = Step::When::always;
      if (step.place == Step::Place::named) step.place = Step::Place::own;
    }
  }
  return program;
}

BANKPROOF_PROPERTY(LowerBounds, that_hold_are_kept_by_any_program, ()) {
  const SmallProgram program = any_program(6);
  RC_LOG() << program;
  RC_ASSERT(beaten_by(program, run_on_all_inputs(program, l)) == "");
}

/// Changes one step at a time; undoes a change if the results then depend on fewer words.
SmallProgram made_to_depend(SmallProgram program, bool oblivious, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uint64_t depends = 0;
  for (int change = 0; change < 3000; ++change) {
    SmallProgram changed = program;
    std::vector<Step>& steps = changed.threads[random() % changed.threads.size()];
    steps[random() % steps.size()] = Step::of(static_cast<unsigned>(random() % Step::count));
    if (oblivious && !changed.is_oblivious()) continue;
    const SmallOutcome outcome = run_on_all_inputs(changed, l);
    EXPECT_EQ(beaten_by(changed, outcome), "") << changed;
    if (outcome.depends < depends) continue;
    depends = outcome.depends;
    program = changed;
  }
  return program;
}

TEST(LowerBounds, that_hold_are_not_beaten_by_a_search_that_beats_the_printed_one) {
  int beaten = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const SmallProgram idle{5, {5, {Step{}, Step{}}}};
    const SmallProgram any = made_to_depend(idle, false, seed);
    beaten += !keeps_reduction(run_on_all_inputs(any, l));
    const SmallProgram oblivious = made_to_depend(idle, true, seed);
    EXPECT_TRUE(keeps_reduction(run_on_all_inputs(oblivious, l))) << oblivious;
  }
  EXPECT_GT(beaten, 0);
}

TEST(Canary, bounds_that_are_a_little_too_high_are_beaten) {
  const auto outcome_of_any = [](std::uint64_t& p) {
    const SmallProgram program = any_program(4);
    p = program.threads.size();
    return run_on_all_inputs(program, l);
  };
  EXPECT_TRUE(caught([&] {
    std::uint64_t p = 0;
    RC_ASSERT(keeps_reduction(outcome_of_any(p), 1));
  }));
  EXPECT_TRUE(caught([&] {
    std::uint64_t p = 0;
    const SmallOutcome outcome = outcome_of_any(p);
    RC_ASSERT(keeps_values(outcome, p, 1));
  }));
  EXPECT_TRUE(caught([&] {
    std::uint64_t p = 0;
    for (const SmallRun& run : outcome_of_any(p).runs) RC_ASSERT(keeps_bandwidth(run, 1));
  }));
  EXPECT_TRUE(caught([&] {
    std::uint64_t p = 0;
    for (const SmallRun& run : outcome_of_any(p).runs) RC_ASSERT(keeps_latency(run, p, 1));
  }));
}

}  // namespace
}  // namespace bankproof::testing
