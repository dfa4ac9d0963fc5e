// One-dimensional convolutions on a device: they give the oracle's result with the accesses of the
// model's algorithms.
#include "../../../cuda/kernels/convolution/line_convolution.hpp"

#include "../../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "float_bounds.hpp"

namespace bankproof::cuda::tests {
namespace {

const std::vector<LineVariant> all_line_variants = {LineVariant::basic, LineVariant::constant_mask,
                                                    LineVariant::tiled, LineVariant::cached};
const char* variant_of_line(LineVariant variant) {
  switch (variant) {
    case LineVariant::basic:
      return "1d-basic";
    case LineVariant::constant_mask:
      return "1d-constant";
    case LineVariant::tiled:
      return "1d-tiled";
    case LineVariant::cached:
      return "1d-cached";
  }
  return "";
}

template <class T>
class DeviceLineConvolution : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceLineConvolution, Numbers);

/// Lines in blocks that may be narrower than the halo.
LineShape any_line() {
  return {*rc::gen::element(GhostCells::zero, GhostCells::nearest),
          *rc::gen::elementOf(std::vector<std::uint32_t>{1, 5, 31, 32, 96, 256})};
}
std::size_t any_mask_size() { return 2 * *rc::gen::inRange<std::size_t>(0, 20) + 1; }

template <class T>
std::vector<T> convolved_line(const std::vector<T>& n, const std::vector<T>& m,
                              const LineShape& shape, LineVariant variant) {
  GuardedArray<T> n_array(n);
  GuardedArray<T> m_array(m);
  GuardedArray<T> p(n.size());
  line_convolution<T>(n_array.in(), m_array.in(), p.data(), shape, variant);
  return p.values();
}

TYPED_TEST(DeviceLineConvolution, is_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto n = numbers<T>(any_size(600));
    const auto m = numbers<T>(any_mask_size());
    const LineShape shape = any_line();
    const LineVariant variant = *rc::gen::elementOf(all_line_variants);
    const auto expected = oracle::convolution_of_line(converted<Word<T>>(n), converted<Word<T>>(m),
                                                      shape.ghosts == GhostCells::nearest);
    require_equal(convolved_line(n, m, shape, variant), converted<T>(expected),
                  a_thread_each(shape.threads));
  });
}

TEST(DeviceLineConvolutionOfFloats, is_within_its_bound) {
  check([] {
    const auto n = rounded_numbers<float>(any_size(600));
    const auto m = rounded_numbers<float>(any_mask_size());
    const LineShape shape = any_line();
    const bool nearest = shape.ghosts == GhostCells::nearest;
    require_near(convolved_line(n, m, shape, *rc::gen::elementOf(all_line_variants)),
                 oracle::convolution_of_line(bounded(n), bounded(m), nearest));
  });
}

// In the model, threads past the end read shared memory; kernels need not.
TEST(DeviceLineConvolutionOnMachine, makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const auto m = any_mask_size();
    const LineShape shape = any_line();
    const bool whole = *rc::gen::arbitrary<bool>();
    const auto n = rounded_up<std::size_t>(any_size(1500) + 1, whole ? shape.threads : 1);
    const LineVariant variant = *rc::gen::elementOf(all_line_variants);
    convolved_line(std::vector<float>(n, 1), std::vector<float>(m, 1), shape, variant);
    const MachineCounts counts = take_counts();

    const Task task = bankproof::testing::task_of<TiledConvolution>(
        variant_of_line(variant),
        {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = 1, .p = shape.threads},
        {{"columns", n},
         {"v", m / 2},
         {"t", shape.threads},
         {"nearest", shape.ghosts == GhostCells::nearest ? 1 : 0}});
    const MachineCounts model = counts_of_model<TiledConvolution>(task);
    if (whole) RC_ASSERT(counts.wavefronts == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
  });
}

TEST(DeviceLineConvolutionErrors, name_what_is_wrong) {
  GuardedArray<float> n(std::vector<float>(10000, 1));
  GuardedArray<float> p(10000);
  const auto long_mask = n.in().first(4097);
  const auto mask = n.in().first(3);
  EXPECT_THROW(line_convolution<float>(n.in(), n.in(), p.data()), std::invalid_argument);
  EXPECT_THROW(line_convolution<float>(n.in(), long_mask, p.data()), std::invalid_argument);
  EXPECT_THROW(line_convolution<float>(n.in(), mask, p.data(), {.threads = 0}),
               std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::cuda::tests
