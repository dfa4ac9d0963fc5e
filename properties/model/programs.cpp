// Tests the parts of which programs consist: subprograms with results, masks, exceptions, charged
// computation, constant memory, values of any type, and arrays that start anywhere.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "../../model/machine.hpp"
#include "../../model/observers/initialization.hpp"

namespace bankproof {
namespace {

const MemoryMachine small{.width = 4, .latency = 5};

Subprogram<Lanes<int>> doubled(Warp& warp, Array<int>& a) {
  const auto values = co_await a.read(warp.lane());
  co_return values * 2;
}
Program uses_subprogram(Warp& warp, Array<int>& a, Array<int>& b) {
  const Lanes<int> values = co_await doubled(warp, a);
  co_await b.write(warp.lane(), values);
}

TEST(Programs, may_call_subprograms_with_results) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Dmm machine(small, {.mode = mode});
    Array<int> a(machine.memory(), std::vector{1, 2, 3, 4}, "a");
    Array<int> b(machine.memory(), 4, "b");
    EXPECT_EQ(machine.launch({.threads = 4}, uses_subprogram, a, b), 10U);
    EXPECT_EQ(b.values()[3], 8);
  }
}

Program throws_after_read(Warp& warp, Array<int>& a) {
  co_await a.read(warp.lane());
  throw std::runtime_error("mine");
}
Program catches(Warp& warp, Array<int>& a, bool& caught) {
  try {
    co_await throws_after_read(warp, a);
  } catch (const std::runtime_error&) {
    caught = true;
  }
  co_await a.read(warp.lane());
}

TEST(Programs, pass_exceptions_to_their_callers_and_to_the_launch) {
  Dmm machine(small);
  Array<int> a(machine.memory(), std::vector<int>(4), "a");
  EXPECT_THROW(machine.launch({.threads = 4}, throws_after_read, a), std::runtime_error);
  bool caught = false;
  EXPECT_EQ(machine.launch({.threads = 4}, catches, a, caught), 10U);
  EXPECT_TRUE(caught);
}

Program breaks_out(Warp& warp, Array<int>& a, std::vector<Mask>& masks) {
  for (auto i : warp.each(6)) {
    masks.push_back(warp.mask());
    co_await a.read(i);
    if (warp.mask() != warp.existing()) break;
  }
  masks.push_back(warp.mask());
  {
    const auto odd = warp.only(Mask(0b1010));
    const auto low = warp.only(Mask(0b0011));
    masks.push_back(warp.mask());
  }
  masks.push_back(warp.mask());
}

TEST(Programs, have_the_masks_of_their_loops_and_scopes_and_get_them_back) {
  Dmm machine(small);
  Array<int> a(machine.memory(), std::vector<int>(8), "a");
  std::vector<Mask> masks;
  machine.launch({.threads = 4}, breaks_out, a, masks);
  EXPECT_EQ(masks,
            (std::vector{Mask(0b1111), Mask(0b0011), Mask(0b1111), Mask(0b0010), Mask(0b1111)}));
}

Program computes(Warp&, std::uint64_t operations) { co_await compute(operations); }

TEST(Programs, may_charge_computation_at_w_operations_a_DMM_and_time_unit) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Hmm machine({.dmms = 2, .width = 4}, {.mode = mode});
    // Three warps on one DMM share its arithmetic; two DMMs each have their own.
    EXPECT_EQ(machine.launch({.threads = 12}, computes, 5U), 15U);
    EXPECT_EQ(machine.launch({.blocks = 2, .threads = 12}, computes, 5U), 15U);
    EXPECT_EQ(machine.launch({.blocks = 4, .threads = 12}, computes, 5U), 30U);
    EXPECT_EQ(machine.launch({.threads = 12}, computes, 0U), 0U);
  }
}

Program reads_constant(Warp& warp, Array<int>& mask, Address distinct) {
  co_await mask.read(warp.lane() % distinct);
}

