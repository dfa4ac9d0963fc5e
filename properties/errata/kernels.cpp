// The kernels of CONV give wrong results as printed, and right results when corrected (rows K1 to
// K5 and K10; docs/errata.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../model/machine.hpp"
#include "../../model/observers/initialization.hpp"
#include "../../model/observers/races.hpp"
#include "../../oracles/ghost_cells.hpp"
#include "../../testing/property.hpp"
#include "../../testing/values.hpp"

namespace bankproof::testing {
namespace {

using Words = std::vector<std::uint64_t>;
using Numbers = Array<std::uint64_t>;

/// A kernel on N, M and P, as printed or mended. A mended kernel tests whether the line has an
/// element i.
using LineKernel = Program (*)(Warp&, Numbers&, Numbers&, Numbers&, bool);

/// Figures 7.6 and 7.8: the last statement writes P[i] for every i.
Program basic_line(Warp& warp, Numbers& n, Numbers& m, Numbers& p, bool mended) {
  const Progression i = warp.block() * warp.threads() + warp.thread();
  Lanes<std::uint64_t> sum = warp.all(std::uint64_t{});
  for (Address j = 0; j < m.size(); ++j) {
    const Progression element = i + j - m.size() / 2;
    const auto present = warp.only(element < n.size());
    const Lanes<std::uint64_t> value = co_await n.read(element);
    const Lanes<std::uint64_t> weight = co_await m.read(warp.same(j));
    sum += value * weight;
  }
  const auto with_output = warp.only(i < (mended ? p.size() : unlimited));
  co_await p.write(i, sum);
}

/// Sets cells[place] to N[element], or to zero if N has no element of that index.
Program load_cell(Warp& warp, Numbers& n, Numbers& cells, const Progression element,
                  const Progression place) {
  Lanes<std::uint64_t> values = warp.all(std::uint64_t{});
  {
    const auto present = warp.only(element < n.size());
    values = co_await n.read(element);
  }
  co_await cells.write(place, values);
}

/// Figure 7.11: the last and the first threads load the halo cells; the kernel reads N[i] for every
/// i.
Program tiled_line(Warp& warp, Numbers& n, Numbers& m, Numbers& p, bool mended) {
  const Address threads = warp.threads();
  const Address radius = m.size() / 2;
  const Progression i = warp.block() * threads + warp.thread();
  auto& cells = warp.shared<std::uint64_t>(threads + 2 * radius, "N_ds");
  {
    const auto last = warp.only(threads <= warp.thread() + radius);
    co_await load_cell(warp, n, cells, i - threads, warp.thread() + radius - threads);
  }
  if (mended) {
    co_await load_cell(warp, n, cells, i, radius + warp.thread());
  } else {
    const Lanes<std::uint64_t> values = co_await n.read(i);
    co_await cells.write(radius + warp.thread(), values);
  }
  {
    const auto first = warp.only(warp.thread() < radius);
    co_await load_cell(warp, n, cells, i + threads, radius + threads + warp.thread());
  }
  co_await barrier();
  Lanes<std::uint64_t> sum = warp.all(std::uint64_t{});
  for (Address j = 0; j < m.size(); ++j) {
    const Lanes<std::uint64_t> value = co_await cells.read(warp.thread() + j);
    const Lanes<std::uint64_t> weight = co_await m.read(warp.same(j));
    sum += value * weight;
  }
  const auto with_output = warp.only(i < (mended ? p.size() : unlimited));
  co_await p.write(i, sum);
}

/// Figure 7.14: the halo stays in global memory; the kernel reads N[i] for every i.
Program cached_line(Warp& warp, Numbers& n, Numbers& m, Numbers& p, bool mended) {
  const Address begin = warp.block() * warp.threads();
  const Progression i = begin + warp.thread();
  auto& tile = warp.shared<std::uint64_t>(warp.threads(), "N_ds");
  if (mended) {
    co_await load_cell(warp, n, tile, i, warp.thread());
  } else {
    const Lanes<std::uint64_t> values = co_await n.read(i);
    co_await tile.write(warp.thread(), values);
  }
  co_await barrier();
  Lanes<std::uint64_t> sum = warp.all(std::uint64_t{});
  for (Address j = 0; j < m.size(); ++j) {
    const Progression element = i + j - m.size() / 2;
    const Mask in_tile = (begin <= element) & (element < begin + warp.threads());
    const auto present = warp.only(element < n.size());
    Lanes<std::uint64_t> value = warp.all(std::uint64_t{});
    {
      const auto inner = warp.only(in_tile);
      value += co_await tile.read(element - begin);
    }
    {
      const auto outer = warp.only(~in_tile);
      value += co_await n.read(element);
    }
    const Lanes<std::uint64_t> weight = co_await m.read(warp.same(j));
    sum += value * weight;
  }
  const auto with_output = warp.only(i < (mended ? p.size() : unlimited));
  co_await p.write(i, sum);
}

Words random_words(std::uint64_t count, std::uint64_t seed) {
  return random_inputs<std::uint64_t>({{"words", count}}, seed).front();
}

std::uint64_t number(std::uint64_t least, std::uint64_t most) {
  return *rc::gen::inRange<std::uint64_t>(least, most + 1);
}

struct Line {
  Words n;
  Words m;
  std::uint64_t threads;

