// Races between warps that touch whole rows, one lane behind the other: judged word by word in one
// loop, and so held against the definition for all short sequences of accesses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pattern.hpp"

namespace bankproof::ptx {
namespace {

/// One access of a whole row.
struct RowAccess {
  std::uint32_t warp;
  bool stores;
  bool behind_barrier;  ///< one of the whole block comes before it
  std::uint64_t begin;  ///< its first element
};

/// Two accesses with no barrier between them, one of them a store, to an element that is different
/// threads' in them.
bool race_by_definition(const std::vector<RowAccess>& sequence) {
  for (std::size_t j = 0; j < sequence.size(); ++j) {
    for (std::size_t i = j; i-- > 0 && !sequence[i + 1].behind_barrier;) {
      const RowAccess& a = sequence[i];
      const RowAccess& b = sequence[j];
      const bool by_others = a.warp != b.warp || a.begin != b.begin;  // all rows overlap
      if (by_others && (a.stores || b.stores)) return true;
    }
  }
  return false;
}

/// The n-th sequence of three accesses by two warps.
std::vector<RowAccess> sequence_of(std::uint32_t number) {
  std::vector<RowAccess> sequence;
  for (std::uint32_t k = 0; k < 3; ++k, number /= 16) {
    sequence.push_back({.warp = number & 1U,
                        .stores = (number & 2U) != 0,
                        .behind_barrier = (number & 4U) != 0,
                        .begin = (number & 8U) != 0 ? 16U : 0U});
  }
  return sequence;
}

bool is_found(const std::vector<RowAccess>& sequence, Space space, std::uint32_t bytes) {
  Pattern pattern;
  pattern.run([&] {
    for (std::uint32_t site = 0; site < sequence.size(); ++site) {
      const RowAccess& row = sequence[site];
      if (row.behind_barrier) pattern.barrier(0);
      const Access access =
          access_to(row.stores ? Operation::store : Operation::load, space, bytes);
      pattern.touch(pattern.warp(0, row.warp), access, site,
                    [&](std::uint32_t lane) { return (row.begin + lane) * bytes; });
    }
  });
  const auto faults = pattern.faults();  // reads of what nobody wrote are told, too
  return std::ranges::any_of(faults, [](const auto& said) { return said.starts_with("race"); });
}

TEST(RaceRows, of_all_three_accesses_by_two_warps_are_found_and_no_others) {
  std::uint32_t races = 0;
  for (std::uint32_t number = 0; number < 16 * 16 * 16; ++number) {
    const std::vector<RowAccess> sequence = sequence_of(number);
    const bool expected = race_by_definition(sequence);
    races += expected ? 1 : 0;
    for (const Space space : {Space::shared, Space::global}) {
      for (const std::uint32_t bytes : {1U, 2U, 4U}) {
        ASSERT_EQ(is_found(sequence, space, bytes), expected)
            << "sequence " << number << ", " << bytes << " bytes, global "
            << (space == Space::global);
      }
    }
  }
  EXPECT_GT(races, 500U);
  EXPECT_LT(races, 3500U);
}

}  // namespace
}  // namespace bankproof::ptx