TEST(Programs, read_constant_memory_in_a_stage_for_each_address) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Hmm machine({.width = 4}, {.mode = mode});
    Array<int> constant(machine.add_constant_memory(3), std::vector<int>(4), "mask");
    for (Address distinct = 1; distinct <= 4; ++distinct) {
      EXPECT_EQ(machine.launch({.threads = 4}, reads_constant, constant, distinct), distinct + 2);
    }
  }
}

Program concatenates(Warp& warp, Array<std::string>& a) {
  const auto left = co_await a.read(warp.lane());
  const auto right = co_await a.read((warp.lane() + Address{1}) % 4);
  co_await a.write(warp.lane(), left + right);
}

TEST(Programs, run_on_values_of_any_type) {
  Dmm machine(small);
  Array<std::string> a(machine.memory(), std::vector<std::string>{"a", "b", "c", "d"}, "a");
  machine.launch({.threads = 4}, concatenates, a);
  EXPECT_EQ(a.values()[3], "da");
}

Program reads(Warp& warp, Array<int>& a) { co_await a.read(warp.lane()); }

Program concatenate_masked(Warp& warp, Array<std::string>& a, Array<std::string>& b) {
  Lanes<std::string> text = warp.all(std::string("<"));
  for (auto i : warp.each(6)) {
    const auto read = co_await a.read(i);
    warp.assign(text, text + read + warp.all(std::string(">")));
  }
  co_await b.write(warp.lane(), text);
}

TEST(Programs, assign_only_to_the_threads_that_take_part) {
  Dmm machine(small);
  Array<std::string> a(machine.memory(), std::vector<std::string>{"a", "b", "c", "d", "e", "f"},
                       "a");
  Array<std::string> b(machine.memory(), 4, "b");
  machine.launch({.threads = 4}, concatenate_masked, a, b);
  EXPECT_EQ(std::vector<std::string>(b.values().begin(), b.values().end()),
            (std::vector<std::string>{"<a>e>", "<b>f>", "<c>", "<d>"}));
}

Program reads_nothing(Warp& warp, Array<int>& a, Lanes<int>& seen, Lanes<int>& quotients) {
  const auto nobody = warp.only(Mask());
  seen = co_await a.read(warp.lane());
  quotients = 100 / seen;
}

TEST(Programs, get_zeros_from_reads_that_nobody_makes_and_may_divide_by_them) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Dmm machine(small, {.mode = mode});
    Array<int> a(machine.memory(), std::vector{1, 2, 3, 4}, "a");
    Lanes<int> seen(4);
    Lanes<int> quotients(4);
    EXPECT_EQ(machine.launch({.threads = 4}, reads_nothing, a, seen, quotients), 0U);
    for (Width lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(seen[lane], 0);
      EXPECT_EQ(quotients[lane], 0);
    }
  }
}

Program touches(Warp& warp, Array<int>& a, Address first, Address end, bool whole_launch) {
  if (whole_launch) {
    for (auto i : warp.each_of_launch(end)) co_await a.write(i, (co_await a.read(i)) + 1);
  } else {
    for (auto i : warp.each(first, end)) co_await a.write(i, (co_await a.read(i)) + 1);
  }
}

TEST(Programs, touch_each_index_of_a_range_once_by_a_block_or_by_the_launch) {
  for (const std::uint64_t threads : {1U, 3U, 4U, 10U}) {
    for (const std::uint64_t blocks : {1U, 2U, 5U}) {
      Umm machine(small);
      Array<int> by_launch(machine.memory(), std::vector<int>(37), "by launch");
      machine.launch({.blocks = blocks, .threads = threads}, touches, by_launch, 0U, 37U, true);
      for (const int count : by_launch.values()) EXPECT_EQ(count, 1);
      Array<int> by_block(machine.memory(), std::vector<int>(37), "by block");
      machine.launch({.threads = threads}, touches, by_block, 5U, 30U, false);
      for (std::size_t i = 0; i < 37; ++i) EXPECT_EQ(by_block.values()[i], i >= 5 && i < 30);
    }
  }
}

