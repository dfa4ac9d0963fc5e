// Where the machine finds a race between two accesses of a random kernel, no solver may say that
// they cannot race. The machine judges a launch; the questions are about all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../../symbolic/claims/question.hpp"
#include "../../../symbolic/solving/decide.hpp"
#include "../../../testing/property.hpp"
#include "../../ptx/kernel_run.hpp"
#include "../execution/random_kernel.hpp"

namespace bankproof::symbolic {
namespace {

/// The lines of two accesses, in order.
using Lines = std::pair<std::size_t, std::size_t>;
Lines lines_of(const ptx::Place& a, const ptx::Place& b) {
  return std::minmax<std::size_t>({a.line, b.line});
}

struct Launch {
  ptx::Extent grid;
  ptx::Extent block;
  Asked (*ask)(Subject&);
};
const Launch one_block{{1, 1, 1}, {6, 1, 1}, ask_race};
const Launch small_blocks{{6, 1, 1}, {1, 1, 1}, ask_blocks};

/// The races of the machine, all of them within a block, or all between blocks.
std::set<Lines> races_of(const ptx::Module& module, const Launch& launch, std::uint32_t n) {
  ptx::KernelRun run(module, "k");
  run.buffer(std::vector<std::uint32_t>(words_of_store));
  run.value(n);
  run.launch(launch.grid, launch.block);
  std::set<Lines> all;
  for (const auto& [key, fault] : run.result().faults.all()) {
    if (fault.kind != ptx::FaultKind::race || fault.other_site == ptx::no_site) continue;
    const auto& sites = run.program().sites;
    all.insert(lines_of(sites[fault.site].place, sites[fault.other_site].place));
  }
  return all;
}

bool cannot_race(const Pool& pool, const Question& question) {
  if (question.unasked != Unasked::no) return false;
  const Effort little{.integers_ms = 300, .bits_ms = 0, .tries_bits = false};
  return decide(pool, question.ways.at(0).at(0).statements.asked, little).kind ==
         Decided::Kind::never;
}

/// The questions of a kernel, by the lines of the two accesses. A pair without a question cannot
/// race.
class Questions {
 public:
  Questions(ptx::Module module, const Launch& launch)
      : module_(std::move(module)),
        execution_(pool_, module_, module_.functions.front(), shape_of(launch)) {
    Subject subject{pool_, execution_};
    for (Question& question : launch.ask(subject).questions) {
      const Lines lines = lines_of(question.participants.at(0).instruction->place,
                                   question.participants.at(1).instruction->place);
      questions_[lines].push_back(std::move(question));
    }
  }

  /// Whether a solver leaves it open that these lines race.
  bool may_race(const Lines& lines) const {
    const auto found = questions_.find(lines);
    return found != questions_.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](const Question& one) { return !cannot_race(pool_, one); });
  }
  std::vector<Lines> pairs() const {
    std::vector<Lines> all;
    all.reserve(questions_.size());
    for (const auto& [lines, asked] : questions_) all.push_back(lines);
    return all;
  }

 private:
  static Shape shape_of(const Launch& launch) {
    Shape shape;
    std::copy(launch.block.begin(), launch.block.end(), shape.block.begin());
    std::copy(launch.grid.begin(), launch.grid.end(), shape.grid.begin());
    return shape;
  }

  ptx::Module module_;
  Pool pool_;
  Execution execution_;
  std::map<Lines, std::vector<Question>> questions_;
};

TEST(RaceQuestions, exclude_no_race_that_the_machine_finds) {
  testing::check_property(
      [] {
        const RandomKernel kernel(*rc::gen::arbitrary<std::uint64_t>(), true);
        const auto n = *rc::gen::inRange<std::uint32_t>(0, 20);
        const Launch& launch = *rc::gen::arbitrary<bool>() ? one_block : small_blocks;
        const ptx::Module module = ptx::parse(kernel.text(), "k.ptx");
        const Questions questions(module, launch);
        for (const Lines& race : races_of(module, launch, n)) {
          if (questions.may_race(race)) continue;
          RC_LOG() << kernel.text() << "n = " << n << '\n';
          RC_FAIL("lines " + std::to_string(race.first) + " and " + std::to_string(race.second) +
                  " race, and were said not to");
        }
      },
      "", 10);
}

// A planted bug: the trace is that of a kernel with barriers, and the machine's kernel has none.
TEST(RaceQuestions, are_compared_with_the_machine) {
  int caught = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::string text = RandomKernel(seed, true).text();
    const Questions questions(ptx::parse(text, "k.ptx"), one_block);
    std::string planted = text;
    for (std::size_t at = 0; (at = planted.find("bar.sync 0", at)) != std::string::npos;) {
      planted.replace(at, 10, "mov.u32 %r3, 0");
    }
    const std::set<Lines> races = races_of(ptx::parse(planted, "k.ptx"), one_block, 7);
    if (std::any_of(races.begin(), races.end(),
                    [&](const Lines& race) { return !questions.may_race(race); })) {
      ++caught;
    }
  }
  EXPECT_GE(caught, 2);
}

// Solvers exclude a good part of the races that are asked about.
TEST(RaceQuestions, are_answered_by_solvers) {
  std::size_t asked = 0;
  std::size_t excluded = 0;
  for (const std::uint64_t seed : {1U, 2U}) {
    const Questions questions(ptx::parse(RandomKernel(seed, true).text(), "k.ptx"), one_block);
    for (const Lines& pair : questions.pairs()) {
      ++asked;
      if (!questions.may_race(pair)) ++excluded;
    }
  }
  EXPECT_GE(asked, 10U);
  EXPECT_GE(excluded, 3U) << "of " << asked;
}

}  // namespace
}  // namespace bankproof::symbolic
