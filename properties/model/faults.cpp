// The faults of programs (docs/model.md, rules 9, 12 and 13). The machine reports each fault with
// its kind, the array, the thread and the command that repeats it. It reports nothing about correct
// programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../model/machine.hpp"
#include "../../model/observers/bounds.hpp"
#include "../../model/observers/collisions.hpp"
#include "../../model/observers/initialization.hpp"
#include "../../model/observers/races.hpp"

namespace bankproof {
namespace {

using ::testing::HasSubstr;

/// The message of the fault, or "no fault"; checks the fault's kind.
template <class F>
std::string fault_of(FaultKind kind, F run) {
  try {
    run();
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.kind(), kind) << fault.what();
    return fault.what();
  }
  return "no fault";
}

const std::vector<int> sixteen(16);
const MemoryMachine small_machine{.width = 4, .latency = 5};

Program read_at(Warp& warp, Array<int>& a, Address offset) {
  co_await a.read(warp.thread() + offset);
}
Program write_at(Warp& warp, Array<int>& a, Address offset) {
  co_await a.write(warp.thread() + offset, warp.all(1));
}

TEST(Faults, an_index_past_the_end_names_array_thread_round_and_command) {
  Dmm machine(small_machine);
  Array<int> a(machine.memory(), sixteen, "a");
  const Launch launch{.threads = 8, .name = "copy", .reproduce = "bankproof run copy"};
  EXPECT_EQ(fault_of(FaultKind::out_of_bounds, [&] { machine.launch(launch, read_at, a, 10U); }),
            "read past the end of a: index 16, size 16; copy on DMM(w=4, l=5), block 0, warp 1, "
            "thread 2, round 0; reproduce: bankproof run copy");
  EXPECT_THAT(fault_of(FaultKind::out_of_bounds, [&] { machine.launch(launch, write_at, a, 13U); }),
              HasSubstr("write past the end of a: index 16, size 16"));
}

Program read_ever_further(Warp& warp, Array<int>& a) {
  for (Progression i = warp.thread();; i += 4) co_await a.read(i);
}

TEST(Faults, name_the_round_and_the_mode) {
  Umm machine(small_machine, {.mode = Mode::lockstep});
  Array<int> a(machine.memory(), sixteen, "a");
  EXPECT_EQ(fault_of(FaultKind::out_of_bounds,
                     [&] { machine.launch({.threads = 4}, read_ever_further, a); }),
            "read past the end of a: index 16, size 16; program on UMM(w=4, l=5, lockstep), "
            "block 0, warp 0, thread 0, round 4");
  EXPECT_EQ(Hmm({.dmms = 2}, {.mode = Mode::lockstep}).description(),
            "HMM(d=2, w=32, l=1, L=1, lockstep)");
}

TEST(Faults, an_index_below_zero_wraps_around_and_is_past_the_end) {
  Umm machine(small_machine);
  Array<int> a(machine.memory(), sixteen, "a");
  EXPECT_THAT(fault_of(FaultKind::out_of_bounds,
                       [&] { machine.launch({.threads = 4}, read_at, a, Address{0} - 2); }),
              HasSubstr("index 18446744073709551614 (below 0), size 16"));
}

TEST(Faults, a_masked_index_past_the_end_is_no_fault) {
  Dmm machine(small_machine);
  Array<int> a(machine.memory(), std::vector<int>(6), "a");
  const auto program = [](Warp& warp, Array<int>& array) -> Program {
    for (auto i : warp.each(array.size())) co_await array.read(i);
  };
  EXPECT_EQ(machine.launch({.threads = 8}, program, a), 6U);
}

TEST(Faults, a_machine_can_be_used_after_a_fault) {
  Dmm machine(small_machine);
  Array<int> a(machine.memory(), sixteen, "a");
  EXPECT_THROW(machine.launch({.threads = 8}, read_at, a, 10U), Fault);
  EXPECT_EQ(machine.launch({.threads = 8}, read_at, a, 8U), 6U);
}

Program barriers_in_turn(Warp& warp, Array<int>& a, bool waits_of_warp_1) {
  if (warp.index() == 0 || waits_of_warp_1) co_await barrier();
  co_await a.read(warp.lane());
}

TEST(Faults, a_barrier_that_a_warp_misses_is_divergent) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Dmm machine(small_machine, {.mode = mode});
    Array<int> a(machine.memory(), sixteen, "a");
    EXPECT_THAT(fault_of(FaultKind::divergent_barrier,
                         [&] { machine.launch({.threads = 8}, barriers_in_turn, a, false); }),
                HasSubstr("divergent barrier: warp "));
    EXPECT_EQ(machine.launch({.threads = 8}, barriers_in_turn, a, true), 6U);
  }
}