  std::uint64_t radius() const { return m.size() / 2; }
  bool is_divided() const { return n.size() % threads == 0; }
};

Words convolve(LineKernel kernel, const Line& line, bool mended) {
  Hmm machine({.dmms = 2, .width = 4});
  Races races;
  Initialization initialization;
  machine.attach(races);
  machine.attach(initialization);
  Numbers n(machine.global(), line.n, "N");
  Numbers m(machine.global(), line.m, "M");
  Numbers p(machine.global(), line.n.size(), "P");
  machine.launch({.blocks = ceil_div(line.n.size(), line.threads),
                  .threads = line.threads,
                  .shared_words = rounded_up(line.threads + 2 * line.radius(), std::uint64_t{4})},
                 kernel, n, m, p, mended);
  return {p.values().begin(), p.values().end()};
}

/// Lines of any length, with blocks no smaller than the radius.
Line any_line() {
  const std::uint64_t radius = number(0, 4);
  const std::uint64_t threads = number(std::max<std::uint64_t>(radius, 1), 12);
  const std::uint64_t n = number(0, 1) == 0 ? threads * number(1, 5) : number(1, 60);
  return {random_words(n, 1), random_words(2 * radius + 1, 2), threads};
}

BANKPROOF_PROPERTY(Errata, kernels_of_CONV_for_lines_need_widths_that_their_blocks_divide, ()) {
  const Line line = any_line();
  const Words expected = oracle::convolution_of_line(line.n, line.m, false);
  for (const LineKernel kernel : {&basic_line, &tiled_line, &cached_line}) {
    RC_ASSERT(convolve(kernel, line, true) == expected);
    if (line.is_divided()) {
      RC_ASSERT(convolve(kernel, line, false) == expected);
      continue;
    }
    try {
      convolve(kernel, line, false);
      RC_FAIL("no fault");
    } catch (const Fault& fault) {
      RC_ASSERT(fault.kind() == FaultKind::out_of_bounds);
    }
  }
}

TEST(Errata, tiled_kernel_of_CONV_leaves_halo_cells_out_where_the_radius_exceeds_the_block) {
  const Line line{Words(12, 1), Words(7, 1), 2};
  EXPECT_EQ(convolve(&cached_line, line, false), convolve(&basic_line, line, false));
  try {
    convolve(&tiled_line, line, false);
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.kind(), FaultKind::uninitialized) << fault.what();
  }
}

TEST(Errata, an_element_of_CONV_figure_7_12_is_used_by_the_outputs_around_it) {
  // N[2] = 1 and a mask of five ones: P is 1 where an output uses N[2]. CONV says that these are
  // P[2] to P[6].
  const Line line{{0, 0, 1, 0, 0, 0, 0, 0}, Words(5, 1), 4};
  EXPECT_EQ(convolve(&basic_line, line, false), (Words{1, 1, 1, 1, 1, 0, 0, 0}));
}

TEST(Errata, element_i_is_used_for_output_i_though_CONV_7_2_leaves_it_out) {
  // With a mask that has only its middle weight, P is N; CONV's list omits N[i].
  const Words n = {4, 1, 3, 2, 3, 9, 8, 7};
  EXPECT_EQ(convolve(&basic_line, {n, {0, 0, 1, 0, 0}, 4}, false), n);
}

/// The kernel of figures 7.19 to 7.21, with the choices that the figures leave open or get wrong.
struct PlaneKernel {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t radius;
  std::uint64_t tile;
  std::int64_t shift = 0;  ///< added to row_o − Mask_Width/2 and to col_o − Mask_Width/2
  bool with_barrier = true;

