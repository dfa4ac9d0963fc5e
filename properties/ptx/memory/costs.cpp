// The cost counter, with its cache and its shortcuts, gives the costs of the rules of
// model/gpu/chips.hpp.
#include "../../../ptx/memory/costs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>

#include "../../../ptx/memory/touched_parts.hpp"

namespace bankproof::ptx {
namespace {

/// Addresses like those of kernels: strides, permutations, random addresses, few distinct
/// addresses.
LaneAddresses some_addresses(std::uint32_t bytes, LaneMask lanes) {
  const auto first = *rc::gen::inRange<std::uint64_t>(0, 2000);
  const auto stride =
      *rc::gen::elementOf(std::vector<std::uint64_t>{0, 1, 2, 3, 4, 8, 16, 31, 32, 33});
  const auto noise = *rc::gen::elementOf(std::vector<std::uint64_t>{1, 1, 2, 8, 64, 4096});
  LaneAddresses addresses;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    addresses[lane] = (first + lane * stride + *rc::gen::inRange<std::uint64_t>(0, noise)) * bytes;
  }
  const std::uint64_t of_first = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) addresses[lane] = of_first;
  }
  return addresses;
}

void expect_same(const Cost& fast, const Cost& plain) {
  RC_ASSERT(fast.stages == plain.stages);
  RC_ASSERT(fast.ideal == plain.ideal);
  RC_ASSERT(fast.sectors == plain.sectors);
  RC_ASSERT(fast.ideal_sectors == plain.ideal_sectors);
  RC_ASSERT(fast.distinct == plain.distinct);
  RC_ASSERT(fast.turns == plain.turns);
}

RC_GTEST_PROP(Costs, remembered_or_counted_fast_are_those_of_the_rules, ()) {
  std::vector<std::string_view> names = {"hmm"};
  for (const Chip& chip : chips) names.push_back(chip.name);
  const auto name = *rc::gen::elementOf(names);
  CostCounter counter(MachineRules::of(name), 2);
  const auto bytes = *rc::gen::elementOf(std::vector<std::uint32_t>{1, 2, 4, 4, 8, 16, 32});
  for (int k = 0; k < 6; ++k) {
    const auto lanes =
        *rc::gen::oneOf(rc::gen::just(all_lanes), rc::gen::inRange<LaneMask>(1, all_lanes));
    LaneAddresses addresses = some_addresses(bytes, lanes);
    const auto site = *rc::gen::inRange<std::uint32_t>(0, 2);
    const bool shared = *rc::gen::arbitrary<bool>();
    // Repeats the access, moved by a line each time: the counter reuses costs for such accesses.
    for (int again = 0; again < 3; ++again) {
      const Cost fast = shared ? counter.shared(site, addresses, lanes, bytes)
                               : counter.global(site, addresses, lanes, bytes);
      const Cost plain = counter.plain(addresses, lanes, bytes, shared);
      expect_same(fast, plain);
      RC_ASSERT(fast.stages % fast.turns == 0);
      for (std::uint64_t& address : addresses) address += 128;
    }
  }
}

RC_GTEST_PROP(Costs, of_sorted_lanes_are_those_of_the_rules, ()) {
  std::vector<std::string_view> names = {"hmm"};
  for (const Chip& chip : chips) names.push_back(chip.name);
  CostCounter counter(MachineRules::of(*rc::gen::elementOf(names)), 1);
  const auto bytes = *rc::gen::element(4U, 4U, 8U, 16U);
  const auto lanes =
      *rc::gen::oneOf(rc::gen::just(all_lanes), rc::gen::inRange<LaneMask>(1, all_lanes));
  LaneAddresses addresses = some_addresses(bytes, lanes);
  // The last words have the largest numbers of 32 bits.
  if (*rc::gen::arbitrary<bool>()) {
    for (std::uint64_t& address : addresses) address = most_bytes_in_parts - bytes - address;
  }
  expect_same(counter.of_parts(touched_parts(addresses), bytes),
              counter.plain(addresses, lanes, bytes, false));
}

TEST(Costs, of_a_transposed_tile_are_32_stages_and_1_when_it_is_padded) {
  CostCounter counter(MachineRules::of("hmm"), 1);
  LaneAddresses column;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) column[lane] = lane * 32 * 4;
  EXPECT_EQ(counter.shared(0, column, all_lanes, 4).stages, 32U);
  EXPECT_EQ(counter.shared(0, column, all_lanes, 4).ideal, 1U);
  EXPECT_EQ(counter.global(0, column, all_lanes, 4).stages, 32U);
  EXPECT_EQ(counter.global(0, column, all_lanes, 4).sectors, 32U);
  EXPECT_EQ(counter.global(0, column, all_lanes, 4).ideal_sectors, 4U);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) column[lane] = lane * 33 * 4;
  EXPECT_EQ(counter.shared(0, column, all_lanes, 4).stages, 1U);
}

TEST(Costs, are_not_those_of_the_same_pattern_elsewhere_in_its_line) {
  CostCounter counter(MachineRules::of("hmm"), 1);
  LaneAddresses row;
  for (const std::uint64_t first : {0U, 32U, 128U, 64U, 96U}) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) row[lane] = first + lane * 4;
    EXPECT_EQ(counter.global(0, row, all_lanes, 4).stages, first % 128 == 0 ? 1U : 2U) << first;
    EXPECT_EQ(counter.global(0, row, all_lanes, 4).sectors, 4U);
  }
}

// The lanes access consecutive elements of 16 bytes. In 32-bit mode a turn accesses every fourth
// word, in 64-bit mode every second pair of words. Each turn takes two stages.
TEST(Costs, of_elements_too_wide_for_a_chip_are_those_of_several_turns) {
  LaneAddresses row;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) row[lane] = lane * 16;
  const auto cost = [&](const char* machine) {
    const Cost found = CostCounter(MachineRules::of(machine), 1).shared(0, row, all_lanes, 16);
    return std::pair{found.turns, found.stages};
  };
  EXPECT_EQ(cost("kepler-32bit"), (std::pair{4U, 4 * 2U}));
  EXPECT_EQ(cost("kepler-64bit"), (std::pair{2U, 2 * 2U}));
  EXPECT_EQ(cost("sm_90"), (std::pair{1U, 4U}));
}

TEST(Costs, have_no_machine_of_another_name) {
  EXPECT_THROW(MachineRules::of("sm_1"), std::invalid_argument);
}

RC_GTEST_PROP(Costs, of_broadcasts_and_small_rows_are_those_of_the_rules, ()) {
  std::vector<std::string_view> names = {"hmm"};
  for (const Chip& chip : chips) names.push_back(chip.name);
  CostCounter counter(MachineRules::of(*rc::gen::elementOf(names)), 1);
  const auto lanes = *rc::gen::inRange<LaneMask>(1, all_lanes);
  const auto first = *rc::gen::inRange<std::uint64_t>(0, 200);
  for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U, 32U}) {
    LaneAddresses same;
    same.fill(first * bytes);
    for (const bool shared : {false, true}) {
      const Cost* const cost = counter.element(bytes, shared);
      if (cost != nullptr) expect_same(*cost, counter.plain(same, lanes, bytes, shared));
    }
    if (bytes > 4) continue;
    LaneAddresses row = row_addresses(first * bytes, bytes);
    fill_inactive(row, lanes);
    expect_same(counter.lanes_of_row({first * bytes, bytes, lanes}),
                counter.plain(row, lanes, bytes, false));
  }
}

}  // namespace
}  // namespace bankproof::ptx
