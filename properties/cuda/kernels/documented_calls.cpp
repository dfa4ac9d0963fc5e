// One call for each subject, as docs/cuda.md shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../../../algorithms/permutation/plan.hpp"
#include "../../../algorithms/permutation/schedule.hpp"
#include "../../../cuda/kernels/convolution/convolution.hpp"
#include "../../../cuda/kernels/convolution/image_convolution.hpp"
#include "../../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"
#include "../../../cuda/kernels/matrix_product/matrix_product.hpp"
#include "../../../cuda/kernels/permutation/affine_permutation.hpp"
#include "../../../cuda/kernels/permutation/permutation.hpp"
#include "../../../cuda/kernels/permutation/scheduled_permutation.hpp"
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../../cuda/kernels/sum/sum.hpp"
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../../cuda/kernels/support/graph.hpp"
#include "../../../cuda/kernels/transpose/transpose.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// 0, 1, 2, …
std::vector<float> counted_to(std::size_t n) {
  std::vector<float> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  return numbers;
}

TEST(DeviceCalls, of_sums) {
  const cuda::DeviceArray<float> in(std::vector<float>(1000, 2));
  cuda::DeviceArray<float> out(in.size());
  {
    cuda::DeviceArray<float> result(1);
    cuda::DeviceArray<std::byte> scratch(cuda::sum_scratch_bytes<float>(in.size()));
    cuda::sum<float>(in.span(), result.data(), scratch.span());
    EXPECT_THAT(result.values(), ElementsAre(2000));
  }
  {
    cuda::DeviceArray<std::byte> scratch(cuda::prefix_sums_scratch_bytes<float>(in.size()));
    cuda::prefix_sums<float>(in.span(), out.data(), scratch.span());
    EXPECT_EQ(out.values()[499], 1000);
  }
}

TEST(DeviceCalls, of_convolutions) {
  {
    const cuda::DeviceArray<float> x(std::vector<float>{1, 2, 3});
    const cuda::DeviceArray<float> y(std::vector<float>{1, 0, 0, 1, 1});
    cuda::DeviceArray<float> z(y.size() - x.size() + 1);
    cuda::convolution<float>(x.span(), y.span(), z.data());  // z[i] = Σ x[j]·y[i + j]
    EXPECT_THAT(z.values(), ElementsAre(1, 3, 5));
  }
  {
    const cuda::DeviceArray<float> n(std::vector<float>{1, 2, 3, 4});
    const cuda::DeviceArray<float> m(std::vector<float>{1, 1, 1});
    cuda::DeviceArray<float> p(n.size());
    cuda::line_convolution<float>(n.span(), m.span(), p.data(), {.ghosts = GhostCells::nearest});
    EXPECT_THAT(p.values(), ElementsAre(4, 6, 9, 11));
  }
  const std::size_t rows = 48;
  const std::size_t columns = 64;
  {
    const cuda::DeviceArray<float> pixels(std::vector<float>(3 * rows * columns, 1));
    const cuda::DeviceArray<float> mask(std::vector<float>(9, 1));
    cuda::DeviceArray<float> sums(pixels.size());
    cuda::plane_convolution<float>(
        pixels.span(), mask.span(), sums.data(),
        {.rows = rows, .columns = columns, .channels = 3, .ghosts = GhostCells::nearest});
    EXPECT_THAT(sums.values(), Each(9));
  }
  {
    const cuda::DeviceArray<float> image(std::vector<float>(rows * columns, 1));
    const std::vector<float> mask = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    cuda::DeviceArray<float> blurred(image.size());
    cuda::image_convolution<float>(image.span(), mask, blurred.data(), rows, columns,
                                   GhostCells::nearest);
    EXPECT_THAT(blurred.values(), Each(16));
  }
}

