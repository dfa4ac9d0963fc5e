// Lockstep times written out by hand, where all sizes divide: a second form beside the closed forms
// of algorithms/, which share the geometry of sweeps, windows and turns with the programs. What a
// program did in vain would show here.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "../algorithms/catalog.hpp"
#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

using Number = std::uint64_t;

Number any(Number least, Number most) { return *rc::gen::inRange<Number>(least, most + 1); }
Number power_of_two(Number most_bits) { return Number{1} << any(0, most_bits); }

template <class A>
Time machine_time(std::string_view variant, const Letters& machine,
                  const std::vector<std::pair<std::string_view, Number>>& sizes) {
  Task task{variant, Sizes(A::size_keys), machine};
  for (const auto& [name, value] : sizes) task.sizes.set(name, value);
  const auto inputs = testing::random_inputs<Number>(A::inputs(task), 1);
  return testing::run_task<A, Number>(task, testing::in(Mode::lockstep), inputs).time;
}

/// A round of k stages.
Number round(Number k, Number latency) { return k + latency - 1; }

/// Pairs at distances n/2, …, 1, three rounds for each p of them; n, p and w powers of two.
Number pairwise(Number n, Number p, Number w, Number l) {
  Number time = 0;
  for (Number distance = n / 2; distance > 0; distance /= 2) {
    const Number turns = distance > p ? distance / p : 1;
    const Number stages = distance / turns > w ? distance / turns / w : 1;
    time += 3 * turns * round(stages, l);
  }
  return time;
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_sums, ()) {
  const Number w = power_of_two(3);
  const Number p = w * power_of_two(4);
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  const Number d = any(1, 5);
  const Number n = power_of_two(10);
  const MachineKind kind = *rc::gen::element(MachineKind::dmm, MachineKind::umm);
  RC_ASSERT(machine_time<Sum>("pairwise", {.machine = kind, .w = w, .l = l, .p = p}, {{"n", n}}) ==
            pairwise(n, p, w, l));
  // A column of k numbers for each of p threads, their sums, and the sum in global memory.
  const Number k = any(1, 5);
  RC_ASSERT(
      machine_time<Sum>("one-dmm", {.w = w, .l = l, .L = L, .d = d, .p = p}, {{"n", k * p}}) ==
      k * round(p / w, L) + round(p / w, l) + pairwise(p, p, w, l) + round(1, l) + round(1, L));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_direct_convolutions, ()) {
  const Number w = any(1, 8);
  const Number p = w * any(1, 4);
  const Number n = p * any(1, 4);
  const Number m = any(1, 9);
  const Number l = any(1, 9);
  // A number of x, one of y for each product, and z; consecutive words are in different banks.
  RC_ASSERT(
      machine_time<Convolution>("one-each", {.machine = MachineKind::dmm, .w = w, .l = l, .p = p},
                                {{"n", n}, {"m", m}}) == n / p * (2 * m + 1) * round(p / w, l));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_image_convolutions, ()) {
  const Number w = any(2, 6);
  const Number n = w * any(1, 4);
  const Number v = any(0, smaller(w, n) - 1);
  const Number rows_at_once = any(v + 1, v + 3);
  const Number rows = rows_at_once * any(1, 3);
  const Number l = any(1, 9);
  // A pixel and a weight for each product inside, where all warps of a row take part, and the sum.
  Number rows_inside = 0;
  for (Number s = 0; s <= 2 * v; ++s) {
    const Number outside = s < v ? v - s : s - v;
    rows_inside += rows > outside ? rows - outside : 0;
  }
  const Number side = 2 * v + 1;
  const Number stages = (2 * side * rows_inside + rows) * (n / w);
  Number rounds = 0;  // those in which some row of a turn is inside
  for (Number first = 0; first < rows; first += rows_at_once) {
    ++rounds;
    for (Number s = 0; s <= 2 * v; ++s) {
      const bool inside = first + rows_at_once - 1 + s >= v && first + s < rows + v;
      rounds += inside ? 2 * side : 0;
    }
  }
  RC_ASSERT(machine_time<ImageConvolution>(
                "CONV-DMM", {.machine = MachineKind::dmm, .w = w, .l = l, .p = n * rows_at_once},
                {{"rows", rows}, {"columns", n}, {"v", v}}) == stages + rounds * (l - 1));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_matrix_products, ()) {
  const Number w = any(1, 5);
  const Number n = w * any(1, 4);
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  // Of each of n³ products both factors, and each of n² elements written; k rows at a time.
  const Number k = any(1, 2);
  const Number rows = k * any(1, 4);
  RC_ASSERT(machine_time<MatrixProduct>("MUL-DMM",
                                        {.machine = MachineKind::dmm, .w = w, .l = l, .p = k * n},
                                        {{"rows", rows}, {"inner", n}, {"columns", n}}) ==
            rows / k * (2 * n + 1) * round(k * n / w, l));
  // Tiles of m², a thread for each element; all tiles of a wave at a time.
  const Number m = w * any(1, 2);
  const Number tiles = any(1, 3);  // a side
  const Number d = *rc::gen::element(Number{1}, tiles, tiles * tiles);
  const Number words = m * m / w;  // stages of a tile
  const Number of_wave =
      (2 * tiles + 1) * round(d * words, L) + tiles * (2 * m + 4) * round(words, l);
  RC_ASSERT(machine_time<MatrixProduct>(
                "MUL-HMM", {.w = w, .l = l, .L = L, .d = d, .p = m * m},
                {{"rows", tiles * m}, {"inner", tiles * m}, {"columns", tiles * m}, {"m", m}}) ==
            tiles * tiles / d * of_wave);
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables, ()) {
  const Number w = any(1, 5);
  const Number d = any(1, 3);
  const Number p = w * any(1, 3);
  const Number side = d * p * any(1, 2);
  const Number L = any(1, 30);
  const Number turns = side / (d * p);  // blocks of a DMM, one after another
  // Down the columns: coalesced; along the rows: a group for each row. All but the first of a
  // column or row are written, too.
  const auto sums = [&](Number stages) { return turns * (2 * side - 1) * round(stages, L); };
  RC_ASSERT(machine_time<SummedAreaTable>("2R2W", {.w = w, .L = L, .d = d, .p = p},
                                          {{"rows", side}, {"columns", side}}) ==
            sums(d * p / w) + sums(d * p));
}

}  // namespace
}  // namespace bankproof
