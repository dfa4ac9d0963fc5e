// The proofs use facts about loaded, stored and drawn numbers. Random kernels test these facts:
// where the machine finds a race between two accesses, no solver may conclude from the facts that
// the two cannot race.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <set>
#include <string>

#include "../../../symbolic/proving/known.hpp"
#include "../../../testing/property.hpp"
#include "../claims/race_questions.hpp"
#include "../proving/kernels.hpp"
#include "random_sharing.hpp"

namespace bankproof::symbolic {
namespace {

const AskedLaunch one_block{{1, 1, 1}, {6, 1, 1}, ask_race, RandomSharing::words_of_out};
const AskedLaunch small_blocks{{6, 1, 1}, {1, 1, 1}, ask_blocks, RandomSharing::words_of_out};

Questions questions_about(const std::string& text, const AskedLaunch& launch, bool states_counter) {
  Request request = request_for(text);
  if (states_counter) {
    request.where = {"arg3[i] == 0"};
    request.buffers = {{"arg3", "u32:1"}};
  }
  const auto values = values_of(*request.kernel, signature_of(request.kernel->name, 4, ""));
  const auto conditions = take_element_conditions(request, values);
  return {request.file->module, launch, [&](Pool& pool, Execution& execution) {
            Subject subject = subject_of(pool, execution, request, values, conditions);
            subject.loads_agree = true;
            return subject;
          }};
}

/// With what the counter is at first, unless the kernel does more than raise it: then prove refuses
/// the statement.
Questions questions_about(const std::string& text, const AskedLaunch& launch) {
  try {
    return questions_about(text, launch, true);
  } catch (const PremiseError&) {
    return questions_about(text, launch, false);
  }
}

struct Races {
  std::set<Lines> races;  // of places in `out`
  /// Threads race for what they share, or come to different barriers: then nothing is known.
  bool is_broken = false;
};

Races races_when_run(const std::string& text, const AskedLaunch& launch, std::uint32_t n,
                     std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::uint32_t> in(RandomSharing::words_of_in);
  for (std::uint32_t& one : in) one = static_cast<std::uint32_t>(engine() % in.size());
  const ptx::Module module = ptx::parse(text, "k.ptx");
  ptx::KernelRun run(module, "k");
  run.buffer(std::vector<std::uint32_t>(launch.words));
  run.value(n);
  run.buffer(in);
  run.buffer(std::vector<std::uint32_t>(1));
  run.launch(launch.grid, launch.block);
  Races all;
  for (const auto& [key, fault] : run.result().faults.all()) {
    if (fault.kind == ptx::FaultKind::uninitialized) continue;
    if (fault.kind != ptx::FaultKind::race ||
        fault.message.find("shared memory") != std::string::npos) {
      all.is_broken = true;
    } else if (fault.other_site != ptx::no_site) {
      const auto& sites = run.program().sites;
      all.races.insert(lines_of(sites[fault.site].place, sites[fault.other_site].place));
    }
  }
  return all;
}

const AskedLaunch& launch_of(std::uint64_t seed) {
  return seed % 4 == 0 ? small_blocks : one_block;
}

TEST(Sharing, excludes_no_race_that_the_machine_finds) {
  testing::check_property(
      [] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const AskedLaunch& launch = launch_of(seed);
        const std::string text = RandomSharing(seed).text();
        const auto n = *rc::gen::inRange<std::uint32_t>(0, 9);
        const Races run = races_when_run(text, launch, n, seed);
        RC_TAG(run.is_broken ? "broken" : run.races.empty() ? "no races" : "races");
        if (run.is_broken) return;
        const Questions questions = questions_about(text, launch);
        for (const Lines& race : run.races) {
          if (questions.may_race(race)) continue;
          RC_LOG() << text << "n = " << n << '\n';
          RC_FAIL("lines " + std::to_string(race.first) + " and " + std::to_string(race.second) +
                  " race, and were said not to");
        }
      },
      "", 10);
}

// The comparison is worth something: in most kernels, but not in all, barriers order what threads
// share; many of these kernels race for `out`; and in many the counter's first number is stated.
TEST(Sharing, is_sound_in_most_kernels_and_leaves_races) {
  int sound = 0;
  int races = 0;
  int stated = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = RandomSharing(seed).text();
    const Races run = races_when_run(text, launch_of(seed), 5, seed);
    sound += run.is_broken ? 0 : 1;
    races += run.is_broken || run.races.empty() ? 0 : 1;
    try {
      questions_about(text, launch_of(seed), true);
      ++stated;
    } catch (const PremiseError&) {
    }
  }
  EXPECT_GE(sound, 30);
  EXPECT_LT(sound, 60) << "no kernel lacks a barrier";
  EXPECT_GE(races, 15);
  EXPECT_GE(stated, 20);
}

// Canaries: each thread of the machine's kernel has its own number where the traced one has one for
// all; or all threads draw the same, or greater numbers.
TEST(Sharing, is_compared_with_the_machine) {
  struct Bug {
    const char* old;
    const char* planted;
  };
  const Bug bugs[] = {
      {R"(ld\.shared\.u32 (%r\d+), .*)", "mov.u32 $1, %r1;"},
      {R"(bar\.red\.popc\.u32 (%r\d+), .*)", "bar.sync 0; mov.u32 $1, %r1;"},
      {R"(atom\.global\.add\.u32 (%r\d+), .*)", "mov.u32 $1, 3;"},
      {R"(cvt\.rn\.f32\.s32 %f1, .*)", "cvt.rn.f32.s32 %f1, %r1;"},
      {R"(ld\.global\.u32 (%r\d\d), .*)", "mov.u32 $1, %r1;"},
      {R"((atom\.global\.add\.u32 %r\d+, .*), \d;)", "$1, 25;"},
  };
  for (const Bug& bug : bugs) {
    bool is_caught = false;
    for (std::uint64_t seed = 0; seed < 300 && !is_caught; ++seed) {
      const std::string text = RandomSharing(seed).text();
      const std::string planted = std::regex_replace(text, std::regex(bug.old), bug.planted);
      if (planted == text) continue;
      const Races run = races_when_run(planted, one_block, 5, seed);
      if (run.races.empty()) continue;
      const Questions questions = questions_about(text, one_block);
      is_caught = std::any_of(run.races.begin(), run.races.end(),
                              [&](const Lines& race) { return !questions.may_race(race); });
    }
    EXPECT_TRUE(is_caught) << bug.old;
  }
}

}  // namespace
}  // namespace bankproof::symbolic
