// The judge has shortcuts for whole rows, in which consecutive lanes access consecutive elements,
// and for lanes that share a word. In all small cases, it finds exactly the races of the
// definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pattern.hpp"

namespace bankproof::ptx {
namespace {

/// An access of one warp to a whole row.
struct RowAccess {
  std::uint32_t warp;
  bool stores;
  bool behind_barrier;  ///< a barrier of the whole block precedes it
  std::uint64_t begin;  ///< the first element
};

/// Whether two accesses race: no barrier lies between them, one of them is a store, and different
/// threads access a common element.
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
  const auto faults = pattern.faults();  // reads of unwritten words are reported, too
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

/// For each element of a word, the lane that stores it, or `lanes` if no lane does. Empty if one
/// lane would store two elements.
std::vector<std::uint32_t> owners(std::uint32_t number, std::uint32_t elements,
                                  std::uint32_t lanes) {
  std::vector<std::uint32_t> owner;
  for (std::uint32_t k = 0; k < elements; ++k, number /= lanes + 1) {
    const std::uint32_t lane = number % (lanes + 1);
    if (lane < lanes && std::ranges::find(owner, lane) != owner.end()) return {};
    owner.push_back(lane);
  }
  return owner;
}

// Lanes store elements of one word in one access; then a lane loads an element.
TEST(RaceRows, of_lanes_that_share_a_word_are_those_of_their_own_elements) {
  constexpr std::uint32_t lanes = 5;
  for (const std::uint32_t bytes : {1U, 2U}) {
    const Access store = access_to(Operation::store, Space::global, bytes);
    const Access load = access_to(Operation::load, Space::global, bytes);
    for (std::uint32_t number = 0; number < 6 * 6 * (bytes == 1 ? 6 * 6 : 1); ++number) {
      const std::vector<std::uint32_t> owner = owners(number, 4 / bytes, lanes);
      std::vector<std::uint32_t> element_of(lanes);
      LaneMask storing = 0;
      for (std::uint32_t k = 0; k < owner.size(); ++k) {
        if (owner[k] == lanes) continue;
        element_of[owner[k]] = k;
        storing |= LaneMask{1} << owner[k];
      }
      if (storing == 0) continue;
      for (std::uint32_t reader = 0; reader < lanes; ++reader) {
        for (std::uint32_t read = 0; read < owner.size(); ++read) {
          Pattern pattern;
          pattern.run([&] {
            pattern.touch(
                pattern.warp(0, 0), store, 0,
                [&](std::uint32_t lane) {
                  return lane < lanes ? std::uint64_t{element_of[lane]} * bytes : 0;
                },
                storing);
            pattern.touch(
                pattern.warp(0, 0), load, 1,
                [&](std::uint32_t) { return std::uint64_t{read} * bytes; }, LaneMask{1} << reader);
          });
          const bool expected = owner[read] != lanes && owner[read] != reader;
          ASSERT_EQ(!pattern.faults().empty(), expected)
              << "stores " << number << " of " << bytes << " bytes, lane " << reader << " loads "
              << read;
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankproof::ptx
