// Convolution in three dimensions (row K12; CONV 7.3) with a thread for each element and the mask
// in global or constant memory: its results, its operations per global access, and the sizes of its
// masks.
//
// Example: 2 × 2 × 2 ones and a mask of 3 × 3 × 3 ones give 8 everywhere, because each element has
// all eight in its window.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../../algorithms/layout.hpp"
#include "../../../model/machine.hpp"
#include "../../../oracles/ghost_cells.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/one_run.hpp"

namespace bankproof {
namespace {

using testing::any;
using Words = std::vector<std::uint64_t>;

/// Depth × rows × columns numbers, and a mask of 2·radius + 1 numbers in each dimension.
struct Volume {
  std::uint64_t depth;
  std::uint64_t rows;
  std::uint64_t columns;
  oracle::Radii radii;

  Shape n() const { return {"N", columns, rows, depth}; }
  Shape m() const { return {"M", 2 * radii.columns + 1, 2 * radii.rows + 1, 2 * radii.depth + 1}; }
  /// The number of terms of all sums, without ghost cells. Each dimension contributes the factor
  /// nm − v(v + 1), where v ≤ n.
  std::uint64_t products() const {
    const auto of = [](std::uint64_t length, std::uint64_t v) {
      return length * (2 * v + 1) - v * (v + 1);
    };
    return of(depth, radii.depth) * of(rows, radii.rows) * of(columns, radii.columns);
  }
};

/// The kernel of CONV figure 7.6 or 7.8, with three loops. A canary reads the mask backwards.
template <class T>
Program convolve_volume(Warp& warp, Array<T>& n, Array<T>& m, Array<T>& p, const Volume volume,
                        bool backwards) {
  const Progression i = row_major(warp.block(), warp.thread(), warp.threads());
  const auto with_output = warp.only(i < n.size());
  const Lanes<Address> line = i / volume.columns;
  const Lanes<Address> x = i % volume.columns;
  const Lanes<Address> y = line % volume.rows;
  const Lanes<Address> z = line / volume.rows;
  const Shape mask = volume.m();
  Lanes<T> sum = warp.all(T{});
  for (Address weight = 0; weight < m.size(); ++weight) {
    // An index below 0 wraps, and so is far above the size.
    const Lanes<Address> column = x + weight % mask.columns - volume.radii.columns;
    const Lanes<Address> row = y + weight / mask.columns % mask.rows - volume.radii.rows;
    const Lanes<Address> slice = z + weight / mask.columns / mask.rows - volume.radii.depth;
    const auto present =
        warp.only((slice < volume.depth) & (row < volume.rows) & (column < volume.columns));
    const Lanes<T> value = co_await n.read((slice * volume.rows + row) * volume.columns + column);
    const Lanes<T> factor = co_await m.read(warp.same(backwards ? m.size() - 1 - weight : weight));
    sum += value * factor;
  }
  co_await p.write(i, sum);
}

/// The machine and the kernel's options for a convolution.
struct OnMachine {
  Width w = 4;
  std::uint64_t threads = 8;  ///< per block
  bool constant = true;
  bool backwards = false;
  Mode mode = Mode::lockstep;
};

template <class T>
std::vector<T> convolved(const Volume& volume, const std::vector<T>& numbers,
                         const std::vector<T>& mask, const OnMachine& on,
                         Statistics* statistics = nullptr) {
  Hmm machine({.dmms = 2, .width = on.w, .global_latency = 5}, {.mode = on.mode});
  Races races;
  Initialization initialization;
  machine.attach(races);
  machine.attach(initialization);
  if (statistics != nullptr) machine.attach(*statistics);
  Memory& mask_memory = on.constant ? machine.add_constant_memory(1) : machine.global();
  Array<T> n(machine.global(), numbers, "N");
  Array<T> m(mask_memory, mask, "M");
  Array<T> p(machine.global(), n.size(), "P");
  machine.launch({.blocks = ceil_div(n.size(), on.threads), .threads = on.threads},
                 convolve_volume<T>, n, m, p, volume, on.backwards);
  return {p.values().begin(), p.values().end()};
}

template <class T>
std::vector<T> by_oracle(const Volume& volume, const std::vector<T>& n, const std::vector<T>& m) {
  return oracle::convolution_of_volume(n, m, volume.depth, volume.rows, volume.columns,
                                       volume.radii);
}

/// Volumes that may be smaller than the mask, or flat, with masks that need not be cubes.
Volume any_volume() { return {any(1, 5), any(1, 5), any(1, 5), {any(0, 2), any(0, 2), any(0, 2)}}; }

void gives_the_oracles_volume(bool backwards) {
  const Volume volume = any_volume();
  const auto words = [](const Shape& shape) {
    return *rc::gen::container<Words>(shape.size(), rc::gen::arbitrary<std::uint64_t>());
  };
  const Words n = words(volume.n());
  const Words m = words(volume.m());
  const OnMachine on{static_cast<Width>(any(1, 6)), any(1, 20), any(0, 1) == 0, backwards,
                     any(0, 1) == 0 ? Mode::lockstep : Mode::overlapped};
  RC_ASSERT(convolved(volume, n, m, on) == by_oracle(volume, n, m));
}

BANKPROOF_PROPERTY(VolumeConvolution, gives_the_oracles_result, ()) {
  gives_the_oracles_volume(false);
}

TEST(Canary, volumes_convolved_with_the_mask_backwards_are_caught) {
  EXPECT_TRUE(testing::caught([] { gives_the_oracles_volume(true); }));
}

TEST(VolumeConvolution, of_eight_ones_with_a_mask_of_27_gives_8) {
  EXPECT_EQ(convolved(Volume{2, 2, 2, {1, 1, 1}}, Words(8, 1), Words(27, 1), {}), Words(8, 8));
}

TEST(VolumeConvolution, of_all_values_is_decided_by_one_run_for_each_shape_to_3) {
  for (std::uint64_t shape = 0; shape < 216; ++shape) {
    const Volume volume{shape % 3 + 1,
                        shape / 3 % 3 + 1,
                        shape / 9 % 3 + 1,
                        {shape / 27 % 2, shape / 54 % 2, shape / 108}};
    const auto inputs = testing::indeterminates({volume.n(), volume.m()});
    const auto expected = by_oracle(volume, inputs[0], inputs[1]);
    const auto p = convolved(volume, inputs[0], inputs[1], {});
    ASSERT_EQ(p.size(), expected.size());
    for (std::size_t k = 0; k < p.size(); ++k) ASSERT_TRUE(is_same(p[k], expected[k])) << shape;
  }
}

/// The global accesses except those to P.
std::uint64_t accesses_of_inputs(const Volume& volume, bool constant, Statistics& statistics) {
  const Words n(volume.n().size(), 1);
  convolved(volume, n, Words(volume.m().size(), 1), {.constant = constant}, &statistics);
  return statistics.of_kind(MemoryKind::groups).requests - n.size();
}

BANKPROOF_PROPERTY(VolumeConvolution, makes_one_operation_a_global_access_or_two_with_constants,
                   ()) {
  // One multiplication and one addition for each product (CONV 7.2, 7.3).
  const Volume volume{any(2, 5), any(2, 5), any(2, 5), {any(0, 2), any(0, 2), any(0, 2)}};
  const std::uint64_t operations = 2 * volume.products();
  Statistics basic;
  Statistics constant;
  RC_ASSERT(operations == accesses_of_inputs(volume, false, basic));
  RC_ASSERT(operations == 2 * accesses_of_inputs(volume, true, constant));
  // All threads of a warp read the same element of the mask, in one stage.
  RC_ASSERT(constant.of_constants().requests == volume.products());
  RC_ASSERT(constant.of_constants().stages == constant.of_constants().accesses);
}

TEST(VolumeConvolution, has_masks_of_less_than_1000_elements_below_ten_a_dimension) {
  // The largest odd width below 10, and the next one; constant memory has 64 KB.
  const Volume nine{2, 3, 4, {4, 4, 4}};
  EXPECT_EQ(nine.m().size(), 729U);
  EXPECT_LT(4 * nine.m().size(), 64U * 1024U);
  EXPECT_EQ((Volume{2, 3, 4, {5, 5, 5}}.m().size()), 1331U);
  const Words n(24, 1);
  const Words m(729, 1);
  EXPECT_EQ(convolved(nine, n, m, {}), Words(24, 24));  // the mask covers all of N from anywhere
}

}  // namespace
}  // namespace bankproof