Program computes_masked(Warp& warp) {
  const auto nobody = warp.only(Mask());
  co_await compute(7);
}

TEST(Programs, charge_no_computation_that_nobody_makes_and_on_the_PRAM_all_at_once) {
  Hmm machine({.width = 4});
  EXPECT_EQ(machine.launch({.threads = 12}, computes_masked), 0U);
  Pram pram;
  EXPECT_EQ(pram.launch({.threads = 1000}, computes, 5U), 5U);
}

/// Each thread halves x until it is 0.
Program count_bits(Warp& warp, Array<Address>& a, Array<Address>& bits) {
  for (auto i : warp.each(a.size())) {
    Lanes<Address> x = co_await a.read(i);
    Lanes<Address> count = warp.all(Address{0});
    Mask done;
    while (warp.any(~done)) {
      const auto running = warp.only(~done);
      warp.assign(count, count + warp.all(Address{1}));
      x = x / 2;
      done |= x == 0;
    }
    co_await bits.write(i, count);
  }
}

TEST(Programs, loop_until_all_threads_that_take_part_are_done) {
  Dmm machine(small);
  Array<Address> a(machine.memory(), std::vector<Address>{1, 2, 9, 255, 256, 3}, "a");
  Array<Address> bits(machine.memory(), 6, "bits");
  machine.launch({.threads = 6}, count_bits, a, bits);
  EXPECT_EQ(std::vector<Address>(bits.values().begin(), bits.values().end()),
            (std::vector<Address>{1, 2, 4, 8, 9, 2}));
}

Program asks(Warp& warp, std::vector<std::uint64_t>& answers) {
  const auto low = warp.only(warp.thread() < 7);  // 6 threads, in warps of 4
  answers.push_back(warp.count(warp.thread() >= 2));
  answers.push_back(warp.count(~(warp.thread() >= 2)));
  answers.push_back(warp.any(warp.thread() >= 6) ? 1 : 0);
  answers.push_back(warp.none(warp.thread() >= 6) ? 1 : 0);
  co_return;
}

TEST(Programs, ask_only_the_threads_that_take_part) {
  Dmm machine(small);
  std::vector<std::uint64_t> answers;
  machine.launch({.threads = 6}, asks, answers);
  EXPECT_EQ(answers, (std::vector<std::uint64_t>{2, 2, 0, 1, 2, 0, 0, 1}));
}

TEST(Programs, have_loops_that_end_also_at_the_end_of_all_numbers) {
  Umm machine(small);
  std::uint64_t count = 0;
  const auto program = [](Warp& warp, std::uint64_t& iterations) -> Program {
    for (auto i : warp.each(unlimited - 6, unlimited)) {
      iterations += warp.count(warp.mask());
      static_cast<void>(i);
    }
    co_return;
  };
  machine.launch({.threads = 20}, program, count);
  EXPECT_EQ(count, 6U);
}

Program read_distinct_by_warp(Warp& warp, Array<int>& constant, Address first, Address second) {
  co_await constant.read(warp.lane() % (warp.index() == 0 ? first : second));
}

TEST(Programs, on_the_PRAM_wait_for_the_longest_read_of_constants_wherever_it_is) {
  for (const bool longest_first : {true, false}) {
    Pram machine;
    Array<int> constant(machine.add_constant_memory(1), std::vector<int>(64), "constant");
    EXPECT_EQ(machine.launch({.threads = 128}, read_distinct_by_warp, constant,
                             longest_first ? 64U : 1U, longest_first ? 1U : 64U),
              64U);
  }
}

Program declares_nothing_shared(Warp& warp) {
  const auto& halo = warp.shared<int>(0, "halo");
  for (auto i : warp.each(halo.size())) static_cast<void>(i);
  co_return;
}

