// Checks the threads that writers.hpp names: the test passes an array that ends one element early,
// and the reference machine reports which thread writes beyond its end.
#include "writers.hpp"

#include <gmock/gmock.h>

#include "../../../cuda/kernels/convolution/convolution.hpp"
#include "../../../cuda/kernels/convolution/image_convolution.hpp"
#include "../../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"
#include "../../../cuda/kernels/matrix_product/matrix_product.hpp"
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../../cuda/kernels/sum/sum.hpp"
#include "permutations.hpp"

#ifdef BANKPROOF_ON_MACHINE
namespace bankproof::cuda::tests {
namespace {

using In = std::span<const float>;

/// call(in, out) writes n elements; the thread that `writer_of` names must write the last one.
/// `across` is the width of two-dimensional blocks, whose threads the machine reports as (x, y);
/// with 0 it reports one number.
template <class T = float, class Call>
void expect_last(std::size_t n, const WriterOf& writer_of, Call call, std::size_t across = 0) {
  DeviceArray<T> in(std::vector<T>(2 * n + 64, T{1}));
  DeviceArray<T> out(n - 1);
  take_launches();
  call(std::span<const T>(in.span()), out.data());
  const Writer writer = writer_of(n - 1).value();
  // Parentheses are special in a regular expression.
  const std::string thread = across == 0 ? std::to_string(writer.thread)
                                         : "\\(" + std::to_string(writer.thread % across) + "," +
                                               std::to_string(writer.thread / across) + "\\)";
  const std::string expected = "block " + std::to_string(writer.block) + ", thread " + thread;
  std::string told;
  for (const ptx::KernelReport& report : take_launches()) {
    for (const ptx::FaultReport& fault : report.faults) {
      if (fault.kind == ptx::FaultKind::out_of_bounds) told += fault.message + '\n';
    }
  }
  EXPECT_THAT(told, ::testing::ContainsRegex(expected + "([^0-9]|$)")) << "element " << n - 1;
}

TEST(DeviceWritersOnMachine, of_lines_are_named) {
  for (const std::size_t n : {300U, 513U, 1100U}) {
    expect_last(n, one_block_of(96), [](In in, float* out) {
      prefix_sums_simple_in_shared_memory<float>(in.first((in.size() - 64) / 2), out, 96);
    });
    expect_last(n, a_thread_each(256), [=](In in, float* out) {
      GuardedArray<std::byte> scratch(prefix_sums_simple_scratch_bytes<float>(n));
      prefix_sums_simple<float>(in.first(n), out, scratch.span());
    });
    expect_last(n, a_thread_each(96), [=](In in, float* out) {
      line_convolution<float>(in.first(n), in.last(3), out, {.threads = 96});
    });
    for (const std::uint32_t blocks : {0U, 3U}) {
      expect_last(n, in_shares(n, blocks, 96), [=](In in, float* out) {
        convolution<float>(in.last(3), in.first(n + 2), out, {blocks, 96});
      });
    }
  }
}

TEST(DeviceWritersOnMachine, of_matrices_are_named) {
  struct Shape {
    std::size_t rows;
    std::size_t columns;
  };
  for (const auto& [rows, columns] : {Shape{40, 70}, Shape{71, 33}, Shape{9, 150}}) {
    const std::size_t n = rows * columns;
    const std::size_t height = rows;
    const std::size_t width = columns;
    for (const TransposeVariant variant : {TransposeVariant::diagonal, TransposeVariant::direct}) {
      expect_last(
          n, transposing(rows, columns, variant),
          [=](In in, float* out) { transpose<float>(in.first(n), out, height, width, variant); },
          32);
    }
    expect_last(n, sweeping_tiles(columns, 16, 96), [=](In in, float* out) {
      plane_convolution<float>(in.first(n), in.last(9), out,
                               {.rows = height, .columns = width, .tile = 16, .threads = 96});
    });
    expect_last(n, sweeping_tiles(columns, 32, 160, 2), [=](In in, float* out) {
      image_convolution_by_tiles<float>(in.first(n), in.last(9), out, height, width, {160, 2});
    });
    expect_last(
        n, image_in_registers<float>(columns),
        [=](In in, float* out) {
          image_convolution<float>(in.first(n), std::vector<float>(9), out, height, width);
        },
        32);
    expect_last(n, sweeping_tiles(columns, 16, 64, 3), [=](In in, float* out) {
      matrix_product_by_tiles<float>(in.first(height), in.last(width), out, {height, 1, width},
                                     {.m = 16, .threads = 64, .blocks = 3});
    });
    expect_last(n, product_in_registers<float>(columns), [=](In in, float* out) {
      matrix_product<float>(in.first(height), in.last(width), out, {height, 1, width});
    });
    expect_last<double>(
        n, product_in_registers<double>(columns), [=](std::span<const double> in, double* out) {
          matrix_product<double>(in.first(height), in.last(width), out, {height, 1, width});
        });
    for (const TableVariant variant : {TableVariant::r2w2, TableVariant::r4w4, TableVariant::r4w1,
                                       TableVariant::r2w1, TableVariant::r1w1}) {
      expect_last(
          n, of_table(variant, rows, columns),
          [=](In in, float* out) {
            const TableOptions options = {.variant = variant};
            GuardedArray<std::byte> scratch(
                summed_area_table_scratch_bytes<float>(height, width, options));
            summed_area_table<float>(in.first(n), out, height, width, scratch.span(), options);
          },
          variant == TableVariant::r4w4 ? 32 : 0);
    }
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests
#endif
