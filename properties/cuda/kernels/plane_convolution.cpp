// Two-dimensional convolutions on a device: they give the oracle's result with the accesses of the
// model's algorithms.
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"

#include "../../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "float_bounds.hpp"

namespace bankproof::cuda::tests {
namespace {

const std::vector<PlaneVariant> all_plane_variants = {
    PlaneVariant::basic, PlaneVariant::constant_mask, PlaneVariant::tiled};
const char* variant_of_plane(PlaneVariant variant) {
  switch (variant) {
    case PlaneVariant::basic:
      return "2d-basic";
    case PlaneVariant::constant_mask:
      return "2d-constant";
    case PlaneVariant::tiled:
      return "2d-tiled";
  }
  return "";
}

template <class T>
class DevicePlaneConvolution : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DevicePlaneConvolution, Numbers);

/// Planes whose rows may be padded to a multiple of a warp, or by a few elements.
PlaneShape any_plane() {
  PlaneShape shape{.rows = *rc::gen::inRange<std::size_t>(0, 30),
                   .columns = *rc::gen::inRange<std::size_t>(0, 50),
                   .channels = *rc::gen::inRange<std::size_t>(1, 4),
                   .ghosts = *rc::gen::element(GhostCells::zero, GhostCells::nearest),
                   .tile = *rc::gen::elementOf(std::vector<std::uint32_t>{1, 7, 16, 33}),
                   .threads = *rc::gen::elementOf(std::vector<std::uint32_t>{1, 32, 96, 256})};
  const std::size_t row = shape.columns * shape.channels;
  shape.pitch =
      *rc::gen::elementOf(std::vector<std::size_t>{row, row + 3, rounded_up<std::size_t>(row, 32)});
  return shape;
}
std::size_t any_radius() { return *rc::gen::inRange<std::size_t>(0, 4); }

/// The elements of the image, row after row, without the padding.
template <class T>
std::vector<T> convolved_plane(const std::vector<T>& n, const std::vector<T>& m,
                               const PlaneShape& shape, PlaneVariant variant) {
  const std::size_t row = shape.columns * shape.channels;
  std::vector<T> pitched(shape.rows * shape.pitch);
  for (std::size_t k = 0; k < n.size(); ++k) pitched[k / row * shape.pitch + k % row] = n[k];
  GuardedArray<T> n_array(pitched);
  GuardedArray<T> m_array(m);
  const std::vector<T> untouched(pitched.size(), T{77});
  GuardedArray<T> p(untouched);
  plane_convolution<T>(n_array.in(), m_array.in(), p.data(), shape, variant);
  const std::vector<T> all = p.values();
  std::vector<T> values;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k % shape.pitch < row) {
      values.push_back(all[k]);
    } else {
      RC_ASSERT(all[k] == T{77});
    }
  }
  return values;
}

TYPED_TEST(DevicePlaneConvolution, is_the_oracles) {
  check([] {
    using T = TypeParam;
    const PlaneShape shape = any_plane();
    const std::size_t v = any_radius();
    const auto n = numbers<T>(shape.rows * shape.columns * shape.channels);
    const auto m = numbers<T>((2 * v + 1) * (2 * v + 1));
    const auto expected = oracle::convolution_of_image(converted<Word<T>>(n), converted<Word<T>>(m),
                                                       shape.rows, shape.columns, shape.channels, v,
                                                       shape.ghosts == GhostCells::nearest);
    const WriterOf of_pixel = sweeping_tiles(shape.columns, shape.tile, shape.threads);
    require_equal(convolved_plane(n, m, shape, *rc::gen::elementOf(all_plane_variants)),
                  converted<T>(expected),
                  [&](std::size_t e) { return of_pixel(e / shape.channels); });
  });
}

TEST(DevicePlaneConvolutionOfFloats, is_within_its_bound) {
  check([] {
    const PlaneShape shape = any_plane();
    const std::size_t v = any_radius();
    const auto n = rounded_numbers<double>(shape.rows * shape.columns * shape.channels);
    const auto m = rounded_numbers<double>((2 * v + 1) * (2 * v + 1));
    require_near(
        convolved_plane(n, m, shape, *rc::gen::elementOf(all_plane_variants)),
        oracle::convolution_of_image(bounded(n), bounded(m), shape.rows, shape.columns,
                                     shape.channels, v, shape.ghosts == GhostCells::nearest));
  });
}

// In the model, threads past the edge read shared memory; kernels need not.
TEST(DevicePlaneConvolutionOnMachine, makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    PlaneShape shape = any_plane();
    const bool whole = *rc::gen::arbitrary<bool>();
    shape.rows = rounded_up<std::size_t>(shape.rows + 1, whole ? shape.tile : 1);
    shape.columns = rounded_up<std::size_t>(shape.columns + 1, whole ? shape.tile : 1);
    const std::size_t row = shape.columns * shape.channels;
    const bool padded = *rc::gen::arbitrary<bool>();
    shape.pitch = padded ? rounded_up<std::size_t>(row, 32) : row;
    const std::size_t v = any_radius();
    const PlaneVariant variant = *rc::gen::elementOf(all_plane_variants);
    convolved_plane(std::vector<float>(shape.rows * row, 1),
                    std::vector<float>((2 * v + 1) * (2 * v + 1), 1), shape, variant);
    const MachineCounts counts = take_counts();

    const Task task = bankproof::testing::task_of<TiledConvolution>(
        variant_of_plane(variant),
        {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = 1, .p = shape.threads},
        {{"columns", shape.columns},
         {"rows", shape.rows},
         {"channels", shape.channels},
         {"v", v},
         {"t", shape.tile},
         {"nearest", shape.ghosts == GhostCells::nearest ? 1 : 0},
         {"padded", padded ? 1 : 0}});
    const MachineCounts model = counts_of_model<TiledConvolution>(task);
    if (whole) RC_ASSERT(counts.wavefronts == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
  });
}

TEST(DevicePlaneConvolutionErrors, name_what_is_wrong) {
  GuardedArray<float> n(std::vector<float>(10000, 1));
  GuardedArray<float> p(10000);
  const auto mask = n.in().first(9);
  const auto call = [&](std::span<const float> m, const PlaneShape& shape) {
    plane_convolution<float>(n.in(), m, p.data(), shape);
  };
  EXPECT_THROW(call(n.in().first(4), {100, 100}), std::invalid_argument);
  EXPECT_THROW(call(n.in().first(4225), {100, 100}), std::invalid_argument);
  EXPECT_THROW(call(mask, {101, 100}), std::invalid_argument);
  EXPECT_THROW(call(mask, {.rows = 10, .columns = 10, .pitch = 9}), std::invalid_argument);
  EXPECT_THROW(call(mask, {.rows = 10, .columns = 10, .tile = 200}), std::invalid_argument);
  EXPECT_THROW(call(mask, {.rows = 10, .columns = 10, .threads = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::cuda::tests
