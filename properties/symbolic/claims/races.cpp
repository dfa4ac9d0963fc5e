// Where the machine finds a race between two accesses of a random kernel, no solver may say that
// they cannot race. The machine judges a launch; the questions are about all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "../../../testing/property.hpp"
#include "../execution/random_kernel.hpp"
#include "race_questions.hpp"

namespace bankproof::symbolic {
namespace {

const AskedLaunch one_block{{1, 1, 1}, {6, 1, 1}, ask_race, words_of_store};
const AskedLaunch small_blocks{{6, 1, 1}, {1, 1, 1}, ask_blocks, words_of_store};

TEST(RaceQuestions, exclude_no_race_that_the_machine_finds) {
  testing::check_property(
      [] {
        const RandomKernel kernel(*rc::gen::arbitrary<std::uint64_t>(), true);
        const auto n = *rc::gen::inRange<std::uint32_t>(0, 20);
        const AskedLaunch& launch = *rc::gen::arbitrary<bool>() ? one_block : small_blocks;
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
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
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
