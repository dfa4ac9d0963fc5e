// Kernels of images and matrices on arrays of more than 2^32 bytes.
#include <algorithm>
#include <span>
#include <utility>

#include "../../../algorithms/permutation/offline.hpp"
#include "../../../cuda/kernels/convolution/image_convolution.hpp"
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"
#include "../../../cuda/kernels/matrix_product/matrix_product.hpp"
#include "../../../cuda/kernels/permutation/scheduled_permutation.hpp"
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../../cuda/kernels/support/words.hpp"
#include "../../../cuda/kernels/transpose/transpose.hpp"
#include "large_arrays.hpp"
#include "permutations.hpp"

namespace bankproof::cuda::tests::large {
namespace {

TEST(DeviceLarge, transposes) {
  constexpr std::size_t packed_rows = size(46356, 76);
  need(2 * rows * packed_columns * sizeof(Word32));
  const auto transposed = [](std::size_t height, std::size_t width, TransposeVariant variant) {
    const Words a = filled_with(height * width, Numbered{});
    Words b(height * width);
    expect(
        "transpose", b,
        [&](Word32* to) { transpose<Word32>(a.span(), to, height, width, variant); },
        Transposed{height, width});
  };
  for (const TransposeVariant variant :
       {TransposeVariant::diagonal, TransposeVariant::padded, TransposeVariant::swizzled,
        TransposeVariant::row_major, TransposeVariant::direct, TransposeVariant::packets}) {
    transposed(rows, columns, variant);
  }
  transposed(packed_rows, packed_columns, TransposeVariant::packets);
}

// The kernels permute all rows, or all columns, of a square matrix by the same P: element j moves
// to position P(j). A schedule passes over the rows twice, so it moves element j to P(P(j)).
TEST(DeviceLarge, permutations_by_rows_and_columns) {
  // 2^31 elements, if the shared memory of a block can hold a row of that length.
  constexpr std::size_t wanted = 46368;
  const bool has_room = shared_memory_of_block() >= wanted * sizeof(Word32);
  const std::size_t side = size(has_room ? wanted : 40960, 96);
  const std::size_t n = side * side;
  need(n * (3 * sizeof(Word32) + 2 * sizeof(std::uint16_t)));
  const Permutation p = shuffled_permutation(side, 1);
  const Permutation inverse = inverse_of(std::span<const Word32>(p));
  Permutation twice(side);
  for (std::size_t j = 0; j < side; ++j) twice[j] = inverse[inverse[j]];
  Permutation in_order = p;
  std::sort(in_order.begin(), in_order.end());
  const Words once_back(inverse);
  const Words twice_back(twice);
  const Words same(in_order);

  const auto plan = plan_banks(std::span<const Word32>(p), 32);
  const auto table = [&](const auto& of_row) {
    const Words row(std::vector<Word32>(of_row.begin(), of_row.end()));
    DeviceArray<std::uint16_t> all(n);
    fill(all.data(), n, Repeated{row.data(), side});
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return all;
  };
  const auto s = table(plan.s);
  const auto d = table(plan.d);
  const PlanTables plans{s.span(), d.span()};
  const ScheduleTables schedule{side, side, {plans, plans, plans}};

  const Words a = filled_with(n, Numbered{});
  Words b(n);
  DeviceArray<std::byte> scratch(permute_scheduled_scratch_bytes<Word32>(n, schedule));
  expect(
      "rows", b, [&](Word32* to) { permute_rows<Word32>(a.span(), to, side, side, plans); },
      Rearranged{same.data(), once_back.data(), side});
  const Rearranged by_columns{once_back.data(), same.data(), side};
  expect(
      "columns", b,
      [&](Word32* to) { permute_columns<Word32>(a.span(), to, side, side, plans, scratch.span()); },
      by_columns);
  expect(
      "columns in one launch", b,
      [&](Word32* to) { permute_columns_in_one_launch<Word32>(a.span(), to, side, side, plans); },
      by_columns);
  const Rearranged by_schedule{once_back.data(), twice_back.data(), side};
  expect(
      "scheduled", b,
      [&](Word32* to) { permute_scheduled<Word32>(a.span(), to, schedule, scratch.span()); },
      by_schedule);
  expect(
      "scheduled in three launches", b,
      [&](Word32* to) {
        permute_scheduled_in_three_launches<Word32>(a.span(), to, schedule, scratch.span());
      },
      by_schedule);
}

TEST(DeviceLarge, summed_area_tables) {
  need(3 * rows * packed_columns * sizeof(Word32) + (std::size_t{4} << 30));
  for (const std::size_t width : {columns, packed_columns}) {
    const std::size_t n = rows * width;
    const Words a = filled_with(n, Numbered{});
    Words b(n);
    for (const TableVariant variant :
         {TableVariant::r2w2, TableVariant::r4w4, TableVariant::r4w1, TableVariant::r2w1,
          TableVariant::r1w1, TableVariant::hybrid, TableVariant::look_back}) {
      const TableOptions options{.variant = variant, .triangle = size(64, 2)};
      DeviceArray<std::byte> scratch(summed_area_table_scratch_bytes<Word32>(rows, width, options));
      expect(("variant " + std::to_string(static_cast<int>(variant))).c_str(), b,
             [&](Word32* to) {
               summed_area_table<Word32>(a.span(), to, rows, width, scratch.span(), options);
             },
             SummedArea{width});
    }
  }
}

// The table is large on the reference machine, too: a rectangle's sum reads only four elements.
TEST(DeviceLarge, sums_of_rectangles) {
  constexpr std::size_t height = size(65537, 32769);
  constexpr std::size_t width = 32771;
  need(height * width * sizeof(Word32));
  DeviceArray<Word32> table(height * width);
  const auto set = [&](std::size_t i, std::size_t j, Word32 value) {
    require(cudaMemcpy(table.data() + i * width + j, &value, sizeof(value), cudaMemcpyHostToDevice),
            "cudaMemcpy");
  };
  set(height - 3, width - 5, 1000);
  set(height - 3, width - 1, 3000);
  set(height - 1, width - 5, 20000);
  set(height - 1, width - 1, 70000);
  const std::vector<Rectangle> corners = {{height - 2, width - 4, height - 1, width - 1},
                                          {0, 0, height - 1, width - 1}};
  const DeviceArray<Rectangle> rectangles(corners);
  Words sums(2);
  rectangle_sums<Word32>(std::as_const(table).span(), height, width, rectangles.span(),
                         sums.data());
  EXPECT_EQ(sums.values(), (std::vector<Word32>{70000 - 20000 - 3000 + 1000, 70000}));
  take_counts();
}

TEST(DeviceLarge, convolutions_of_images) {
  need(2 * rows * packed_columns * sizeof(Word32));
  for (const std::size_t width : {columns, packed_columns}) {
    const std::size_t n = rows * width;
    const Words a = filled_with(n, Numbered{});
    Words b(n);
    const Words mask(weights(9));
    const Convolved nine{rows, width, 1, 3, 1};
    expect(
        "image_convolution_by_tiles", b,
        [&](Word32* to) {
          image_convolution_by_tiles<Word32>(a.span(), mask.span(), to, rows, width);
        },
        nine);
    for (const std::size_t v : {std::size_t{1}, std::size_t{4}}) {
      const std::size_t side = 2 * v + 1;
      expect(
          "image_convolution", b,
          [&](Word32* to) {
            image_convolution<Word32>(a.span(), weights(side * side), to, rows, width);
          },
          Convolved{rows, width, 1, side, v});
    }
  }
}

TEST(DeviceLarge, convolutions_of_images_with_channels) {
  constexpr std::size_t channels = 3;
  constexpr std::size_t width = columns / channels;
  constexpr std::size_t n = rows * width * channels;
  static_assert(on_machine || n > std::size_t{1} << 31);
  need(2 * n * sizeof(Word32));
  const Words a = filled_with(n, Numbered{});
  Words b(n);
  const Words mask(weights(9));
  for (const PlaneVariant variant :
       {PlaneVariant::basic, PlaneVariant::constant_mask, PlaneVariant::tiled}) {
    expect(
        "plane_convolution", b,
        [&](Word32* to) {
          plane_convolution<Word32>(a.span(), mask.span(), to,
                                    {.rows = rows, .columns = width, .channels = channels},
                                    variant);
        },
        Convolved{rows, width, channels, 3, 1});
  }
}

// Each of the three matrices in turn has more than 2^31 elements.
TEST(DeviceLarge, matrix_products) {
  constexpr std::size_t few = 3;
  constexpr std::size_t inner = 17;
  constexpr std::size_t many = size(std::size_t{1} << 27, 200);
  static_assert(on_machine || many * inner > std::size_t{1} << 31);
  for (const ProductShape& shape :
       {ProductShape{rows, few, columns}, ProductShape{rows, few, packed_columns},
        ProductShape{many, inner, few}, ProductShape{few, inner, many}}) {
    const std::size_t of_a = shape.rows * shape.inner;
    const std::size_t of_b = shape.inner * shape.columns;
    const std::size_t of_c = shape.rows * shape.columns;
    need((of_a + of_b + of_c) * sizeof(Word32));
    const Words a = filled_with(of_a, Numbered{});
    const Words b = filled_with(of_b, Numbered{});
    Words c(of_c);
    const Multiplied formula{shape.inner, shape.columns};
    expect(
        "matrix_product_by_tiles", c,
        [&](Word32* to) { matrix_product_by_tiles<Word32>(a.span(), b.span(), to, shape); },
        formula);
    expect(
        "matrix_product", c,
        [&](Word32* to) { matrix_product<Word32>(a.span(), b.span(), to, shape); }, formula);
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests::large
