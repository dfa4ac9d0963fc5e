// Programs that run on formulas: what they cost there is what they cost on the machines, and a
// program that does something else than its closed form is not proved to do the same.
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../../algorithms/machines.hpp"
#include "../../../proofs/programs/theorem.hpp"
#include "../../../proofs/solvers/check.hpp"
#include "../../../proofs/theorems/programs/convolutions.hpp"
#include "../../../proofs/theorems/programs/matrices.hpp"
#include "../../../proofs/written/evaluate.hpp"
#include "../../../testing/property.hpp"
#include "sums.hpp"

namespace bankproof::proofs {
namespace {

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

/// How often each word of arrays of each size is accessed.
using Words = std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;

class WordsOnMachine : public Observer {
 public:
  void accessed(const AccessEvent& event) override {
    for_each_lane(event.access.mask, [&](Width lane) {
      ++words[{event.array().size(), event.index(lane)}];
    });
  }
  Words words;
};

/// The words of an access on formulas, in all turns from the loop number `loop` on.
void add_words(const WrittenAccess& access, Sample& turn, std::size_t loop, Words& words) {
  const auto value = [&](const Written& formula) {
    return values_at({turn}, formula.node()).front();
  };
  if (loop < access.loops.size()) {
    const WrittenLoop& one = access.loops[loop];
    const bool is_power = one.form == Form::over_powers;
    const WrittenNumber limit = value(one.limit);
    for (WrittenNumber k = is_power ? 1 : 0; k < limit; is_power ? k *= 2 : ++k) {
      turn.places[one.place.node()->value] = k;
      add_words(access, turn, loop + 1, words);
    }
    turn.places.erase(one.place.node()->value);
    return;
  }
  if (value(access.times) == 0) return;
  const Written row = Written::new_place();
  const Written lane = Written::new_place();
  const Written word = access.index.word(access.first_row + row, access.first + lane);
  const auto size = static_cast<std::uint64_t>(value(access.size));
  Sample thread = turn;
  for (WrittenNumber r = value(access.rows) - 1; r >= 0; --r) {
    for (WrittenNumber j = value(access.count) - 1; j >= 0; --j) {
      thread.places[row.node()->value] = r;
      thread.places[lane.node()->value] = j;
      ++words[{size, static_cast<std::uint64_t>(values_at({thread}, word.node()).front())}];
    }
  }
}

/// A program of an algorithm makes on formulas the rounds of its closed form, and takes the time
/// that it takes on a machine.
template <class A>
void compare(const Task& task, WrittenRun (*run)(const WrittenTask&)) {
  const Named named(task);
  const WrittenRun made = run(named.task);
  const Cost<Written>& cost = made.cost;
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
  WordsOnMachine on_machine;
  const Time time =
      with_machine(task.machine, {.options = {.mode = Mode::lockstep}}, [&](auto& machine) {
        machine.attach(on_machine);
        const Time taken = A::template run<std::uint64_t>(task, machine, inputs).time;
        machine.detach(on_machine);
        return taken;
      });
  RC_ASSERT(global.time(task.machine.latency()) + shared.time(task.machine.l) == time);
  RC_ASSERT(global == A::cost(task).global);
  RC_ASSERT(shared == A::cost(task).shared);
  Words words;
  Sample turn{.names = named.numbers};
  for (const WrittenAccess& access : made.accesses) add_words(access, turn, 0, words);
  RC_ASSERT(words == on_machine.words);
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

BANKPROOF_PROPERTY(ProgramsOnFormulas, that_convolve_lines_take_the_time_of_the_machine, ()) {
  Task task{*rc::gen::element("one-each", "pieces", "products"), {}, machine_of_one_memory()};
  task.machine.p = number(80);
  task.sizes.add("n", number(20));
  task.sizes.add("m", number(12));
  compare<Convolution>(task, run_line_convolution);
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
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      task.sizes.add("inner", number(7));
      task.sizes.add("m", number(5));
      return compare<MatrixProduct>(task, run_product_of_tiles);
    case 1:
      task.variant = "CONV-HMM";
      task.sizes.add("v", number(3) - 1);
      return compare<ImageConvolution>(task, run_convolution_of_tiles);
    case 2: {
      Task shares{"shares", {}, task.machine};
      shares.sizes.add("n", number(30));
      shares.sizes.add("m", number(9));
      return compare<Convolution>(shares, run_convolution_of_shares);
    }
    default:
      task.variant = *rc::gen::element("diagonal", "row-major", "direct");
      task.machine.capacity = *rc::gen::inRange<std::uint64_t>(64, 256);
      return compare<Transpose>(task, run_transpose);
  }
}

// ---- Canaries

using OfTask = WrittenRun (*)(const WrittenTask&);
using ClosedForm = Cost<Written> (*)(const WrittenTask&);

ProgramOnFormulas sum_by(OfTask run, ClosedForm closed) {
  return {.id = "canary.program",
          .source = "none",
          .what = "a sum",
          .domain = "all n, p, w",
          .variant = "pairwise",
          .machine = MachineKind::umm,
          .sizes = {"n"},
          .run = run,
          .closed = closed};
}
Theorem theorem_on_sum(OfTask run, ClosedForm closed) { return theorem_on(sum_by(run, closed)); }

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
    return run_of(task,
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
    return run_of(task, [](auto& warp, auto& a) { warp.run(shifted_sum<int>(warp, a, a.size())); });
  };
  expect_no_proof(theorem_on_sum(shifted, Sum::cost<Written>));
}

/// The pieces of a line, as convolve() goes through them; accesses y `apart` words further on.
template <class T, class W>
Program pieces(W& warp, ArrayOf<W, T>& y, NumberOf<W> n, NumberOf<W> rows, NumberOf<W> each,
               NumberOf<W> apart, NumberOf<W> step) {
  for (auto [row, i] : sweep(warp, rows, n)) {
    for (const auto t : warp.times(each)) {
      const auto term = row_major(row, t, each);
      const auto of_row = warp.only_if(term < y.size());
      co_await y.read(i + (row_major(row, t, step) + apart));
    }
  }
}

TEST(ProgramCanary, terms_of_rows_at_other_addresses_take_other_stages) {
  const auto stages = [](std::uint64_t apart) {
    const auto name = [](const char* of) { return Written::name(of); };
    WrittenWarp warp({.machine = {.machine = MachineKind::umm, .w = name("w"), .p = name("p")},
                      .threads = name("p")});
    WrittenArray y(warp, name("m"));
    warp.run(pieces<int>(warp, y, name("n"), name("rows"), name("each"), apart, name("each")));
    const NamedNumbers numbers{{"w", 4}, {"p", 16}, {"m", 11}, {"n", 3}, {"rows", 3}, {"each", 4}};
    return value_of(*warp.cost().global.stages.node(), numbers);
  };
  // 11 runs of 3 words, of which those from words 2, 3, 6, 7 and 10 on are in two groups.
  EXPECT_EQ(stages(0), 16);
  EXPECT_NE(stages(1), stages(0));
}

TEST(ProgramsOnFormulas, with_terms_apart_by_another_step_are_refused) {
  WrittenWarp warp({.machine = {.machine = MachineKind::umm}, .threads = Written::name("p")});
  WrittenArray y(warp, Written::name("m"));
  EXPECT_THROW(warp.run(pieces<int>(warp, y, Written::name("n"), Written::name("rows"),
                                    Written::name("each"), 0, Written::name("n"))),
               std::logic_error);
}

TEST(ProgramCanary, a_program_with_another_address_is_not_proved_to_stay_in_its_array) {
  const OfTask shifted = [](const WrittenTask& task) {
    return run_of(task, [](auto& warp, auto& a) { warp.run(shifted_sum<int>(warp, a, a.size())); });
  };
  const auto theorem = [](OfTask run) {
    return theorem_on_accesses_of(sum_by(run, Sum::cost<Written>));
  };
  EXPECT_TRUE(check(theorem(pairwise)).proved());
  expect_no_proof(theorem(shifted));
}

TEST(ProgramCanary, a_cost_that_forgets_a_round_is_not_that_of_the_program) {
  const ClosedForm closed = [](const WrittenTask& task) {
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