TEST(DeviceCalls, of_matrices) {
  const std::size_t rows = 40;
  const std::size_t inner = 30;
  const std::size_t columns = 50;
  const cuda::DeviceArray<float> a(std::vector<float>(rows * inner, 2));
  {
    const cuda::DeviceArray<float> b(std::vector<float>(inner * columns, 3));
    cuda::DeviceArray<float> product(rows * columns);
    cuda::matrix_product<float>(a.span(), b.span(), product.data(), {rows, inner, columns});
    EXPECT_THAT(product.values(), Each(180));
  }
  {
    cuda::DeviceArray<float> transposed(a.size());
    cuda::transpose<float>(a.span(), transposed.data(), rows, inner);
    EXPECT_THAT(transposed.values(), Each(2));
  }
  {
    cuda::DeviceArray<float> table(a.size());
    cuda::DeviceArray<std::byte> scratch(cuda::summed_area_table_scratch_bytes<float>(rows, inner));
    cuda::summed_area_table<float>(a.span(), table.data(), rows, inner, scratch.span());

    using cuda::Rectangle;
    const cuda::DeviceArray<Rectangle> rectangles(
        std::vector<Rectangle>{{.top = 1, .left = 2, .bottom = 3, .right = 5}});
    cuda::DeviceArray<float> sums(rectangles.size());
    cuda::rectangle_sums<float>(table.span(), rows, inner, rectangles.span(), sums.data());
    EXPECT_THAT(sums.values(), ElementsAre(24));
  }
}

TEST(DeviceCalls, of_permutations) {
  std::vector<std::uint32_t> p(1024);
  std::iota(p.rbegin(), p.rend(), 0U);
  const cuda::DeviceArray<float> a(counted_to(p.size()));
  cuda::DeviceArray<float> b(a.size());
  {
    const cuda::DeviceArray<std::uint32_t> indices(p);
    cuda::permute_destination_designated<float>(a.span(), b.data(), indices.span());
    EXPECT_EQ(b.values()[0], 1023);
  }
  {
    const auto plan = bankproof::plan_banks<std::uint32_t>(p, 32);
    const cuda::DeviceArray<std::uint32_t> s(plan.s);
    const cuda::DeviceArray<std::uint32_t> d(plan.d);
    cuda::permute_conflict_free_in_shared_memory<float>(a.span(), b.data(), {s.span(), d.span()},
                                                        {256});
    EXPECT_EQ(b.values()[1], 1022);
  }
  {
    const auto reversed = bankproof::affine_map_of(10, [](std::uint64_t i) { return 1023 ^ i; });
    cuda::permute_affine<float>(a.span(), b.data(), reversed);
    EXPECT_EQ(b.values()[2], 1021);
  }
}

TEST(DeviceCalls, of_schedules) {
  std::vector<std::uint32_t> p(1000);
  std::iota(p.rbegin(), p.rend(), 0U);
  const cuda::DeviceArray<float> a(counted_to(p.size()));
  cuda::DeviceArray<float> b(a.size());
  {
    const auto made = bankproof::schedule<std::uint32_t, std::uint32_t>(
        p, bankproof::shape_for(p.size(), 32), 32);
    std::vector<cuda::DeviceArray<std::uint32_t>> tables;
    cuda::ScheduleTables schedule{made.rows, made.columns, {}};
    tables.reserve(6);
    for (std::size_t pass = 0; pass < 3; ++pass) {
      const auto& s = tables.emplace_back(made.passes[pass].s);
      const auto& d = tables.emplace_back(made.passes[pass].d);
      schedule.passes[pass] = {s.span(), d.span()};
    }
    cuda::DeviceArray<std::byte> scratch(
        cuda::permute_scheduled_scratch_bytes<float>(a.size(), schedule));
    cuda::permute_scheduled<float>(a.span(), b.data(), schedule, scratch.span());
    EXPECT_EQ(b.values()[0], 999);
  }
}

TEST(DeviceCalls, of_graphs) {
  const cuda::DeviceArray<float> in(std::vector<float>(100, 1));
  cuda::DeviceArray<float> out(in.size());
  cuda::DeviceArray<std::byte> scratch(cuda::prefix_sums_optimal_scratch_bytes<float>(in.size()));
  {
    const cuda::Graph graph([&](cudaStream_t stream) {
      cuda::prefix_sums_optimal<float>(in.span(), out.data(), scratch.span(), stream);
    });
    for (int k = 0; k < 10; ++k) graph.launch();
    EXPECT_EQ(out.values()[99], 100);
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests
