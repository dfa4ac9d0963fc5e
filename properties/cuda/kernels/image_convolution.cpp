// Convolutions of images on a device: they give the oracle's result with the accesses of the
// model's algorithm.
#include "../../../cuda/kernels/convolution/image_convolution.hpp"

#include "../../../algorithms/image_convolution.hpp"
#include "../../../oracles/ghost_cells.hpp"
#include "float_bounds.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceImageConvolution : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceImageConvolution, Numbers);

struct Image {
  std::size_t rows, columns, v;

  static Image any(std::size_t most_of_v) {
    return {*rc::gen::inRange<std::size_t>(0, 70), *rc::gen::inRange<std::size_t>(0, 80),
            *rc::gen::inRange<std::size_t>(0, most_of_v + 1)};
  }
  std::size_t pixels() const { return rows * columns; }
  std::size_t weights() const { return (2 * v + 1) * (2 * v + 1); }
};
ImageBlocks any_blocks() {
  return {*rc::gen::elementOf(std::vector<std::uint32_t>{1, 32, 50, 256, 1024}),
          *rc::gen::elementOf(std::vector<std::uint32_t>{0, 1, 3, 50})};
}

template <class T>
std::vector<T> convolved_by_tiles(const std::vector<T>& a, const std::vector<T>& b,
                                  const Image& image, const ImageBlocks& blocks) {
  GuardedArray<T> a_array(a);
  GuardedArray<T> b_array(b);
  GuardedArray<T> c(a.size());
  image_convolution_by_tiles<T>(a_array.in(), b_array.in(), c.data(), image.rows, image.columns,
                                blocks);
  return c.values();
}

TYPED_TEST(DeviceImageConvolution, by_tiles_is_the_oracles) {
  check([] {
    using T = TypeParam;
    const Image image = Image::any(4);
    const auto a = numbers<T>(image.pixels());
    const auto b = numbers<T>(image.weights());
    const auto expected = oracle::image_convolution(converted<Word<T>>(a), converted<Word<T>>(b),
                                                    image.rows, image.columns, image.v);
    const ImageBlocks blocks = any_blocks();
    require_equal(convolved_by_tiles(a, b, image, blocks), converted<T>(expected),
                  sweeping_tiles(image.columns, 32, blocks.threads, blocks.blocks));
  });
}

TEST(DeviceImageConvolutionOfFloats, by_tiles_is_within_its_bound) {
  check([] {
    const Image image = Image::any(4);
    const auto a = rounded_numbers<float>(image.pixels());
    const auto b = rounded_numbers<float>(image.weights());
    require_near(
        convolved_by_tiles(a, b, image, any_blocks()),
        oracle::image_convolution(bounded(a), bounded(b), image.rows, image.columns, image.v));
  });
}

/// Even if rows are whole packets, the kernel may write single elements: c need not begin at a
/// multiple of 16 bytes.
template <class T>
std::vector<T> convolved_image(const std::vector<T>& a, const std::vector<T>& b, const Image& image,
                               GhostCells ghosts) {
  const std::size_t offset = *rc::gen::inRange<std::size_t>(0, 2);
  GuardedArray<T> a_array(a);
  GuardedArray<T> c(a.size() + offset);
  image_convolution<T>(a_array.in(), b, c.data() + offset, image.rows, image.columns, ghosts);
  const std::vector<T> all = c.values();
  return {all.begin() + static_cast<std::ptrdiff_t>(offset), all.end()};
}

/// An image of one or two tiles; every other time its rows are whole packets.
Image any_wide_image() {
  Image image = Image::any(5);
  image.columns = *rc::gen::inRange<std::size_t>(0, 180);
  if (*rc::gen::arbitrary<bool>()) image.columns = rounded_up<std::size_t>(image.columns, 4);
  return image;
}
GhostCells any_ghosts() { return *rc::gen::element(GhostCells::zero, GhostCells::nearest); }

TYPED_TEST(DeviceImageConvolution, blocked_is_the_oracles) {
  check([] {
    using T = TypeParam;
    const Image image = any_wide_image();
    const GhostCells ghosts = any_ghosts();
    const auto a = numbers<T>(image.pixels());
    const auto b = numbers<T>(image.weights());
    const auto expected =
        oracle::convolution_of_image(converted<Word<T>>(a), converted<Word<T>>(b), image.rows,
                                     image.columns, 1, image.v, ghosts == GhostCells::nearest);
    require_equal(convolved_image(a, b, image, ghosts), converted<T>(expected),
                  image_in_registers<T>(image.columns));
  });
}

TEST(DeviceImageConvolutionOfFloats, blocked_is_within_its_bound) {
  check([] {
    const Image image = any_wide_image();
    const GhostCells ghosts = any_ghosts();
    const auto a = rounded_numbers<float>(image.pixels());
    const auto b = rounded_numbers<float>(image.weights());
    require_near(convolved_image(a, b, image, ghosts),
                 oracle::convolution_of_image(bounded(a), bounded(b), image.rows, image.columns, 1,
                                              image.v, ghosts == GhostCells::nearest));
  });
}

// The model also reads the part of a tile beyond the edge in shared memory, without writing a
// result.
TEST(DeviceImageConvolutionOnMachine, by_tiles_makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    Image image = Image::any(4);
    const bool whole = *rc::gen::arbitrary<bool>();
    image.rows = whole ? rounded_up<std::size_t>(image.rows + 1, 32) : image.rows + 1;
    image.columns = whole ? rounded_up<std::size_t>(image.columns + 1, 32) : image.columns + 1;
    const std::uint32_t threads = any_blocks().threads;
    convolved_by_tiles(std::vector<float>(image.pixels(), 1),
                       std::vector<float>(image.weights(), 1), image, {threads});
    const MachineCounts counts = take_counts();

    const Task task = bankproof::testing::task_of<ImageConvolution>(
        "CONV-HMM", {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = 1, .p = threads},
        {{"rows", image.rows}, {"columns", image.columns}, {"v", image.v}});
    const MachineCounts model = counts_of_model<ImageConvolution>(task);
    if (whole) RC_ASSERT(counts.wavefronts == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
  });
}

TEST(DeviceImageConvolutionOnMachine, blocked_moves_a_fifth_more_than_a_copy_at_most) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  for (const std::size_t v : {1U, 2U, 3U}) {
    const Image image{96, 384, v};
    GuardedArray<float> a(std::vector<float>(image.pixels(), 1));
    GuardedArray<float> c(image.pixels());
    take_launches_of_machine();
    image_convolution<float>(a.in(), std::vector<float>(image.weights(), 1), c.data(), image.rows,
                             image.columns);
    const std::size_t of_copy = 2 * image.pixels() * sizeof(float) / 32;
    const MachineCounts counts = take_counts();
    EXPECT_GE(counts.sectors, of_copy);
    EXPECT_LE(5 * counts.sectors, 6 * of_copy);
  }
}

TEST(DeviceImageConvolutionErrors, name_what_is_wrong) {
  GuardedArray<float> a(std::vector<float>(10000, 1));
  GuardedArray<float> c(10000);
  const auto by_tiles = [&](std::size_t weights, std::size_t rows, std::uint32_t threads) {
    image_convolution_by_tiles<float>(a.in(), a.in().first(weights), c.data(), rows, 100,
                                      {threads});
  };
  const auto blocked = [&](std::size_t weights, std::size_t rows) {
    image_convolution<float>(a.in(), std::vector<float>(weights), c.data(), rows, 100);
  };
  EXPECT_THROW(blocked(9, 99), std::invalid_argument);
  EXPECT_THROW(blocked(8, 100), std::invalid_argument);
  EXPECT_THROW(by_tiles(9, 99, 256), std::invalid_argument);
  EXPECT_THROW(by_tiles(9, 100, 0), std::invalid_argument);
  EXPECT_THROW(by_tiles(8, 100, 256), std::invalid_argument);
  EXPECT_THROW(by_tiles(6561, 100, 256), std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::cuda::tests
