// Races of programs on formulas: the barriers that are taken for what separates two accesses do so,
// and a program without one of its barriers is not proved to have no race.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../../../proofs/programs/intervals.hpp"
#include "../../../proofs/programs/samples.hpp"
#include "../../../proofs/programs/theorem.hpp"
#include "../../../proofs/solvers/check.hpp"
#include "../../../proofs/theorems/programs/convolutions.hpp"
#include "../../../proofs/theorems/programs/matrices.hpp"
#include "../../../testing/property.hpp"
#include "sums.hpp"

namespace bankproof::proofs {
namespace {

// ---- What barriers separate

/// A program of accesses, barriers and loops.
struct Part {
  enum class Kind : std::uint8_t { access, barrier, loop };
  Kind kind = Kind::access;
  /// A barrier: only in the turns of the loop around it up to this one.
  std::optional<std::uint64_t> last_turn{};
  Form form = Form::over_numbers;
  bool falls = false;
  std::uint64_t limit = 0;
  std::vector<Part> body{};
};

Part drawn_part(int depth, bool in_loop) {
  Part part;
  const int kind = *rc::gen::inRange(0, depth > 0 ? 4 : 3);
  part.kind = kind < 2 ? Part::Kind::access : kind == 2 ? Part::Kind::barrier : Part::Kind::loop;
  if (part.kind == Part::Kind::barrier && in_loop && *rc::gen::arbitrary<bool>()) {
    part.last_turn = *rc::gen::inRange<std::uint64_t>(0, 5);
  }
  if (part.kind == Part::Kind::loop) {
    part.form = *rc::gen::element(Form::over_numbers, Form::over_powers);
    part.falls = part.form == Form::over_powers && *rc::gen::arbitrary<bool>();
    part.limit = *rc::gen::inRange<std::uint64_t>(0, 6);
    for (int k = *rc::gen::inRange(1, 4); k > 0; --k)
      part.body.push_back(drawn_part(depth - 1, true));
  }
  return part;
}

Program run_parts(WrittenWarp& warp, WrittenArray& a, const std::vector<Part>& parts,
                  std::optional<Written> turn);

Program run_part(WrittenWarp& warp, WrittenArray& a, const Part& part,
                 std::optional<Written> around) {
  if (part.kind == Part::Kind::access) co_await a.read(warp.thread());
  if (part.kind == Part::Kind::barrier && part.last_turn) {
    co_await barrier_if(*around <= Written(*part.last_turn));
  } else if (part.kind == Part::Kind::barrier) {
    co_await barrier();
  }
  if (part.kind != Part::Kind::loop) co_return;
  const Written limit(part.limit);
  if (part.form == Form::over_numbers) {
    for (const auto turn : warp.times(limit)) co_await run_parts(warp, a, part.body, turn);
  } else if (part.falls) {
    for (const auto turn : warp.falling_powers(limit)) co_await run_parts(warp, a, part.body, turn);
  } else {
    for (const auto turn : warp.rising_powers(limit)) co_await run_parts(warp, a, part.body, turn);
  }
}

Program run_parts(WrittenWarp& warp, WrittenArray& a, const std::vector<Part>& parts,
                  std::optional<Written> turn) {
  for (const Part& part : parts) co_await run_part(warp, a, part, turn);
}

/// An access that a warp makes after so many barriers.
struct Made {
  std::size_t access = 0;  ///< which one of the program
  std::vector<std::uint64_t> turns{};
  std::size_t interval = 0;
};

std::size_t count_accesses(const std::vector<Part>& parts) {
  std::size_t count = 0;
  for (const Part& part : parts) {
    count += part.kind == Part::Kind::access ? 1 : count_accesses(part.body);
  }
  return count;
}

std::vector<std::uint64_t> turns_of(const Part& loop) {
  std::vector<std::uint64_t> turns;
  const bool is_power = loop.form == Form::over_powers;
  for (std::uint64_t k = is_power ? 1 : 0; k < loop.limit; is_power ? k *= 2 : ++k) {
    turns.push_back(k);
  }
  if (loop.falls) std::reverse(turns.begin(), turns.end());
  return turns;
}

/// Goes through the program turn by turn, as a warp does.
class Walk {
 public:
  explicit Walk(const std::vector<Part>& parts) { go(parts, 0); }
  const std::vector<Made>& made() const { return made_; }

 private:
  void go(const std::vector<Part>& parts, std::size_t access) {
    for (const Part& part : parts) {
      if (part.kind == Part::Kind::access) made_.push_back({access++, turns_, interval_});
      if (part.kind == Part::Kind::barrier &&
          (!part.last_turn || turns_.back() <= *part.last_turn)) {
        ++interval_;
      }
      if (part.kind != Part::Kind::loop) continue;
      for (const std::uint64_t turn : turns_of(part)) {
        turns_.push_back(turn);
        go(part.body, access);
        turns_.pop_back();
      }
      access += count_accesses(part.body);
    }
  }