Program ends_before_the_barrier(Warp& warp, Array<int>& a) {
  if (warp.index() == 1) co_return;
  co_await a.read(warp.lane());
  co_await barrier();
}

TEST(Faults, a_barrier_after_a_warp_has_ended_is_divergent) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Dmm machine(small_machine, {.mode = mode});
    Array<int> a(machine.memory(), sixteen, "a");
    EXPECT_THAT(fault_of(FaultKind::divergent_barrier,
                         [&] { machine.launch({.threads = 8}, ends_before_the_barrier, a); }),
                HasSubstr("divergent barrier: warp 1 ended while warp 0 waits at barrier 0; "));
  }
}

Program on_shared_of_0(Warp& warp, Array<int>& a) {
  if (warp.dmm() == 1) co_await a.read(warp.lane());
}

TEST(Faults, the_shared_memory_of_another_DMM_or_machine_is_out_of_reach) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Hmm machine({.dmms = 2, .width = 4}, {.mode = mode});
    Array<int> a(machine.shared(0), sixteen, "a");
    EXPECT_THAT(fault_of(FaultKind::foreign_memory,
                         [&] { machine.launch({.blocks = 2, .threads = 4}, on_shared_of_0, a); }),
                HasSubstr("access to a in memory shared 0, expected the global memory or"));
    Dmm other(small_machine, {.mode = mode});
    Array<int> global(machine.global(), sixteen, "global");
    EXPECT_THAT(fault_of(FaultKind::foreign_memory,
                         [&] { other.launch({.threads = 4}, read_at, global, 0U); }),
                HasSubstr("on this machine"));
  }
}

TEST(Faults, constant_memory_is_read_only) {
  Hmm machine({.width = 4});
  Array<int> constant(machine.add_constant_memory(1), sixteen, "constant");
  EXPECT_THAT(fault_of(FaultKind::read_only,
                       [&] { machine.launch({.threads = 4}, write_at, constant, 0U); }),
              HasSubstr("write to constant in constant memory, expected reads only"));
}

TEST(Faults, sizes_beyond_all_memory_are_refused) {
  Hmm machine({.width = 4});
  const auto idle = [](Warp&) -> Program { co_return; };
  EXPECT_THROW(machine.launch({.threads = unlimited}, idle), Fault);
  EXPECT_THROW(machine.launch({.threads = 4, .shared_words = unlimited}, idle), Fault);
}

Program wrong_lanes(Warp&, Array<int>& a) { co_await a.read(Lanes<Address>(2, Address{0})); }

TEST(Faults, an_index_of_another_width_is_refused) {
  Dmm machine(small_machine);
  Array<int> a(machine.memory(), sixteen, "a");
  EXPECT_THAT(fault_of(FaultKind::launch, [&] { machine.launch({.threads = 4}, wrong_lanes, a); }),
              HasSubstr("an index of 2 lanes, expected 4"));
}

Program writes_lanes(Warp&, Array<int>& a, Lanes<int> values) {
  co_await a.write(Progression(4, 0, 1), values);
}
Program adds_lanes(Warp& warp, Lanes<int> values) {
  values += warp.all(1);
  co_return;
}

TEST(Faults, values_of_another_width_are_refused) {
  Dmm machine(small_machine);
  Array<int> a(machine.memory(), sixteen, "a");
  const Lanes<int> two(2, 5);
  EXPECT_THAT(
      fault_of(FaultKind::launch, [&] { machine.launch({.threads = 4}, writes_lanes, a, two); }),
      HasSubstr("an expression of 4 and 2 lanes, which must be equal; program on DMM(w=4"));
  EXPECT_THAT(fault_of(FaultKind::launch, [&] { machine.launch({.threads = 4}, adds_lanes, two); }),
              HasSubstr("an expression of 2 and 4 lanes"));
}

TEST(Faults, a_barrier_under_a_partial_mask_is_divergent) {
  Dmm machine(small_machine);
  const auto program = [](Warp& warp) -> Program {
    const auto half = warp.only(Mask(0b0011));
    co_await barrier();
  };
  EXPECT_THAT(
      fault_of(FaultKind::divergent_barrier, [&] { machine.launch({.threads = 4}, program); }),
      HasSubstr("barrier under a partial mask"));
  // A partial warp does not count as a partial mask.
  const auto last_warp = [](Warp&) -> Program { co_await barrier(); };
  EXPECT_EQ(machine.launch({.threads = 6}, last_warp), 0U);
}

Program declared(Warp& warp, Array<int>& a, Address stride, Address offset, AccessKind kind) {
  co_await a.read(warp.lane() * stride + offset, kind);
}

