// Direct convolutions (HMM VIII and IX), image convolutions (OPT III) and matrix products (OPT V),
// written out.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "../../../algorithms/convolution.hpp"
#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"
#include "../../../testing/property.hpp"
#include "times.hpp"

namespace bankproof::written_out {
namespace {

BANKPROOF_PROPERTY(TimesWrittenOut, of_direct_convolutions, ()) {
  const Number w = any(1, 8);
  const Number p = w * any(1, 4);
  const Number n = p * any(1, 4);
  const Number m = any(1, 9);
  const Number l = any(1, 9);
  // The program reads a number of x and a number of y for each product, and writes each number of z
  // once. Consecutive words lie in different banks.
  RC_ASSERT(
      machine_time<Convolution>("one-each", {.machine = MachineKind::dmm, .w = w, .l = l, .p = p},
                                {{"n", n}, {"m", m}}) == n / p * (2 * m + 1) * round(p / w, l));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_direct_convolutions_of_any_size, ()) {
  const MachineKind kind = *rc::gen::element(MachineKind::dmm, MachineKind::umm);
  const MachineParameters machine{.machine = kind, .w = any(1, 8), .l = any(1, 9), .p = any(1, 40)};
  const Number n = any(1, 60);
  const Number m = any(1, 9);
  Number time = 0;
  for (Number first = 0; first < n; first += machine.p) {
    const Number count = std::min(machine.p, n - first);
    for (Number term = 0; term < m; ++term) {
      time += round(ceil(count, machine.w), machine.l);  // all threads read one number of x
      time += round(stages(kind, first + term, count, 1, machine.w), machine.l);
    }
    time += round(stages(kind, first, count, 1, machine.w), machine.l);
  }
  RC_ASSERT(machine_time<Convolution>("one-each", machine, {{"n", n}, {"m", m}}) == time);
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_direct_convolutions_in_pieces, ()) {
  const Number w = any(1, 6);
  const Number n = w * any(1, 4);
  const Number log_pieces = any(0, 3);
  const Number pieces = Number{1} << log_pieces;
  const Number terms = any(1, 4);  // in a piece
  const Number l = any(1, 9);
  // The rounds read both factors of each term and write the sum of each piece; further rounds add
  // the pieces.
  const auto time = [&](Number terms_each) {
    Number sum = (2 * terms_each + 1) * round(pieces * n / w, l);
    for (Number rows = pieces / 2; rows > 0; rows /= 2) sum += 3 * round(rows * n / w, l);
    return sum;
  };
  const MachineParameters machine{.machine = MachineKind::dmm, .w = w, .l = l, .p = pieces * n};
  RC_ASSERT(machine_time<Convolution>("pieces", machine, {{"n", n}, {"m", pieces * terms}}) ==
            time(terms));
  RC_ASSERT(machine_time<Convolution>("products", machine, {{"n", n}, {"m", pieces}}) == time(1));
  RC_ASSERT(machine_time<Convolution>("pram", MachineParameters::pram(pieces * n),
                                      {{"n", n}, {"m", pieces * terms}}) ==
            2 * terms + 1 + 3 * log_pieces);
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_image_convolutions, ()) {
  const Number w = any(2, 6);
  const Number n = w * any(1, 4);
  const Number v = any(0, std::min(w, n) - 1);
  const Number rows_at_once = any(v + 1, v + 3);
  const Number rows = rows_at_once * any(1, 3);
  const Number l = any(1, 9);
  // For each product inside the image, all warps of a row read a pixel and a weight; then they
  // write the sum.
  Number rows_inside = 0;
  for (Number s = 0; s <= 2 * v; ++s) {
    const Number outside = s < v ? v - s : s - v;
    rows_inside += rows > outside ? rows - outside : 0;
  }
  const Number side = 2 * v + 1;
  const Number stages = (2 * side * rows_inside + rows) * (n / w);
  Number rounds = 0;  // rounds in which some row of a turn is inside
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

/// On each of d DMMs, p threads copy k consecutive words from global memory to shared memory, or
/// back.
Number copy_words(Number k, Number p, Number d, Number w, Number l, Number L) {
  Number time = 0;
  for (Number first = 0; first < k; first += p) {
    const Number stages = ceil(std::min(p, k - first), w);
    time += round(d * stages, L) + round(stages, l);
  }
  return time;
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_direct_convolutions_in_shares, ()) {
  const Number w = any(1, 6);
  const Number share = w * any(1, 4);
  const Number d = any(1, 4);
  const Number pieces = power_of_two(2);  // p/n threads for each number of a share
  const Number m = pieces * any(1, 5);
  const Number p = share * pieces;
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  Number time = copy_words(m, p, d, w, l, L) + copy_words(share + m - 1, p, d, w, l, L);
  time += (2 * m / pieces + 1) * round(p / w, l);
  for (Number rows = pieces / 2; rows > 0; rows /= 2) time += 3 * round(rows * share / w, l);
  time += copy_words(share, p, d, w, l, L);
  RC_ASSERT(machine_time<Convolution>("shares", {.w = w, .l = l, .L = L, .d = d, .p = p},
                                      {{"n", d * share}, {"m", m}}) == time);
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_image_convolutions_in_tiles, ()) {
  // Here v = w: a tile needs itself and its eight neighbors, and reads those tiles that lie inside
  // the image. 3wk threads load k rows of three tiles side by side at a time, where k divides w.
  // All tiles run at the same time.
  const Number w = any(1, 4);
  const Number k = *rc::gen::suchThat(rc::gen::inRange<Number>(1, w + 1),
                                      [w](Number rows) { return w % rows == 0; });
  const Number down = any(2, 4);
  const Number across = any(1, 3);
  const Number d = down * across;
  const Number p = 3 * w * k;
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  // Stages to read one row of all tiles that lie side by side, and of their neighbors.
  const Number stages_of_row = 3 * across - 2;
  Number time = 0;
  // The numbers of tiles that have a tile above, of all tiles, and of those with a tile below.
  for (const Number tiles : {down - 1, down, down - 1}) {
    time += w / k * (round(k * tiles * stages_of_row, L) + round(3 * k, l));
  }
  const Number weights = (2 * w + 1) * (2 * w + 1);
  time += copy_words(weights, p, d, w, l, L);
  for (Number row = 0; row < w; row += 3 * k) {
    const Number rows = std::min(3 * k, w - row);
    time += (2 * weights + 1) * round(rows, l);   // reads pixels and weights, writes sums
    time += round(rows, l) + round(d * rows, L);  // back
  }
  RC_ASSERT(machine_time<ImageConvolution>(
                "CONV-HMM", {.w = w, .l = l, .L = L, .d = d, .p = p},
                {{"rows", down * w}, {"columns", across * w}, {"v", w}}) == time);
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_matrix_products, ()) {
  const Number w = any(1, 5);
  const Number n = w * any(1, 4);
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  // The program reads both factors of n³ products and makes n² writes, for k rows at a time.
  const Number k = any(1, 2);
  const Number rows = k * any(1, 4);
  RC_ASSERT(machine_time<MatrixProduct>("MUL-DMM",
                                        {.machine = MachineKind::dmm, .w = w, .l = l, .p = k * n},
                                        {{"rows", rows}, {"inner", n}, {"columns", n}}) ==
            rows / k * (2 * n + 1) * round(k * n / w, l));
  // Tiles of m² with a thread for each element; all tiles of a wave run at the same time.
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

}  // namespace
}  // namespace bankproof::written_out