  std::vector<Made> made_;
  std::vector<std::uint64_t> turns_;
  std::size_t interval_ = 0;
};

/// Whether the run allows that no barrier separates the accesses, the first one in an earlier turn
/// or in the same turn.
bool may_meet(const WrittenRun& run, const Made& first, const Made& second) {
  const WrittenAccess& a = run.accesses.at(first.access);
  const WrittenAccess& b = run.accesses.at(second.access);
  const auto holds = [](const WrittenAccess& access, const Made& made, const WrittenTruth& truth) {
    Sample sample;
    for (std::size_t k = 0; k < made.turns.size(); ++k) {
      sample.places[access.loops.at(k).place.node()->value] =
          static_cast<WrittenNumber>(made.turns[k]);
    }
    return values_at({sample}, truth.node()).front() != 0;
  };
  const std::vector<TurnsOfPair> all = turns_of_pair(run, a, b);
  return std::any_of(all.begin(), all.end(), [&](const TurnsOfPair& turns) {
    const auto together = unseparated(run, a, b, turns);
    if (!together) return false;
    for (std::size_t k = 0; k < turns.equal; ++k) {
      if (first.turns.at(k) != second.turns.at(k)) return false;
    }
    if (turns.apart) {
      const WrittenLoop& loop = a.loops.at(turns.equal);
      const std::uint64_t one = first.turns.at(turns.equal);
      const std::uint64_t other = second.turns.at(turns.equal);
      const auto [less, more] = loop.falls ? std::pair(other, one) : std::pair(one, other);
      const std::uint64_t next = loop.form == Form::over_powers ? 2 * less : less + 1;
      if (more < next || (together->adjacent && more != next)) return false;
    }
    return std::all_of(together->conditions.begin(), together->conditions.end(),
                       [&](const Unseparated::Condition& one) {
                         return one.of_second ? holds(b, second, one.truth)
                                              : holds(a, first, one.truth);
                       });
  });
}

void check_drawn_program() {
  std::vector<Part> parts;
  for (int k = *rc::gen::inRange(1, 6); k > 0; --k) parts.push_back(drawn_part(3, false));
  WrittenWarp warp({.machine = {.machine = MachineKind::dmm}, .threads = Written::name("p")});
  WrittenArray a(warp, Written::name("p"));
  warp.run(run_parts(warp, a, parts, {}));
  const WrittenRun run = warp.result();
  const std::vector<Made> made = Walk(parts).made();
  RC_ASSERT(run.accesses.size() == count_accesses(parts));
  for (const Made& one : made) {
    for (const Made& other : made) {
      if (one.interval != other.interval) continue;
      RC_ASSERT(may_meet(run, one, other) || may_meet(run, other, one));
    }
  }
}

BANKPROOF_PROPERTY(Intervals, of_drawn_programs_hold_all_pairs_that_no_barrier_separates, ()) {
  for (int k = 0; k < 20; ++k) check_drawn_program();
}

TEST(Intervals, of_a_loop_with_a_barrier_end_there) {
  WrittenWarp warp({.machine = {.machine = MachineKind::dmm}, .threads = Written::name("p")});
  WrittenArray a(warp, Written::name("p"));
  const Part read{};
  const Part wait{.kind = Part::Kind::barrier};
  const std::vector<Part> parts = {
      {.kind = Part::Kind::loop, .limit = 4, .body = {read, wait, read}}};
  warp.run(run_parts(warp, a, parts, {}));
  const WrittenRun run = warp.result();
  const auto meet = [&](std::size_t access, std::uint64_t turn, std::size_t other,
                        std::uint64_t other_turn) {
    return may_meet(run, {access, {turn}}, {other, {other_turn}});
  };
  EXPECT_TRUE(meet(0, 2, 0, 2));
  EXPECT_FALSE(meet(0, 2, 1, 2));
  EXPECT_TRUE(meet(1, 2, 0, 3));
  EXPECT_FALSE(meet(1, 1, 0, 3));
  EXPECT_FALSE(meet(0, 2, 0, 3));
}

// ---- Canaries

ProgramOnFormulas program_of_line(std::function<WrittenRun(const TaskOf<Written>&)> run) {
  return {.id = "canary.program",
          .source = "none",
          .what = "a program",
          .domain = "all n, p, w",
          .variant = "simple",
          .machine = MachineKind::umm,
          .sizes = {"n"},
          .run = std::move(run),
          .closed = {}};
}

/// The programs whose barriers are left out below.
std::vector<ProgramOnFormulas> programs() {
  ProgramOnFormulas product{.id = "product.program",
                            .source = "none",
                            .what = "a product of tiles",
                            .domain = "all sizes",
                            .variant = "MUL-HMM",
                            .machine = MachineKind::hmm,
                            .sizes = {"rows", "inner", "columns", "m"},
                            .run = run_product_of_tiles,
                            .closed = {},
                            .sweeps = sweeps_of_tiles};
  ProgramOnFormulas transpose = product;
  transpose.id = "transpose.program";
  transpose.variant = "diagonal";
  transpose.sizes = {"rows", "columns"};
  transpose.run = run_transpose;
  transpose.sweeps = sweeps_of_transpose;
  ProgramOnFormulas line = product;
  line.id = "line.program";
  line.variant = "pieces";
  line.machine = MachineKind::umm;
  line.sizes = {"n", "m"};
  line.run = run_line_convolution;
  line.sweeps = sweeps_of_lines;
  line.level = sweep_of_level;
  return {program_of_line(pairwise), program_of_line(simple), product, transpose, line};
}

/// Whether Z3 proves it. The solvers agree on the theorems of the catalog; here is nothing to agree
/// on.
bool is_proved(const ProgramOnFormulas& program) {
  Solvers z3_alone;
  z3_alone.second = [](const std::vector<std::string>& questions) {
    return std::vector<Answer>(questions.size(),
                               Answer{.kind = Answer::unknown, .why = "not asked"});
  };
  const Checked checked = check(theorem_on_races_of(program), z3_alone);
  EXPECT_GT(checked.goals, 0U);
  EXPECT_NE(checked.z3.verdict, Verdict::error) << program.id << ": " << checked.z3.why;
  return checked.z3.verdict == Verdict::proved;
}

TEST(RaceCanary, a_program_without_one_of_its_barriers_is_not_proved_to_have_no_race) {
  std::size_t left_out = 0;
  for (const ProgramOnFormulas& program : programs()) {
    std::size_t barriers = 1;
    for (std::size_t k = 0; k < barriers; ++k) {
      ProgramOnFormulas other = program;
      other.run = [&](const TaskOf<Written>& task) {
        WrittenRun run = program.run(task);
        barriers = run.barriers.size();
        run.barriers.erase(run.barriers.begin() + static_cast<std::ptrdiff_t>(k));
        return run;
      };
      EXPECT_FALSE(is_proved(other)) << program.id << " without barrier " << k + 1;
      ++left_out;
    }
  }
  EXPECT_EQ(left_out, 7U);
}

/// Adds pairs of levels up to twice the width without a barrier.
template <class T, class W>
Program early_sum(W& warp, ArrayOf<W, T>& a, NumberOf<W> n) {
  for (const auto distance : warp.falling_powers(n)) {
    for (auto i : warp.each(pairs_of_level(n, distance))) {
      const auto left = co_await a.read(i);
      const auto right = co_await a.read(i + distance);
      co_await a.write(i, left + right);
    }
    co_await barrier_if(distance > warp.width() + warp.width());
  }
}

TEST(RaceCanary, a_barrier_that_is_left_out_too_early_leaves_a_race) {
  EXPECT_FALSE(is_proved(program_of_line([](const TaskOf<Written>& task) {
    WrittenWarp warp({.machine = task.machine, .threads = task.machine.p});
    WrittenArray a(warp, task.sizes["n"]);
    warp.run(early_sum<int>(warp, a, a.size()));
    return warp.result();
  })));
}

template <class T, class W>
Program write_first(W& warp, ArrayOf<W, T>& c, bool by_one_thread) {
  if (by_one_thread) {
    const auto first = warp.only(warp.thread() == 0);
    co_await c.write(warp.same(Written(0)), warp.all(T{}));
  } else {
    co_await c.write(warp.same(Written(0)), warp.all(T{}));
  }
}

TEST(RaceCanary, two_warps_or_two_blocks_that_write_one_word_race) {
  const auto write = [](bool by_one_thread, const Written& blocks) {
    return program_of_line([=](const TaskOf<Written>& task) {
      WrittenWarp warp({.machine = task.machine, .threads = task.machine.p, .blocks = blocks});
      WrittenArray c(warp, task.sizes["n"]);
      warp.run(write_first<int>(warp, c, by_one_thread));
      return warp.result();
    });
  };
  EXPECT_TRUE(is_proved(write(true, 1)));
  EXPECT_FALSE(is_proved(write(false, 1)));
  EXPECT_FALSE(is_proved(write(true, 2)));
}

/// Writes each word from the threads of all blocks, and then once more from others.
template <class T, class W>
Program write_twice(W& warp, ArrayOf<W, T>& c) {
  for (auto i : warp.each_of_launch(c.size())) co_await c.write(i, warp.all(T{}));
  for (auto i : warp.each(c.size())) co_await c.write(i, warp.all(T{}));
}

TEST(RaceCanary, of_threads_that_are_not_known_is_refused) {
  const ProgramOnFormulas program = program_of_line([](const TaskOf<Written>& task) {
    WrittenWarp warp({.machine = task.machine, .threads = task.machine.p, .blocks = 2});
    WrittenArray c(warp, task.sizes["n"]);
    warp.run(write_twice<int>(warp, c));
    return warp.result();
  });
  Query q;
  EXPECT_THROW(theorem_on_races_of(program).prove(q), std::logic_error);
}

}  // namespace
}  // namespace bankproof::proofs