TEST(Faults, a_broken_declaration_of_an_access_is_reported) {
  Dmm machine(small_machine);
  Array<int> a(machine.memory(), sixteen, "a");
  const auto run = [&](Address stride, Address offset, AccessKind kind) {
    return fault_of(FaultKind::broken_declaration,
                    [&] { machine.launch({.threads = 4}, declared, a, stride, offset, kind); });
  };
  EXPECT_EQ(run(1, 0, AccessKind::coalesced), "no fault");
  EXPECT_THAT(run(1, 1, AccessKind::coalesced),
              HasSubstr("access to a declared coalesced, observed conflict-free"));
  EXPECT_EQ(run(1, 1, AccessKind::conflict_free), "no fault");
  EXPECT_EQ(run(3, 0, AccessKind::conflict_free), "no fault");
  EXPECT_THAT(run(4, 0, AccessKind::conflict_free),
              HasSubstr("declared conflict-free, observed casual"));
  EXPECT_EQ(run(4, 0, AccessKind::casual), "no fault");
}

TEST(Faults, a_memory_that_is_too_small_says_so) {
  Hmm machine({.dmms = 2, .width = 4, .capacity = 16, .resident_threads = 8});
  EXPECT_THAT(
      fault_of(FaultKind::capacity, [&] { const Array<int> a(machine.shared(1), 17, "a"); }),
      HasSubstr("memory shared 1 is full: wanted 17 words, which take 20, got 16 free"));
  const auto idle = [](Warp&) -> Program { co_return; };
  EXPECT_THAT(
      fault_of(FaultKind::capacity,
               [&] { machine.launch({.threads = 4, .shared_words = 17}, idle); }),
      HasSubstr("wanted 17 words, which take 20, got 16 free; program on HMM(d=2, w=4, l=1, L=1)"));
  EXPECT_THAT(fault_of(FaultKind::launch, [&] { machine.launch({.threads = 9}, idle); }),
              HasSubstr("a block of 9 threads does not fit: whole warps take 12, and a DMM has 8"));
  EXPECT_THAT(fault_of(FaultKind::launch, [&] { machine.launch({.threads = 0}, idle); }),
              HasSubstr("0 threads"));
}

TEST(Faults, machines_that_cannot_be_are_refused) {
  EXPECT_THAT(fault_of(FaultKind::launch, [] { const Dmm machine({.width = 0}); }),
              HasSubstr("width 0: expected 1 to 64"));
  EXPECT_THAT(fault_of(FaultKind::launch, [] { const Umm machine({.width = 65}); }),
              HasSubstr("width 65: expected 1 to 64"));
  EXPECT_THAT(fault_of(FaultKind::launch, [] { const Umm machine({.latency = 0}); }),
              HasSubstr("latency 0"));
  EXPECT_THAT(fault_of(FaultKind::launch, [] { const Hmm machine({.dmms = 0}); }),
              HasSubstr("0 DMMs"));
}

Program block_arrays(Warp& warp, std::uint64_t first, std::uint64_t second) {
  warp.shared<int>(warp.index() == 0 ? first : second, "tile");
  co_return;
}

TEST(Faults, block_arrays_must_fit_and_agree) {
  Hmm machine({.width = 4});
  const Launch launch{.threads = 8, .shared_words = 8};
  EXPECT_EQ(machine.launch(launch, block_arrays, 8U, 8U), 0U);
  EXPECT_THAT(fault_of(FaultKind::capacity, [&] { machine.launch(launch, block_arrays, 9U, 9U); }),
              HasSubstr("block 0, array tile of 9 words does not fit"));
  EXPECT_THAT(fault_of(FaultKind::launch, [&] { machine.launch(launch, block_arrays, 8U, 4U); }),
              HasSubstr("another warp of the block declared tile of 8 words"));
}

// Observers.

TEST(Initialization, reports_reads_of_words_that_nobody_wrote) {
  Dmm machine(small_machine);
  Initialization initialization;
  machine.attach(initialization);
  Array<int> a(machine.memory(), 8, "a");
  EXPECT_THAT(
      fault_of(FaultKind::uninitialized, [&] { machine.launch({.threads = 4}, read_at, a, 0U); }),
      HasSubstr("read of an uninitialized word of a: index 0"));
  machine.launch({.threads = 4}, write_at, a, 0U);
  EXPECT_EQ(machine.launch({.threads = 4}, read_at, a, 0U), 5U);
  EXPECT_THAT(
      fault_of(FaultKind::uninitialized, [&] { machine.launch({.threads = 4}, read_at, a, 2U); }),
      HasSubstr("index 4"));
  Array<int> given(machine.memory(), sixteen, "given");
  EXPECT_EQ(machine.launch({.threads = 4}, read_at, given, 0U), 5U);
}