  std::uint64_t mask() const { return 2 * radius + 1; }
  std::uint64_t side() const { return tile + 2 * radius; }
  std::uint64_t across() const { return ceil_div(columns, tile); }
};

/// Each pixel of the input tile has a thread.
Program tiled_plane(Warp& warp, Numbers& n, Numbers& m, Numbers& p, const PlaneKernel kernel) {
  const Address side = kernel.side();
  const Lanes<Address> ty = warp.thread() / side;
  const Lanes<Address> tx = warp.thread() % side;
  const Lanes<Address> row_o = warp.block() / kernel.across() * kernel.tile + ty;
  const Lanes<Address> col_o = warp.block() % kernel.across() * kernel.tile + tx;
  const Address offset = static_cast<Address>(kernel.shift) - kernel.radius;
  const Lanes<Address> row_i = row_o + offset;
  const Lanes<Address> col_i = col_o + offset;
  auto& pixels = warp.shared<std::uint64_t>(side * side, "Ns");
  Lanes<std::uint64_t> values = warp.all(std::uint64_t{});
  {
    const auto present = warp.only((row_i < kernel.rows) & (col_i < kernel.columns));
    values = co_await n.read(row_i * kernel.columns + col_i);
  }
  co_await pixels.write(warp.thread(), values);
  if (kernel.with_barrier) co_await barrier();
  const auto with_output = warp.only((ty < kernel.tile) & (tx < kernel.tile) &
                                     (row_o < kernel.rows) & (col_o < kernel.columns));
  Lanes<std::uint64_t> sum = warp.all(std::uint64_t{});
  for (Address i = 0; i < kernel.mask(); ++i) {
    for (Address j = 0; j < kernel.mask(); ++j) {
      const Lanes<std::uint64_t> value = co_await pixels.read((i + ty) * side + j + tx);
      const Lanes<std::uint64_t> weight = co_await m.read(warp.same(i * kernel.mask() + j));
      sum += value * weight;
    }
  }
  co_await p.write(row_o * kernel.columns + col_o, sum);
}

Words convolve(const PlaneKernel& kernel, const Words& image, const Words& mask,
               const std::vector<Observer*>& observers) {
  Hmm machine({.dmms = 2, .width = 4});
  for (Observer* observer : observers) machine.attach(*observer);
  Numbers n(machine.global(), image, "N");
  Numbers m(machine.global(), mask, "M");
  Numbers p(machine.global(), image.size(), "P");
  machine.launch({.blocks = ceil_div(kernel.rows, kernel.tile) * kernel.across(),
                  .threads = kernel.side() * kernel.side(),
                  .shared_words = rounded_up(kernel.side() * kernel.side(), std::uint64_t{4})},
                 tiled_plane, n, m, p, kernel);
  return {p.values().begin(), p.values().end()};
}

PlaneKernel any_plane_kernel() {
  return {number(1, 10), number(1, 10), number(1, 2), number(1, 4)};
}

BANKPROOF_PROPERTY(Errata, kernel_of_CONV_7_20_and_7_21_needs_a_barrier_between_load_and_use, ()) {
  PlaneKernel kernel = any_plane_kernel();
  const auto image = random_words(kernel.rows * kernel.columns, 1);
  const auto mask = random_words(kernel.mask() * kernel.mask(), 2);
  Races races(OnFinding::record);
  Initialization initialization(OnFinding::record);
  const Words expected = oracle::convolution_of_image(image, mask, kernel.rows, kernel.columns, 1,
                                                      kernel.radius, false);
  RC_ASSERT(convolve(kernel, image, mask, {&races, &initialization}) == expected);
  RC_ASSERT(races.found().empty() && initialization.found().empty());
  kernel.with_barrier = false;
  convolve(kernel, image, mask, {&races});
  RC_ASSERT(!races.found().empty());
}

BANKPROOF_PROPERTY(Errata, kernel_of_CONV_7_19_shifts_the_image_by_the_one_it_adds, ()) {
  PlaneKernel kernel = any_plane_kernel();
  const auto image = random_words(kernel.rows * kernel.columns, 1);
  Words mask(kernel.mask() * kernel.mask());  // copies the middle pixel
  mask[mask.size() / 2] = 1;
  RC_ASSERT(convolve(kernel, image, mask, {}) == image);
  // The code in the figure shifts by 1. The text about the figure, which subtracts (Mask_Width/2 +
  // 1), shifts by −1.
  for (const std::int64_t shift : {1, -1}) {
    kernel.shift = shift;
    const Words shifted = convolve(kernel, image, mask, {});
    for (std::uint64_t row = 0; row < kernel.rows; ++row) {
      for (std::uint64_t column = 0; column < kernel.columns; ++column) {
        const std::uint64_t y = row + static_cast<std::uint64_t>(shift);
        const std::uint64_t x = column + static_cast<std::uint64_t>(shift);
        const bool present = y < kernel.rows && x < kernel.columns;
        RC_ASSERT(shifted[row * kernel.columns + column] ==
                  (present ? image[y * kernel.columns + x] : 0));
      }
    }
  }
}

}  // namespace
}  // namespace bankproof::testing
