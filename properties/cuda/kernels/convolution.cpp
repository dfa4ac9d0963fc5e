// Direct convolutions on a device: they give the oracle's result with the accesses of the model's
// algorithm.
#include "../../../cuda/kernels/convolution/convolution.hpp"

#include "../../../algorithms/convolution.hpp"
#include "float_bounds.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceConvolution : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceConvolution, Numbers);

ConvolutionShape any_convolution() {
  return {.blocks = *rc::gen::elementOf(std::vector<std::uint32_t>{0, 1, 2, 7, 40}),
          .threads = *rc::gen::elementOf(std::vector<std::uint32_t>{0, 1, 31, 32, 96, 200, 512})};
}

/// Convolves on the device; returns the n numbers of z.
template <class T>
std::vector<T> convolved(const std::vector<T>& x, const std::vector<T>& y,
                         const ConvolutionShape& shape) {
  GuardedArray<T> x_array(x);
  GuardedArray<T> y_array(y);
  GuardedArray<T> z(y.size() < x.size() ? 0 : y.size() - x.size() + 1);
  convolution<T>(x_array.in(), y_array.in(), z.data(), shape);
  return z.values();
}

TYPED_TEST(DeviceConvolution, is_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto x = numbers<T>(*rc::gen::inRange<std::size_t>(1, 60));
    const auto y = numbers<T>(any_size(1500));
    const auto expected = oracle::direct_convolution(converted<Word<T>>(x), converted<Word<T>>(y));
    const ConvolutionShape shape = any_convolution();
    require_equal(
        convolved(x, y, shape), converted<T>(expected),
        in_shares(expected.size(), shape.blocks, shape.threads == 0 ? 256 : shape.threads));
  });
}

TEST(DeviceConvolutionOfFloats, is_within_its_bound) {
  check([] {
    const auto x = rounded_numbers<float>(*rc::gen::inRange<std::size_t>(1, 60));
    const auto y = rounded_numbers<float>(any_size(1000));
    require_near(convolved(x, y, any_convolution()),
                 oracle::direct_convolution(bounded(x), bounded(y)));
  });
}

// The sizes give whole shares. In a partial share the model also reads shared memory beyond the
// end, without writing a result.
TEST(DeviceConvolutionOnMachine, makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const auto blocks = *rc::gen::inRange<std::uint32_t>(1, 8);
    const auto n = std::size_t{blocks} * 32 * *rc::gen::inRange<std::size_t>(1, 7);
    const auto m = *rc::gen::inRange<std::size_t>(1, 40);
    const auto threads = 32 * *rc::gen::inRange<std::uint32_t>(1, 17);
    convolved(std::vector<float>(m, 1), std::vector<float>(n + m - 1, 1), {blocks, threads});
    const MachineCounts counts = take_counts();

    const Task task = bankproof::testing::task_of<bankproof::Convolution>(
        "shares", {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = blocks, .p = threads},
        {{"n", n}, {"m", m}});
    const MachineCounts model = counts_of_model<bankproof::Convolution>(task);
    RC_ASSERT(counts.wavefronts == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
  });
}

TEST(DeviceConvolutionErrors, name_what_is_wrong) {
  GuardedArray<float> x(std::vector<float>(10000, 1));
  GuardedArray<float> y(std::vector<float>(20000, 1));
  GuardedArray<float> z(20000);
  const auto three = x.in().first(3);
  EXPECT_THROW(convolution<float>({}, y.in(), z.data()), std::invalid_argument);
  EXPECT_THROW(convolution<float>(x.in(), y.in(), z.data()), std::invalid_argument);
  EXPECT_THROW(convolution<float>(three, y.in(), z.data(), {1, 256}), std::invalid_argument);
  EXPECT_THROW(convolution<float>(three, y.in(), z.data(), {0, 2000}), std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::cuda::tests
