// Infinities and NaNs reach all results that depend on them, and no others: a kernel must not add 0
// · ∞ for elements beyond an edge, or for weights that a mask does not have.
#include <cmath>

#include "../../../cuda/kernels/convolution/convolution.hpp"
#include "../../../cuda/kernels/convolution/image_convolution.hpp"
#include "../../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"
#include "../../../cuda/kernels/matrix_product/matrix_product.hpp"
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../../cuda/kernels/sum/sum.hpp"
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../../oracles/convolution.hpp"
#include "../../../oracles/ghost_cells.hpp"
#include "../../../oracles/matrix_product.hpp"
#include "../../../oracles/summed_area_table.hpp"
#include "../../../oracles/sums.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

/// Small whole numbers and one number that is not finite.
std::vector<float> with_one_not_finite(std::size_t size) {
  std::vector<float> values = numbers<float>(size);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  values[*rc::gen::inRange<std::size_t>(0, size)] = *rc::gen::elementOf(
      std::vector<float>{infinity, -infinity, std::numeric_limits<float>::quiet_NaN()});
  return values;
}

/// Accepts any of ∞, −∞ and NaN for a result that is not finite: the order of a sum decides which
/// it is.
void require_alike(const std::vector<float>& actual, const std::vector<float>& expected) {
  RC_ASSERT(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const bool alike =
        std::isfinite(expected[i]) ? actual[i] == expected[i] : !std::isfinite(actual[i]);
    if (!alike) fail_at(i, actual[i], expected[i], {});
  }
}

/// The values that call(out) leaves in `out`, which has `size` elements.
template <class Call>
std::vector<float> results(std::size_t size, Call call) {
  GuardedArray<float> out(size);
  call(out.data());
  return out.values();
}

TEST(DeviceNotFinite, is_in_the_sums_after_it) {
  check([] {
    const auto values = with_one_not_finite(any_size(5000) + 1);
    const std::size_t n = values.size();
    GuardedArray<float> in(values);
    GuardedArray<std::byte> of_sum(sum_scratch_bytes<float>(n));
    GuardedArray<std::byte> of_tiles(prefix_sums_scratch_bytes<float>(n));
    require_alike(results(1, [&](float* out) { sum<float>(in.in(), out, of_sum.span()); }),
                  {oracle::sum(values)});
    require_alike(
        results(n, [&](float* out) { prefix_sums<float>(in.in(), out, of_tiles.span()); }),
        oracle::prefix_sums(values));
  });
}

// Excludes the algorithms that compute differences, where ∞ − ∞ gives NaN.
TEST(DeviceNotFinite, is_in_the_table_below_and_to_the_right) {
  check([] {
    const auto rows = *rc::gen::inRange<std::size_t>(1, 90);
    const auto columns = *rc::gen::inRange<std::size_t>(1, 90);
    const TableOptions options = {
        .variant = *rc::gen::element(TableVariant::r2w2, TableVariant::r4w4, TableVariant::r2w1,
                                     TableVariant::look_back)};
    const auto values = with_one_not_finite(rows * columns);
    GuardedArray<float> in(values);
    GuardedArray<std::byte> scratch(summed_area_table_scratch_bytes<float>(rows, columns, options));
    require_alike(results(values.size(),
                          [&](float* out) {
                            summed_area_table<float>(in.in(), out, rows, columns, scratch.span(),
                                                     options);
                          }),
                  oracle::summed_area_table_2r2w(values, rows, columns));
  });
}

TEST(DeviceNotFinite, is_in_the_pixels_around_it) {
  check([] {
    const auto rows = *rc::gen::inRange<std::size_t>(1, 40);
    const auto columns = *rc::gen::inRange<std::size_t>(1, 150);
    const auto v = *rc::gen::inRange<std::size_t>(0, 6);
    const bool nearest = *rc::gen::arbitrary<bool>();
    const GhostCells ghosts = nearest ? GhostCells::nearest : GhostCells::zero;
    const auto image = with_one_not_finite(rows * columns);
    const auto mask = numbers<float>((2 * v + 1) * (2 * v + 1));
    const auto expected = oracle::convolution_of_image(image, mask, rows, columns, 1, v, nearest);
    GuardedArray<float> in(image);
    GuardedArray<float> weights(mask);
    require_alike(results(image.size(),
                          [&](float* out) {
                            image_convolution<float>(in.in(), mask, out, rows, columns, ghosts);
                          }),
                  expected);
    require_alike(results(image.size(),
                          [&](float* out) {
                            plane_convolution<float>(
                                in.in(), weights.in(), out,
                                {.rows = rows, .columns = columns, .ghosts = ghosts});
                          }),
                  expected);
  });
}

TEST(DeviceNotFinite, is_in_the_elements_of_a_line_around_it) {
  check([] {
    const auto line = with_one_not_finite(any_size(1000) + 1);
    const auto mask = numbers<float>(2 * *rc::gen::inRange<std::size_t>(0, 20) + 1);
    GuardedArray<float> in(line);
    GuardedArray<float> weights(mask);
    for (const LineVariant variant :
         {LineVariant::basic, LineVariant::tiled, LineVariant::cached}) {
      require_alike(results(line.size(),
                            [&](float* out) {
                              line_convolution<float>(in.in(), weights.in(), out, {}, variant);
                            }),
                    oracle::convolution_of_line(line, mask, false));
    }
    if (line.size() < mask.size()) return;
    require_alike(results(line.size() - mask.size() + 1,
                          [&](float* out) { convolution<float>(weights.in(), in.in(), out); }),
                  oracle::direct_convolution(mask, line));
  });
}

TEST(DeviceNotFinite, is_in_the_products_of_its_row) {
  check([] {
    const auto side = [] { return *rc::gen::inRange<std::size_t>(1, 40); };
    const ProductShape shape{side(), side(), side()};
    const auto a = with_one_not_finite(shape.rows * shape.inner);
    const auto b = numbers<float>(shape.inner * shape.columns);
    const auto expected = oracle::matrix_product(a, b, shape.rows, shape.inner, shape.columns);
    GuardedArray<float> in(a);
    GuardedArray<float> other(b);
    require_alike(
        results(expected.size(),
                [&](float* out) { matrix_product<float>(in.in(), other.in(), out, shape); }),
        expected);
    require_alike(results(expected.size(),
                          [&](float* out) {
                            matrix_product_by_tiles<float>(in.in(), other.in(), out, shape);
                          }),
                  expected);
  });
}

}  // namespace
}  // namespace bankproof::cuda::tests
