// The oracles agree with the papers' worked examples and with each other. No test here uses the
// model, because these tests check the gold standard itself.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../oracles/contiguous.hpp"
#include "../../oracles/memory_machine/memory_machine.hpp"
#include "../../oracles/permutation.hpp"
#include "../../oracles/stages.hpp"

namespace {

using namespace bankproof::oracle;
using Kind = SimulatedMachine::Kind;
using Mode = SimulatedMachine::Mode;
using Space = Instruction::Space;
using Writer = SimulatedMachine::Writer;

Script one_block(BlockScript warps) { return {{std::move(warps)}}; }

std::uint64_t oracle_time_of(SimulatedMachine machine, const Script& script, Mode mode) {
  machine.mode = mode;
  return run(machine, script).time;
}

Instruction read_shared(std::uint64_t address) { return Instruction::read({address}); }
Instruction read_global(std::uint64_t address) {
  return Instruction::read({address}, Space::global);
}

const Addresses none(1);
const SimulatedMachine narrow_dmm{.kind = Kind::dmm, .width = 1, .latency = 1};

// ---- stages -------------------------------------------------------------------------------

TEST(Stages, DmmServesDistinctBanksAtOnceAndOneBankInThreadOrder) {
  EXPECT_EQ(dmm_stages({0, 5, 10, 11}, 4).count, 1U);
  EXPECT_EQ(dmm_stages({0, 4, 9, 15}, 4).count, 2U);
  const Stages stages = dmm_stages({7, 5, 15, 0}, 4);
  EXPECT_EQ(stages.count, 2U);
  EXPECT_EQ(stages.of_lane, (std::vector<std::optional<std::uint64_t>>{0, 0, 1, 0}));
}

TEST(Stages, UmmServesGroupsInThreadOrder) {
  const Stages stages = umm_stages({7, 5, 15, 0}, 4);
  EXPECT_EQ(stages.count, 3U);
  EXPECT_EQ(stages.of_lane, (std::vector<std::optional<std::uint64_t>>{0, 0, 1, 2}));
  EXPECT_EQ(umm_stages({10, 11, 12, 9}, 4).count, 2U);
}

TEST(Stages, MaskedThreadsSendNothingAndEqualAddressesMerge) {
  EXPECT_EQ(dmm_stages({std::nullopt, std::nullopt}, 3).count, 0U);
  EXPECT_EQ(umm_stages({}, 3).count, 0U);
  const Stages stages = dmm_stages({6, 3, std::nullopt, 6, 0}, 3);
  EXPECT_EQ(stages.count, 3U);
  EXPECT_EQ(stages.of_lane, (std::vector<std::optional<std::uint64_t>>{0, 1, std::nullopt, 0, 2}));
}

TEST(Stages, WidthZeroIsRefused) { EXPECT_THROW(dmm_stages({0}, 0), std::runtime_error); }

// ---- machines: the papers' examples -------------------------------------------------------

TEST(MemoryMachine, TwoWarpsOfWidthFourTakeThePapersTimes) {
  const Script script =
      one_block({{Instruction::read({7, 5, 15, 0})}, {Instruction::read({10, 11, 12, 9})}});
  for (Mode mode : {Mode::overlapped, Mode::lockstep}) {
    EXPECT_EQ(oracle_time_of({.kind = Kind::dmm, .width = 4, .latency = 5}, script, mode), 7U);
    EXPECT_EQ(oracle_time_of({.kind = Kind::umm, .width = 4, .latency = 5}, script, mode), 9U);
    EXPECT_EQ(oracle_time_of({.kind = Kind::dmm, .width = 4, .latency = 4}, script, mode), 6U);
    EXPECT_EQ(oracle_time_of({.kind = Kind::umm, .width = 4, .latency = 6}, script, mode), 10U);
  }
}

TEST(MemoryMachine, HmmsThreeGroupsAndOneGroupCompleteInEight) {
  const WarpScript three = {Instruction::read({0, 5, 9, 1}, Space::global)};
  const WarpScript one = {Instruction::read({12, 13, 14, 15}, Space::global)};
  for (Mode mode : {Mode::overlapped, Mode::lockstep}) {
    for (std::uint64_t dmms : {1U, 2U}) {
      const SimulatedMachine hmm{
          .kind = Kind::hmm, .dmms = dmms, .width = 4, .latency = 1, .global_latency = 5};
      EXPECT_EQ(oracle_time_of(hmm, {{{three}, {one}}}, mode), 8U);
      EXPECT_EQ(oracle_time_of(hmm, {{{one}, {three}}}, mode), 8U);
      EXPECT_EQ(oracle_time_of(hmm, one_block({one, three}), mode), 8U);
    }
  }
}

TEST(MemoryMachine, OnTheHmmLockstepCanBeFaster) {
  const Script script = one_block(
      {{read_global(0)}, {read_shared(0), read_global(1)}, {read_global(2), read_shared(1)}});
  const SimulatedMachine hmm{.kind = Kind::hmm};
  EXPECT_EQ(oracle_time_of(hmm, script, Mode::overlapped), 4U);
  EXPECT_EQ(oracle_time_of(hmm, script, Mode::lockstep), 3U);
}

// ---- machines: what the rules of docs/model.md say ---------------------------------------

TEST(MemoryMachine, AWarpIsDispatchedAgainWhenItsAccessCompletes) {
  SimulatedMachine machine = narrow_dmm;
  machine.latency = 3;
  const Outcome outcome = run(machine, one_block({{read_shared(0), read_shared(0)}}));
  EXPECT_EQ(outcome.dispatches, (std::vector<Dispatch>{{0, 0, 0, 0, 0, 1}, {3, 0, 0, 0, 1, 1}}));
  EXPECT_EQ(outcome.time, 6U);
}

TEST(MemoryMachine, TheRoundRobinBeginsAfterTheWarpDispatchedLast) {
  // With latency 1, both warps are ready whenever the port is free.
  const WarpScript twice = {read_shared(0), read_shared(0)};
  std::vector<std::size_t> warps;
  for (const Dispatch& dispatch : run(narrow_dmm, one_block({twice, twice})).dispatches) {
    warps.push_back(dispatch.warp);
  }
  EXPECT_EQ(warps, (std::vector<std::size_t>{0, 1, 0, 1}));
}

TEST(MemoryMachine, TheRoundRobinGoesOnWhereItWasAfterABarrier) {
  const auto one = read_shared(0);
  const auto barrier = Instruction::barrier();
  const BlockScript block = {{one, barrier, one, one}, {barrier, one}};
  SimulatedMachine machine = narrow_dmm;
  machine.latency = 2;
  // At time 2 it is the turn of warp 1, although warp 0 has more accesses left.
  EXPECT_EQ(oracle_time_of(machine, {{block}}, Mode::overlapped), 7U);
  // An access of another block at that time makes it the turn of warp 0: with one more access, the
  // program takes less time.
  EXPECT_EQ(oracle_time_of(machine, {{block, {{}, {one}}}}, Mode::overlapped), 6U);
}

TEST(MemoryMachine, AnEmptyAccessTakesNoTimeOrAPlaceInTheRound) {
  const Script script = one_block({{Instruction::read(none), read_shared(0)}, {read_shared(1)}});
  EXPECT_EQ(oracle_time_of(narrow_dmm, script, Mode::overlapped), 2U);
  EXPECT_EQ(oracle_time_of(narrow_dmm, script, Mode::lockstep), 2U);
  SimulatedMachine machine = narrow_dmm;
  machine.mode = Mode::overlapped;
  EXPECT_EQ(run(machine, script).dispatches.front().warp, 0U);
  machine.mode = Mode::lockstep;
  EXPECT_EQ(run(machine, script).dispatches.front().warp, 1U);
  EXPECT_EQ(oracle_time_of(narrow_dmm, one_block({{Instruction::read(none)}}), Mode::lockstep), 0U);
}

TEST(MemoryMachine, AnAccessTakesEffectWhenItIsDispatched) {
  SimulatedMachine machine = narrow_dmm;
  machine.latency = 9;
  const Script script = one_block(
      {{Instruction::write({0}, {7}), read_shared(0)}, {read_shared(0)}, {read_shared(1)}});
  const Outcome outcome = run(machine, script);
  EXPECT_EQ(outcome.reads[0][1], (std::vector<ReadValues>{{7}}));
  EXPECT_EQ(outcome.reads[0][2], (std::vector<ReadValues>{{0}}));
}

TEST(MemoryMachine, OfSeveralWritersTheChosenOneWins) {
  SimulatedMachine machine{.kind = Kind::dmm, .width = 3};
  const Script script = one_block({{Instruction::write({5, 5, 5}, {1, 2, 3})}});
  machine.writer = Writer::lowest;
  EXPECT_EQ(run(machine, script).memories[0].words.at(5), 1);
  machine.writer = Writer::highest;
  EXPECT_EQ(run(machine, script).memories[0].words.at(5), 3);
  EXPECT_EQ(run(machine, script).memories[0].requests, 3U);
}

TEST(MemoryMachine, ABarrierJoinsAtTheLatestArrivalAndCostsNothing) {
  const Script script =
      one_block({{read_shared(0), Instruction::barrier(), Instruction::barrier(), read_shared(0)},
                 {read_shared(1), read_shared(2), Instruction::barrier(), Instruction::barrier()}});
  SimulatedMachine machine = narrow_dmm;
  machine.latency = 4;
  // Warp 1 arrives at 1 + 4 + 4; the lockstep rounds take 5, 4 and 4.
  EXPECT_EQ(oracle_time_of(machine, script, Mode::overlapped), 13U);
  EXPECT_EQ(oracle_time_of(machine, script, Mode::lockstep), 13U);
}

TEST(MemoryMachine, AWarpThatEndsWhileAnotherWaitsIsAFault) {
  for (Mode mode : {Mode::overlapped, Mode::lockstep}) {
    EXPECT_THROW(oracle_time_of(narrow_dmm, one_block({{Instruction::barrier()}, {}}), mode),
                 std::runtime_error);
    EXPECT_THROW(
        oracle_time_of(narrow_dmm, one_block({{}, {read_shared(0), Instruction::barrier()}}), mode),
        std::runtime_error);
  }
}

TEST(MemoryMachine, FreedSlotsTakeTheDmmsNextBlocksLowestFirst) {
  // DMM 0 runs blocks 0, 2, 4, 6 and DMM 1 runs blocks 1, 3, 5; blocks 0 and 2 end at the same
  // time.
  Script script;
  for (std::uint64_t block = 0; block < 7; ++block) {
    script.blocks.push_back({{read_shared(block)}, {}});
  }
  const SimulatedMachine hmm{.kind = Kind::hmm, .dmms = 2, .slots = 2, .mode = Mode::lockstep};
  const Outcome outcome = run(hmm, script);
  std::vector<std::pair<std::uint64_t, std::size_t>> started;
  for (const Dispatch& dispatch : outcome.dispatches) {
    if (dispatch.memory == 0) started.emplace_back(dispatch.time, dispatch.block);
  }
  EXPECT_EQ(started,
            (std::vector<std::pair<std::uint64_t, std::size_t>>{{0, 0}, {1, 2}, {2, 4}, {3, 6}}));
  EXPECT_EQ(outcome.memories[1].accesses, 3U);
  EXPECT_EQ(outcome.time, 4U);
}

TEST(MemoryMachine, BlocksThatEndAtOnceFreeTheirSlotsAtOnce) {
  const BlockScript idle = {{Instruction::barrier(), Instruction::barrier()}};
  const Script script{{idle, idle, idle, {{read_shared(0)}}, idle}};
  SimulatedMachine machine = narrow_dmm;
  machine.slots = 1;
  EXPECT_EQ(oracle_time_of(machine, script, Mode::overlapped), 1U);
  EXPECT_EQ(oracle_time_of(machine, script, Mode::lockstep), 1U);
  EXPECT_EQ(oracle_time_of(machine, {}, Mode::overlapped), 0U);
}

TEST(MemoryMachine, NonsenseIsRefused) {
  EXPECT_THROW(run(narrow_dmm, one_block({{Instruction::read({0, 1})}})), std::runtime_error);
  EXPECT_THROW(run(narrow_dmm, {{{{}}, {{}, {}}}}), std::runtime_error);
  EXPECT_THROW(run({.width = 0}, {}), std::runtime_error);
}

// ---- contiguous access ------------------------------------------------------------------------

Script contiguous_script(const ContiguousAccess& access) {
  BlockScript warps(number_of_warps(access));
  for (std::uint64_t step = 0; step * access.threads < access.words; ++step) {
    for (std::uint64_t array : access.arrays) {
      for (std::uint64_t warp = 0; warp < warps.size(); ++warp) {
        warps[warp].push_back(Instruction::read(contiguous_addresses(access, array, step, warp)));
      }
    }
  }
  return one_block(warps);
}

TEST(Contiguous, MeetsThePapersFormsWhereTheyApply) {
  for (std::uint64_t w : {1U, 2U, 3U, 4U}) {
    for (std::uint64_t warps : {1U, 2U, 3U, 5U, 8U}) {
      for (std::uint64_t steps : {1U, 2U, 4U}) {
        for (std::uint64_t l : {1U, 2U, 3U, 5U, 6U, 9U}) {
          for (auto memory : {ContiguousAccess::Memory::dmm, ContiguousAccess::Memory::umm}) {
            const std::uint64_t p = warps * w;
            const std::uint64_t n = steps * p;
            const ContiguousAccess access{
                .memory = memory, .words = n, .threads = p, .width = w, .latency = l};
            EXPECT_EQ(contiguous_time_overlapped(access),
                      p / w <= l ? n * l / p + p / w - 1 : n / w + l - 1);
            EXPECT_EQ(contiguous_time_lockstep(access), (n / p) * (p / w + l - 1));
          }
        }
      }
    }
  }
}

TEST(Contiguous, CountingAgreesWithTheMachineForAnySizesAndStarts) {
  std::mt19937 random(1);
  const auto draw = [&](std::uint64_t low, std::uint64_t high) {
    return low + random() % (high - low + 1);
  };
  for (int test = 0; test < 2000; ++test) {
    const bool dmm = draw(0, 1) == 0;
    ContiguousAccess access{
        .memory = dmm ? ContiguousAccess::Memory::dmm : ContiguousAccess::Memory::umm,
        .words = draw(0, 40),
        .threads = draw(1, 20),
        .width = draw(1, 5),
        .latency = draw(1, 7),
        .arrays = {draw(0, 9)}};
    if (draw(0, 1) == 0) access.arrays.push_back(draw(50, 59));
    const SimulatedMachine machine{
        .kind = dmm ? Kind::dmm : Kind::umm, .width = access.width, .latency = access.latency};
    const Script script = contiguous_script(access);
    ASSERT_EQ(contiguous_time_overlapped(access),
              oracle_time_of(machine, script, Mode::overlapped));
    ASSERT_EQ(contiguous_time_lockstep(access), oracle_time_of(machine, script, Mode::lockstep));
  }
}

TEST(Contiguous, ACopyIsTheArray) {
  EXPECT_EQ(copied(std::vector<int>{3, 1, 4}), (std::vector<int>{3, 1, 4}));
}

// ---- permutations -----------------------------------------------------------------------------

TEST(Permutation, MovesElementIToItsPlaceAndBack) {
  const std::vector<std::int64_t> permutation = {2, 0, 1};
  EXPECT_EQ(permuted(std::vector<char>{'a', 'b', 'c'}, permutation),
            (std::vector<char>{'b', 'c', 'a'}));
  EXPECT_EQ(inverse(permutation), (std::vector<std::int64_t>{1, 2, 0}));
}

TEST(Permutation, IsRecognizedBySorting) {
  EXPECT_TRUE(is_permutation({}));
  EXPECT_TRUE(is_permutation({1, 0, 2}));
  EXPECT_FALSE(is_permutation({1, 1, 2}));
  EXPECT_FALSE(is_permutation({1, 2, 3}));
  EXPECT_FALSE(is_permutation({-1, 0, 1}));
  EXPECT_THROW(inverse({1, 1}), std::runtime_error);
}

}  // namespace
