// Statements of HMM, OPT and THS, which a run refutes or limits (docs/errata.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "../../algorithms/convolution.hpp"
#include "../../algorithms/image_convolution.hpp"
#include "../../algorithms/permutation/conflicts.hpp"
#include "../../algorithms/sum.hpp"
#include "../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../algorithms/transpose.hpp"
#include "../../model/observers/races.hpp"
#include "../../testing/algorithms.hpp"

namespace bankproof::testing {
namespace {

using Words = std::vector<std::uint64_t>;
using Numbers = Array<std::uint64_t>;

/// The convolution of HMM IX with L·w threads per DMM, which keeps nL/P at n/(dw).
Task convolving_with_latency(std::uint64_t L) {
  Task task = testing::task_of<Convolution>("shares", {.w = 4, .L = L, .d = 4, .p = 4 * L},
                                            {{"n", 1024}, {"m", 64}});
  return task;
}

TEST(Errata, time_of_HMM_theorem_9_does_not_grow_with_mnl_over_dw) {
  const auto time = [](std::uint64_t L) {
    const Task task = convolving_with_latency(L);
    EXPECT_TRUE(is_at_most(lockstep_time(Convolution::cost(task), task.machine),
                           *upper_bound<Convolution>(task)));
    return lockstep_time(Convolution::cost(task), task.machine);
  };
  // The printed term is 4,096 for a latency of 1, and 256 times as much for a latency of 256.
  for (std::uint64_t L = 16; L <= 256; L *= 2) EXPECT_LT(time(L), 2 * time(16));
}

/// Step 1 of HMM IX: copies y[first] to y[last] for the block's DMM. As printed, `extra` is 1.
Program copy_share(Warp& warp, Numbers& y, std::uint64_t share, std::uint64_t m,
                   std::uint64_t extra) {
  const Address first = warp.block() * share;
  auto& own = warp.shared<std::uint64_t>(share + m - 1 + extra, "y");
  for (auto i : warp.each(own.size())) {
    const Lanes<std::uint64_t> values = co_await y.read(first + i);
    co_await own.write(i, values);
  }
}

BANKPROOF_PROPERTY(Errata, last_index_of_y_in_HMM_IX_is_past_its_end_on_the_last_DMM, ()) {
  const auto number = [] { return *rc::gen::inRange<std::uint64_t>(1, 20); };
  const std::uint64_t d = number();
  const std::uint64_t share = number();
  const std::uint64_t m = number();
  Hmm machine({.dmms = d, .width = 4});
  Numbers y(machine.global(), Words(d * share + m - 1), "y");
  const Launch launch{
      .blocks = d, .threads = 8, .shared_words = rounded_up(share + m, std::uint64_t{4})};
  machine.launch(launch, copy_share, y, share, m, std::uint64_t{0});
  try {
    machine.launch(launch, copy_share, y, share, m, std::uint64_t{1});
    RC_FAIL("no fault");
  } catch (const Fault& fault) {
    RC_ASSERT(fault.kind() == FaultKind::out_of_bounds);
  }
}

TEST(Errata, sum_of_HMM_V_takes_the_longer_the_fewer_processors_each_has) {
  // As printed, p/n processors add m numbers in O(m/n + log m); for p = n that is one processor.
  constexpr std::uint64_t m = 256;
  constexpr std::uint64_t n = 256;
  const Task task = testing::task_of<Sum>("columns", MachineParameters::pram(1), {{"n", m}});
  EXPECT_GT(lockstep_time(Sum::cost(task), task.machine), 10 * (m / n + ceil_log2(m)));
}

TEST(Errata, single_words_of_THS_lemma_6_3_1_take_a_stage_each) {
  // Counts the stages of 2R1W beyond 3n/w, in units of n/w². The lemma says that they are 8 +
  // O(1/w).
  for (const std::uint64_t w : {16U, 32U, 64U}) {
    const std::uint64_t side = w * w;
    const Task task = testing::task_of<SummedAreaTable>(
        "2R1W", {.machine = MachineKind::hmm, .w = w, .p = w}, {{"rows", side}, {"columns", side}});
    const std::uint64_t n = side * side;
    const std::uint64_t more = SummedAreaTable::cost(task).global.stages - 3 * n / w;
    const double units = static_cast<double>(more * w * w) / static_cast<double>(n);
    EXPECT_NEAR(units, 10, 20.0 / static_cast<double>(w)) << w;
  }
}

TEST(Errata, triangles_of_THS_theorem_6_5_1_do_not_recur_alike) {
  // Counts barriers between launches, without those of the 2(T − t) − 1 diagonals between the
  // triangles. The theorem says 5 + 4d, including the latency at the end; d is the depth of both
  // triangles.
  constexpr std::uint64_t w = 4;
  constexpr std::uint64_t T = 16;
  const auto latencies = [&](std::uint64_t t) {
    const Task task =
        testing::task_of<SummedAreaTable>("hybrid", {.machine = MachineKind::hmm, .w = w, .p = w},
                                          {{"rows", T * w}, {"columns", T * w}, {"t", t}});
    return SummedAreaTable::cost(task).launches - 2 * (T - t);
  };
  EXPECT_EQ(latencies(w), 5U);
  EXPECT_EQ(latencies(w + 1), 5U + 2);  // the last triangle recurs
  EXPECT_EQ(latencies(w + 2), 5U + 4);  // the first triangle recurs, too
}

/// The number of rounds in which the program writes pixels of the result.
std::uint64_t rounds_of_writing(std::uint64_t n, std::uint64_t p) {
  Dmm machine({.width = 4}, {.mode = Mode::lockstep});
  Numbers a(machine.memory(), Words(n * n), "a");
  Numbers b(machine.memory(), Words(9), "b");
  Numbers c(machine.memory(), n * n, "c");
  Statistics statistics;
  machine.attach(statistics);
  machine.launch({.threads = p}, convolve_image<std::uint64_t>, a, b, c, Convolving{n, n, 1});
  const auto& writing = statistics.of(machine.memory()).observed_writing;
  return writing.coalesced + writing.conflict_free + writing.casual;
}

TEST(Errata, rows_of_OPT_III_at_the_same_time_are_p_over_n) {
  // p = rows · n threads write `rows` rows at a time.
  for (const std::uint64_t rows : {1U, 2U, 4U, 8U}) {
    EXPECT_EQ(rounds_of_writing(16, rows * 16), 16 / rows);
  }
}

/// Transposes a matrix of `tiles` × `tiles` tiles on one DMM, which runs one block at a time or
/// all.
Words transposed_on_hmm(std::uint64_t tiles, bool in_place, bool in_turn, Races* races) {
  constexpr std::uint64_t w = 4;
  const std::uint64_t side = tiles * w;
  Hmm machine({.width = w, .resident_threads = in_turn ? w * w : unlimited});
  if (races != nullptr) machine.attach(*races);
  Words numbers(side * side);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  Numbers a(machine.global(), numbers, "a");
  Numbers b(machine.global(), side * side, "b");
  const Transposing matrix{side, side, w};
  machine.launch(matrix.launch(), transpose<std::uint64_t>, a, in_place ? a : b, matrix);
  const auto& result = in_place ? a : b;
  return {result.values().begin(), result.values().end()};
}

TEST(Errata, tiles_of_THS_5_3_cannot_be_transposed_in_place_one_after_another) {
  for (const std::uint64_t tiles : {1U, 2U, 3U}) {
    Words expected;
    const std::uint64_t side = 4 * tiles;
    for (std::uint64_t i = 0; i < side * side; ++i) expected.push_back(i % side * side + i / side);
    Races races;
    EXPECT_EQ(transposed_on_hmm(tiles, false, true, &races), expected);
    EXPECT_EQ(transposed_on_hmm(tiles, true, true, nullptr) == expected, tiles == 1);
    // If all blocks run at the same time, the result depends on the schedule.
    Races recorded(OnFinding::record);
    transposed_on_hmm(tiles, true, false, &recorded);
    EXPECT_EQ(recorded.found().empty(), tiles == 1);
  }
}

/// The elements i × pitch + j to which a[i][j] refers, for all i and j below `end`.
std::set<std::uint64_t> elements_met(std::uint64_t end, std::uint64_t pitch) {
  std::set<std::uint64_t> elements;
  for (std::uint64_t i = 0; i < end; ++i) {
    for (std::uint64_t j = 0; j < end; ++j) elements.insert(i * pitch + j);
  }
  return elements;
}

TEST(Errata, elements_of_THS_5_5_are_not_met_with_w_in_place_of_the_side) {
  constexpr std::uint64_t w = 4;
  constexpr std::uint64_t side = 8;
  EXPECT_EQ(elements_met(w, w).size(), w * w);  // as printed, i, j ≤ w − 1
  EXPECT_EQ(elements_met(side, w).size(), side * w + side - w);
  EXPECT_EQ(elements_met(side, side).size(), side * side);
  // Counts the edges into row 0 of b for the identical permutation; the source calls the graph
  // regular.
  const auto into_row_0 = [](std::uint64_t pitch) {
    std::uint64_t edges = 0;
    for (std::uint64_t i = 0; i < side; ++i) {
      for (std::uint64_t j = 0; j < side; ++j) edges += (i * pitch + j) / side == 0 ? 1U : 0U;
    }
    return edges;
  };
  EXPECT_EQ(into_row_0(w), side + side - w);
  EXPECT_EQ(into_row_0(side), side);
}

TEST(Errata, distribution_of_a_random_permutation_stays_far_more_than_a_few_below_n) {
  // THS 5.2: n − ε < D_w ≤ n with high probability, for a small ε and large n. But the shortfall
  // has the expectation 480.5 for w = 32 and any large n, with a deviation of about 22.
  std::mt19937 random(5);
  for (const std::uint32_t n : {1U << 16U, 1U << 18U, 1U << 20U}) {
    std::vector<std::uint32_t> permutation(n);
    std::iota(permutation.begin(), permutation.end(), 0U);
    for (int sample = 0; sample < 10; ++sample) {
      std::shuffle(permutation.begin(), permutation.end(), random);
      const auto shortfall = n - distribution(std::span<const std::uint32_t>(permutation), 32);
      EXPECT_GT(shortfall, 480 - 6 * 22);
      EXPECT_LT(shortfall, 480 + 6 * 22);
    }
  }
}

TEST(Errata, captions_of_THS_figures_4_6_and_4_7_are_exchanged) {
  // The permutations above the captions "identical" and "random".
  const std::vector<std::uint32_t> figure_4_6 = {13, 10, 7, 4,  2,  0, 6,  3,
                                                 8,  1,  9, 15, 11, 5, 12, 14};
  std::vector<std::uint32_t> figure_4_7(16);
  std::iota(figure_4_7.begin(), figure_4_7.end(), 0U);
  EXPECT_FALSE(std::ranges::is_sorted(figure_4_6));
  EXPECT_TRUE(std::ranges::is_permutation(figure_4_6, figure_4_7));
}

}  // namespace
}  // namespace bankproof::testing
