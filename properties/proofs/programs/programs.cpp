// Programs that run on formulas: what they cost there is what they cost on the machines, and a
// program that does something else than its closed form is not proved to do the same.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "../../../algorithms/machines.hpp"
#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "../../../proofs/programs/theorem.hpp"
#include "../../../proofs/solvers/check.hpp"
#include "../../../proofs/written/evaluate.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::proofs {
namespace {

using WrittenTask = TaskOf<Written>;

/// Runs a program on the array of a task, with the warp and the array.
template <class Run>
Cost<Written> cost_of(const WrittenTask& task, Run run) {
  WrittenWarp warp({.machine = task.machine, .threads = task.machine.p});
  WrittenArray a(warp, task.sizes["n"]);
  run(warp, a);
  return warp.cost();
}
Cost<Written> pairwise(const WrittenTask& task) {
  return cost_of(task, [](auto& warp, auto& a) { warp.run(sum_pairwise<int>(warp, a, a.size())); });
}
Cost<Written> simple(const WrittenTask& task) {
  return cost_of(task, [](auto& warp, auto& a) { warp.run(prefix_sums_simple<int>(warp, a)); });
}

// ---- On the machines

Time time_on_machine(const Task& task, bool is_sum) {
  const std::vector<std::vector<std::uint64_t>> inputs = {
      std::vector<std::uint64_t>(task.sizes["n"], 1)};
  return with_machine(task.machine, {.options = {.mode = Mode::lockstep}}, [&](auto& machine) {
    return is_sum ? Sum::run<std::uint64_t>(task, machine, inputs).time
                  : PrefixSums::run<std::uint64_t>(task, machine, inputs).time;
  });
}

BANKPROOF_PROPERTY(ProgramsOnFormulas, take_the_time_that_they_take_on_the_machine, ()) {
  const bool is_sum = *rc::gen::arbitrary<bool>();
  Task task{is_sum ? "pairwise" : "simple", {}, {}};
  task.machine.machine = *rc::gen::element(MachineKind::dmm, MachineKind::umm);
  task.machine.w = *rc::gen::inRange<std::uint64_t>(1, 9);
  task.machine.l = *rc::gen::inRange<std::uint64_t>(1, 6);
  task.machine.p = *rc::gen::inRange<std::uint64_t>(1, 30);
  task.sizes.add("n", *rc::gen::inRange<std::uint64_t>(1, 70));
  WrittenTask written{task.variant, {}, {.machine = task.machine.machine}};
  written.machine.w = Written::name("w");
  written.machine.p = Written::name("p");
  written.sizes.add("n", Written::name("n"));
  const Cost<Written> cost = is_sum ? pairwise(written) : simple(written);
  const auto number = [](std::uint64_t value) { return static_cast<WrittenNumber>(value); };
  const NamedNumbers names = {
      {"n", number(task.sizes["n"])}, {"p", number(task.machine.p)}, {"w", number(task.machine.w)}};
  const auto value = [&](const Written& formula) {
    return static_cast<std::uint64_t>(value_of(*formula.node(), names));
  };
  const Rounds<std::uint64_t> rounds{value(cost.global.stages), value(cost.global.rounds),
                                     value(cost.global.requests)};
  RC_ASSERT(rounds.time(task.machine.l) == time_on_machine(task, is_sum));
}

// ---- Canaries

using OfTask = Cost<Written> (*)(const WrittenTask&);

Theorem theorem_on_sum(OfTask run, OfTask closed) {
  return theorem_on({.id = "canary",
                     .source = "none",
                     .what = "a sum",
                     .domain = "all n, p, w",
                     .variant = "pairwise",
                     .machine = MachineKind::umm,
                     .sizes = {"n"},
                     .run = run,
                     .closed = closed});
}

TEST(ProgramsOnFormulas, are_proved_to_make_the_rounds_of_their_closed_form) {
  EXPECT_TRUE(check(theorem_on_sum(pairwise, Sum::cost<Written>)).proved());
}

/// Forgets to read the right number of a pair.
template <class T, class W>
Program forgetful_sum(W& warp, ArrayOf<W, T>& a, NumberOf<W> n) {
  for (const auto distance : warp.falling_powers(n)) {
    for (auto i : warp.each(pairs_of_level(n, distance))) {
      const auto left = co_await a.read(i);
      co_await a.write(i, left);
    }
  }
}

TEST(ProgramCanary, a_program_that_forgets_an_access_is_not_proved_to_make_all_rounds) {
  const OfTask forgetful = [](const WrittenTask& task) {
    return cost_of(task,
                   [](auto& warp, auto& a) { warp.run(forgetful_sum<int>(warp, a, a.size())); });
  };
  EXPECT_FALSE(check(theorem_on_sum(forgetful, Sum::cost<Written>)).proved());
}

/// Reads one word too far to the right: in other address groups.
template <class T, class W>
Program shifted_sum(W& warp, ArrayOf<W, T>& a, NumberOf<W> n) {
  for (const auto distance : warp.falling_powers(n)) {
    for (auto i : warp.each(pairs_of_level(n, distance))) {
      const auto left = co_await a.read(i);
      const auto right = co_await a.read(i + (distance + 1));
      co_await a.write(i, left + right);
    }
  }
}

TEST(ProgramCanary, a_program_with_another_address_is_not_proved_to_make_the_same_stages) {
  const OfTask shifted = [](const WrittenTask& task) {
    return cost_of(task,
                   [](auto& warp, auto& a) { warp.run(shifted_sum<int>(warp, a, a.size())); });
  };
  EXPECT_FALSE(check(theorem_on_sum(shifted, Sum::cost<Written>)).proved());
}

TEST(ProgramCanary, a_cost_that_forgets_a_round_is_not_that_of_the_program) {
  const OfTask closed = [](const WrittenTask& task) {
    Cost<Written> cost = Sum::cost(task);
    cost.global.rounds = minus_or_zero(cost.global.rounds, Written(1));
    return cost;
  };
  EXPECT_FALSE(check(theorem_on_sum(pairwise, closed)).proved());
}

// ---- What formulas do not follow

template <class T, class W>
Program in_a_mask(W& warp, ArrayOf<W, T>& a) {
  const auto some = warp.only(warp.thread() < a.size());
  for (auto i : warp.each(a.size())) co_await a.read(i);
}
template <class T, class W>
Program of_another_thread(W& warp, ArrayOf<W, T>& a) {
  const auto some = warp.only(warp.thread() == 1);
  co_await a.read(warp.thread());
}

TEST(ProgramsOnFormulas, that_cannot_be_followed_are_refused) {
  WrittenWarp warp({.machine = {.machine = MachineKind::dmm}, .threads = Written::name("p")});
  WrittenArray a(warp, Written::name("n"));
  EXPECT_THROW(warp.run(in_a_mask<int>(warp, a)), std::logic_error);
  EXPECT_THROW(warp.run(of_another_thread<int>(warp, a)), std::logic_error);
}

}  // namespace
}  // namespace bankproof::proofs