TEST(Arrays, of_a_block_may_have_no_words) {
  Hmm machine({.width = 4});
  EXPECT_EQ(machine.launch({.threads = 4}, declares_nothing_shared), 0U);
}

Program declares_in_an_order(Warp& warp, bool always_the_same) {
  const bool first = always_the_same || warp.index() == 0;
  warp.shared<int>(4, first ? "a" : "b");
  warp.shared<int>(3, first ? "b" : "a");
  co_return;
}

TEST(Arrays, of_a_block_differ_by_name_and_take_whole_rows) {
  Hmm machine({.width = 4});
  const Launch launch{.threads = 8, .shared_words = 7};
  EXPECT_EQ(machine.launch(launch, declares_in_an_order, true), 0U);
  EXPECT_THROW(machine.launch(launch, declares_in_an_order, false), Fault);
}

TEST(Arrays, of_booleans_take_values_from_the_host) {
  Dmm machine(small);
  const Array<bool> flags(machine.memory(), std::vector<bool>{true, false, true}, "flags");
  EXPECT_EQ(flags.values()[1], 0);
  EXPECT_EQ(flags.values()[2], 1);
}

TEST(Arrays, take_values_from_the_host) {
  Dmm machine(small);
  Initialization initialization;
  machine.attach(initialization);
  Array<int> a(machine.memory(), 4, "a");
  EXPECT_THROW(machine.launch({.threads = 4}, reads, a), Fault);
  a.assign(std::vector{1, 2, 3, 4});
  EXPECT_EQ(machine.launch({.threads = 4}, reads, a), 5U);
  EXPECT_THROW(a.assign(std::vector{1, 2, 3}), Fault);
}

TEST(Arrays, start_at_multiples_of_the_width_unless_told_otherwise) {
  Umm machine(small);
  Array<int> first(machine.memory(), 3, "first");
  Array<int> second(machine.memory(), 4, "second");
  Array<int> shifted(machine.memory(), 4, "shifted", 2);
  EXPECT_EQ(second.base(), 4U);
  EXPECT_EQ(shifted.base() % 4, 2U);
  EXPECT_EQ(machine.launch({.threads = 4}, reads, second), 5U);   // one group
  EXPECT_EQ(machine.launch({.threads = 4}, reads, shifted), 6U);  // two groups
}

TEST(Arrays, give_their_words_back) {
  Dmm machine({.width = 4, .capacity = 8});
  for (int k = 0; k < 3; ++k) {
    const Array<int> a(machine.memory(), 7, "a");
    EXPECT_EQ(machine.memory().free_words(), 0U);
  }
  EXPECT_EQ(machine.memory().free_words(), 8U);
}

TEST(Launches, of_no_block_or_no_access_take_no_time_and_times_add_up) {
  Dmm machine(small);
  Array<int> a(machine.memory(), std::vector<int>(4), "a");
  const auto nothing = [](Warp&) -> Program { co_return; };
  EXPECT_EQ(machine.launch({.blocks = 0, .threads = 4}, nothing), 0U);
  EXPECT_EQ(machine.launch({.blocks = 3, .threads = 4}, nothing), 0U);
  machine.launch({.threads = 4}, reads, a);
  machine.launch({.threads = 4}, reads, a);
  EXPECT_EQ(machine.time(), 10U);
}

// A long chain of barriers must not recurse deeply.
Program only_barriers(Warp&, int count) {
  for (int k = 0; k < count; ++k) co_await barrier();
}

TEST(Launches, bear_long_chains_of_barriers_and_of_blocks_that_end_at_once) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Dmm machine({.width = 2, .resident_threads = 4}, {.mode = mode});
    EXPECT_EQ(machine.launch({.threads = 4}, only_barriers, 200000), 0U);
    EXPECT_EQ(machine.launch({.blocks = 200000, .threads = 4}, only_barriers, 1), 0U);
  }
}

}  // namespace
}  // namespace bankproof