Program write_then_read_tile(Warp& warp, bool only_block_0_writes) {
  auto& tile = warp.shared<int>(4, "tile");
  if (!only_block_0_writes || warp.block() == 0) co_await tile.write(warp.lane(), warp.all(1));
  co_await tile.read(warp.lane());
}

TEST(Initialization, starts_over_with_each_block) {
  Hmm machine({.width = 4, .resident_threads = 4});
  Initialization initialization;
  machine.attach(initialization);
  const Launch launch{.blocks = 3, .threads = 4, .shared_words = 4};
  machine.launch(launch, write_then_read_tile, false);
  EXPECT_THAT(fault_of(FaultKind::uninitialized,
                       [&] { machine.launch(launch, write_then_read_tile, true); }),
              HasSubstr("uninitialized word of tile"));
}

Program write_neighbors_word(Warp& warp, Array<int>& a, bool with_barrier) {
  co_await a.write(warp.thread(), warp.all(1));
  if (with_barrier) co_await barrier();
  co_await a.read((warp.thread() + Address{4}) % 8);
}

TEST(Races, are_accesses_of_different_warps_without_a_barrier) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Dmm machine(small_machine, {.mode = mode});
    Races races;
    machine.attach(races);
    Array<int> a(machine.memory(), sixteen, "a");
    EXPECT_THAT(fault_of(FaultKind::race,
                         [&] { machine.launch({.threads = 8}, write_neighbors_word, a, false); }),
                HasSubstr("race on a, index"));
    EXPECT_NE(machine.launch({.threads = 8}, write_neighbors_word, a, true), 0U);
    EXPECT_NE(machine.launch({.threads = 4}, write_neighbors_word, a, false), 0U);
  }
}

Program write_same(Warp& warp, Array<int>& a, std::uint64_t writer_block) {
  if (warp.block() == writer_block) co_await a.write(warp.lane(), warp.all(1));
  if (warp.block() != writer_block) co_await a.read(warp.lane());
}

TEST(Races, between_blocks_no_barrier_helps_but_another_launch_does) {
  Hmm machine({.dmms = 2, .width = 4});
  Races races(OnFinding::record);
  machine.attach(races);
  Array<int> a(machine.global(), sixteen, "a");
  for (const std::uint64_t writer : {0U, 1U}) {
    const auto before = races.found().size();
    machine.launch({.blocks = 2, .threads = 4}, write_same, a, writer);
    EXPECT_EQ(races.found().size(), before + 4);
  }
  const auto before = races.found().size();
  machine.launch({.blocks = 1, .threads = 4}, write_same, a, 0U);
  machine.launch({.blocks = 1, .threads = 4}, write_same, a, 1U);
  EXPECT_EQ(races.found().size(), before);
  EXPECT_THAT(races.found().back().what(),
              HasSubstr("race on a, index 3: a write and a read by block 0, warp 0, expected a "
                        "barrier or a launch between them"));
}

Program collide(Warp& warp, Array<int>& a, bool same_value) {
  const Lanes<int> values =
      make_lanes(warp.width(), [=](Width lane) { return same_value ? 7 : static_cast<int>(lane); });
  co_await a.write(warp.lane() / 2, values);
}

TEST(Collisions, are_writes_of_different_values_to_one_word_in_one_access) {
  Dmm machine(small_machine);
  Collisions collisions;
  machine.attach(collisions);
  Array<int> a(machine.memory(), sixteen, "a");
  EXPECT_THAT(fault_of(FaultKind::colliding_writes,
                       [&] { machine.launch({.threads = 4}, collide, a, false); }),
              HasSubstr("colliding writes to a, index 0: thread 0 writes another value"));
  EXPECT_EQ(machine.launch({.threads = 4}, collide, a, true), 5U);
  Collisions strict(OnFinding::fault, Collisions::Allow::none);
  machine.attach(strict);
  EXPECT_THROW(machine.launch({.threads = 4}, collide, a, true), Fault);
}

TEST(Bounds, tell_which_part_of_an_array_was_touched) {
  Dmm machine(small_machine);
  Bounds bounds;
  machine.attach(bounds);
  Array<int> a(machine.memory(), sixteen, "a");
  machine.launch({.threads = 4}, read_at, a, 5U);
  machine.launch({.threads = 4}, read_at, a, 6U);
  EXPECT_EQ(bounds.read(a).touched, 5U);
  EXPECT_EQ(bounds.read(a).lowest, 5U);
  EXPECT_EQ(bounds.read(a).highest, 9U);
  EXPECT_EQ(bounds.written(a).touched, 0U);
}

}  // namespace
}  // namespace bankproof
