// Closed forms of conflict-free plans (row R6, generalized), for all bit matrices of up to 4 bits.
#include "../../algorithms/permutation/affine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "../../algorithms/permutation/affine_tiles.hpp"
#include "../../algorithms/permutation/verify.hpp"

namespace bankproof {
namespace {

using Values = std::vector<std::uint32_t>;

Values values_of(const AffineMap& map) {
  Values values(std::size_t{1} << map.bits);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(map(i));
  return values;
}

bool takes_each_value_once(const AffineMap& map) {
  std::vector<bool> taken(std::size_t{1} << map.bits);
  for (const std::uint32_t value : values_of(map)) {
    if (taken[value]) return false;
    taken[value] = true;
  }
  return true;
}

/// Calls use(map) for all invertible bit matrices of this size, with offset 0; returns their
/// number.
template <class Use>
std::uint64_t for_each_invertible(unsigned bits, Use use) {
  std::uint64_t count = 0;
  const std::uint64_t side = std::uint64_t{1} << bits;
  for (std::uint64_t number = 0; number < std::uint64_t{1} << (bits * bits); ++number) {
    AffineMap map{bits, {}, 0};
    for (unsigned k = 0; k < bits; ++k) map.columns[k] = number >> (k * bits) & (side - 1);
    const bool is_wanted = takes_each_value_once(map);
    EXPECT_EQ(is_invertible(map), is_wanted);
    if (!is_wanted) continue;
    ++count;
    use(map);
  }
  return count;
}

TEST(AllAffineMaps, of_up_to_4_bits_are_found_and_have_conflict_free_closed_forms) {
  const std::vector<std::uint64_t> invertible = {1, 1, 6, 168, 20160};
  for (unsigned bits = 1; bits <= 4; ++bits) {
    const auto count = for_each_invertible(bits, [&](AffineMap map) {
      for (map.offset = 0; map.offset < std::uint64_t{1} << bits; ++map.offset) {
        const Values permutation = values_of(map);
        const std::span<const std::uint32_t> p(permutation);
        ASSERT_EQ(affine_form(p).map, map);
        for (const Width width : {2U, 4U}) {
          const AffinePlan plan = plan_affine(map, width);
          Values s = values_of(plan.s);
          Values d = values_of(plan.d);
          const std::size_t lanes = (s.size() + width - 1) / width * width;
          s.resize(lanes, ~std::uint32_t{0});  // idle lanes, if the width exceeds the size
          d.resize(lanes, ~std::uint32_t{0});
          const auto defect = verify_plan(p, std::span<const std::uint32_t>(s),
                                          std::span<const std::uint32_t>(d), width);
          ASSERT_FALSE(defect) << describe(*defect);
        }
      }
    });
    EXPECT_EQ(count, invertible[bits]);
  }
}

/// The sum of the vectors that the bits of r select.
template <class Vectors>
std::uint64_t selected(const Vectors& vectors, std::uint64_t r) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; r >> k != 0; ++k) sum ^= (r >> k & 1U) != 0 ? vectors[k] : 0;
  return sum;
}

/// Whether the indices of each `run` successive elements lie in one aligned run, and their words in
/// different banks.
bool are_runs(const Values& indices, const Values& words, std::uint32_t run) {
  for (std::size_t first = 0; first < indices.size(); first += run) {
    std::vector<bool> seen(run);
    for (std::size_t i = first; i < std::min<std::size_t>(first + run, indices.size()); ++i) {
      if (indices[i] / run != indices[first] / run || seen[words[i] % run]) return false;
      seen[words[i] % run] = true;
    }
  }
  return true;
}

TEST(AllAffineMaps, of_up_to_4_bits_have_tiles_of_whole_runs_in_different_banks) {
  for (unsigned bits = 1; bits <= 4; ++bits) {
    for_each_invertible(bits, [&](AffineMap map) {
      map.offset = (std::uint64_t{1} << bits) - 2;
      for (const auto& [run_bits, most_bits] : {std::pair{1U, 2U}, {1U, 3U}, {2U, 4U}}) {
        const AffineTiles tiles = tiles_of(map, run_bits, most_bits);
        ASSERT_LE(tiles.bits, most_bits);
        ASSERT_EQ(tiles.bits + tiles.tiles_bits, bits);
        Values to(std::size_t{1} << bits, ~std::uint32_t{0});
        for (std::uint64_t tile = 0; tile < std::uint64_t{1} << tiles.tiles_bits; ++tile) {
          Values read, written, put, taken;
          for (std::uint64_t r = 0; r < std::uint64_t{1} << tiles.bits; ++r) {
            read.push_back(static_cast<std::uint32_t>(selected(tiles.begin_from, tile) ^
                                                      selected(tiles.from, r)));
            written.push_back(static_cast<std::uint32_t>(
                tiles.offset ^ selected(tiles.begin_to, tile) ^ selected(tiles.to, r)));
            put.push_back(static_cast<std::uint32_t>(selected(tiles.put, r)));
            taken.push_back(static_cast<std::uint32_t>(selected(tiles.taken, r)));
          }
          const std::uint32_t run = std::uint32_t{1} << std::min(run_bits, bits);
          ASSERT_TRUE(are_runs(read, put, run));
          ASSERT_TRUE(are_runs(written, taken, run));
          Values word(read.size());
          for (std::size_t r = 0; r < read.size(); ++r) word.at(put[r]) = read[r];
          for (std::size_t r = 0; r < read.size(); ++r) to.at(word.at(taken[r])) = written[r];
        }
        ASSERT_EQ(to, values_of(map));
      }
    });
  }
}

TEST(AllAffineMaps, of_3_bits_are_all_that_are_found_among_the_permutations_of_8) {
  Values permutation = {0, 1, 2, 3, 4, 5, 6, 7};
  std::uint64_t found = 0;
  do {
    const AffineForm form = affine_form(std::span<const std::uint32_t>(permutation));
    if (form.map) {
      ++found;
      ASSERT_EQ(values_of(*form.map), permutation);
    } else {
      // P(index) is the first value that does not follow from the values before it.
      const std::uint64_t i = form.index.value();
      const std::uint64_t lowest = i & -i;
      ASSERT_NE(permutation[i], permutation[i ^ lowest] ^ permutation[lowest] ^ permutation[0]);
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  EXPECT_EQ(found, 168U * 8);
}

}  // namespace
}  // namespace bankproof
