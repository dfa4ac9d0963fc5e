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
#include "../../../proofs/theorems/programs/matrices.hpp"
#include "../../../proofs/written/evaluate.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::proofs {
namespace {

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

/// The task with a name for each number, and these numbers.
struct Named {
  WrittenTask task;
  NamedNumbers numbers{};

  explicit Named(const Task& of) : task{of.variant, {}, {.machine = of.machine.machine}} {
    const auto named = [&](const std::string& name, std::uint64_t value) {
      numbers[name] = static_cast<WrittenNumber>(value);
      return Written::name(name);
    };
    task.machine.w = named("w", of.machine.w);
    task.machine.p = named("p", of.machine.p);
    task.machine.d = named("d", of.machine.d);
    task.machine.capacity = named("capacity", of.machine.capacity);
    for (const auto& [name, value] : of.sizes)
      task.sizes.add(name, named(std::string(name), value));
  }
};

/// A program of an algorithm makes on formulas the rounds of its closed form, and takes the time
/// that it takes on a machine.
template <class A>
void compare(const Task& task, Cost<Written> (*run)(const WrittenTask&)) {
  const Named named(task);
  const Cost<Written> cost = run(named.task);
  const auto value = [&](const Written& formula) {
    return static_cast<std::uint64_t>(value_of(*formula.node(), named.numbers));
  };
  const auto values = [&](const Rounds<Written>& rounds) -> Rounds<std::uint64_t> {
    return {value(rounds.stages), value(rounds.rounds), value(rounds.requests)};
  };
  const Rounds<std::uint64_t> global = values(cost.global);
  const Rounds<std::uint64_t> shared = values(cost.shared);
  std::vector<std::vector<std::uint64_t>> inputs;
  for (const Shape& shape : A::inputs(task)) {
    inputs.emplace_back(shape.columns * shape.rows, std::uint64_t{1});
  }
  const Time time = with_machine(
      task.machine, {.options = {.mode = Mode::lockstep}},
      [&](auto& machine) { return A::template run<std::uint64_t>(task, machine, inputs).time; });
  RC_ASSERT(global.time(task.machine.latency()) + shared.time(task.machine.l) == time);
  RC_ASSERT(global == A::cost(task).global);
  RC_ASSERT(shared == A::cost(task).shared);
}

std::uint64_t number(std::uint64_t end) { return *rc::gen::inRange<std::uint64_t>(1, end); }

MachineParameters machine_of_one_memory() {
  MachineParameters machine;
  machine.machine = *rc::gen::element(MachineKind::dmm, MachineKind::umm);
  machine.w = number(9);
  machine.l = number(6);
  machine.p = number(30);
  return machine;
}

BANKPROOF_PROPERTY(ProgramsOnFormulas, take_the_time_that_they_take_on_the_machine, ()) {
  Task task{"pairwise", {}, machine_of_one_memory()};
  task.sizes.add("n", number(70));
  if (*rc::gen::arbitrary<bool>()) return compare<Sum>(task, pairwise);
  task.variant = "simple";
  compare<PrefixSums>(task, simple);
}

BANKPROOF_PROPERTY(ProgramsOnFormulas, that_sweep_over_matrices_take_the_time_of_the_machine, ()) {
  Task task{"MUL-DMM", {}, machine_of_one_memory()};
  task.sizes.add("rows", number(9));
  task.sizes.add("columns", number(20));
  if (*rc::gen::arbitrary<bool>()) {
    task.sizes.add("inner", number(5));
    task.sizes.add("m", 1);
    return compare<MatrixProduct>(task, run_product);
  }
  task.variant = "CONV-DMM";
  task.sizes.add("v", number(4) - 1);
  compare<ImageConvolution>(task, run_convolution);
}

/// An HMM whose shared memories hold what the programs below need.
MachineParameters small_hmm() {
  MachineParameters machine;
  machine.machine = MachineKind::hmm;
  machine.w = number(5);
  machine.l = number(4);
  machine.L = number(6);
  machine.d = number(4);
  machine.p = number(30);
  return machine;
}

BANKPROOF_PROPERTY(ProgramsOnFormulas, that_run_in_waves_take_the_time_of_the_machine, ()) {
  Task task{"MUL-HMM", {}, small_hmm()};
  task.sizes.add("rows", number(9));
  task.sizes.add("columns", number(9));
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      task.sizes.add("inner", number(7));
      task.sizes.add("m", number(5));
      return compare<MatrixProduct>(task, run_product_of_tiles);
    case 1:
      task.variant = "CONV-HMM";
      task.sizes.add("v", number(3) - 1);
      return compare<ImageConvolution>(task, run_convolution_of_tiles);
    default:
      task.variant = *rc::gen::element("diagonal", "row-major", "direct");
      task.machine.capacity = *rc::gen::inRange<std::uint64_t>(64, 256);
      return compare<Transpose>(task, run_transpose);
  }
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

/// Both solvers get goals, and leave one open. An error would be no answer.
void expect_no_proof(const Theorem& theorem) {
  const Checked checked = check(theorem);
  EXPECT_GT(checked.goals, 0U);
  for (const Finding& one : {checked.z3, checked.cvc5}) {
    EXPECT_NE(one.verdict, Verdict::proved) << one.why;
    EXPECT_NE(one.verdict, Verdict::error) << one.why;
  }
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
  expect_no_proof(theorem_on_sum(forgetful, Sum::cost<Written>));
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
  expect_no_proof(theorem_on_sum(shifted, Sum::cost<Written>));
}

TEST(ProgramCanary, a_cost_that_forgets_a_round_is_not_that_of_the_program) {
  const OfTask closed = [](const WrittenTask& task) {
    Cost<Written> cost = Sum::cost(task);
    cost.global.rounds = minus_or_zero(cost.global.rounds, Written(1));
    return cost;
  };
  expect_no_proof(theorem_on_sum(pairwise, closed));
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
