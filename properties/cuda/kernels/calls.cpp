// See calls.hpp.
#include "calls.hpp"

#include <numeric>

#include "../../../algorithms/permutation/formulas.hpp"
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
#include "../../../cuda/kernels/transpose/transpose.hpp"

namespace bankproof::cuda::tests {
namespace {

using In = std::span<const float>;
using Scratch = std::span<std::byte>;

/// Arguments of calls, except arrays of elements.
struct Others {
  DeviceArray<std::uint32_t> turned;   // the indices n − 1 … 0
  DeviceArray<std::uint32_t> of_rows;  // the turned columns of each row
  DeviceArray<float> mask;             // 25 numbers
  DeviceArray<Rectangle> rectangles;

  Others() {
    std::vector<std::uint32_t> indices(elements_of_calls);
    std::iota(indices.rbegin(), indices.rend(), 0U);
    turned = DeviceArray<std::uint32_t>(indices);
    for (std::uint32_t& index : indices) index %= side_of_calls;
    of_rows = DeviceArray<std::uint32_t>(indices);
    std::vector<float> weights(25);
    std::iota(weights.begin(), weights.end(), -3.0F);
    mask = DeviceArray<float>(weights);
    std::vector<Rectangle> all;
    for (std::uint32_t k = 0; k < elements_of_calls; ++k)
      all.push_back({k / 64, k % 16, 16 + k / 64, 16 + k % 16});
    rectangles = DeviceArray<Rectangle>(all);
  }

  IndexSpan permutation() const { return turned.span(); }
  PlanTables plan() const { return {turned.span(), turned.span()}; }
  PlanTables plans_of_rows() const { return {of_rows.span(), of_rows.span()}; }
  ScheduleTables schedule() const {
    return {side_of_calls, side_of_calls, {plans_of_rows(), plans_of_rows(), plans_of_rows()}};
  }
};

/// Makes these arguments only when a call uses them, so that listing the tests needs no GPU.
class Lazy {
 public:
  const Others* operator->() const {
    if (*others_ == nullptr) *others_ = std::make_unique<Others>();
    return others_->get();
  }

 private:
  std::shared_ptr<std::unique_ptr<Others>> others_ = std::make_shared<std::unique_ptr<Others>>();
};

void add_sums(std::vector<ApiCall>& calls) {
  calls.push_back({"sum_in_shared_memory",
                   [](In in, float* out, Scratch, cudaStream_t stream) {
                     sum_in_shared_memory<float>(in, out, 128, stream);
                   },
                   1});
  calls.push_back({"sum_by_columns",
                   [](In in, float* out, Scratch scratch, cudaStream_t stream) {
                     sum_by_columns<float>(in, out, scratch, {5, 64}, stream);
                   },
                   1, sum_scratch_bytes<float>(elements_of_calls, {5, 64})});
  calls.push_back({"sum",
                   [](In in, float* out, Scratch scratch, cudaStream_t stream) {
                     sum<float>(in, out, scratch, stream);
                   },
                   1, sizeof(float)});
  calls.push_back({"prefix_sums_simple_in_shared_memory",
                   [](In in, float* out, Scratch, cudaStream_t stream) {
                     prefix_sums_simple_in_shared_memory<float>(in, out, 128, stream);
                   },
                   elements_of_calls, 0, true});
  calls.push_back({"prefix_sums_optimal_in_shared_memory",
                   [](In in, float* out, Scratch, cudaStream_t stream) {
                     prefix_sums_optimal_in_shared_memory<float>(in, out, 128, stream);
                   },
                   elements_of_calls, 0, true});
  calls.push_back({"prefix_sums_simple",
                   [](In in, float* out, Scratch scratch, cudaStream_t stream) {
                     prefix_sums_simple<float>(in, out, scratch, stream);
                   },
                   elements_of_calls, prefix_sums_simple_scratch_bytes<float>(elements_of_calls)});
  calls.push_back({"prefix_sums_optimal",
                   [](In in, float* out, Scratch scratch, cudaStream_t stream) {
                     prefix_sums_optimal<float>(in, out, scratch, stream);
                   },
                   elements_of_calls, prefix_sums_optimal_scratch_bytes<float>(elements_of_calls)});
  calls.push_back({"prefix_sums",
                   [](In in, float* out, Scratch scratch, cudaStream_t stream) {
                     prefix_sums<float>(in, out, scratch, stream);
                   },
                   elements_of_calls, prefix_sums_scratch_bytes<float>(elements_of_calls), true});
}

void add_permutations(const Lazy& others, std::vector<ApiCall>& calls) {
  calls.push_back({"copy_in_shared_memory", [](In in, float* out, Scratch, cudaStream_t stream) {
                     copy_in_shared_memory<float>(in, out, {128}, stream);
                   }});
  calls.push_back({"permute_destination_designated_in_shared_memory",
                   [others](In in, float* out, Scratch, cudaStream_t stream) {
                     permute_destination_designated_in_shared_memory<float>(
                         in, out, others->permutation(), {128}, stream);
                   }});
  calls.push_back({"permute_source_designated_in_shared_memory",
                   [others](In in, float* out, Scratch, cudaStream_t stream) {
                     permute_source_designated_in_shared_memory<float>(
                         in, out, others->permutation(), {128}, stream);
                   }});
  calls.push_back({"permute_conflict_free_in_shared_memory",
                   [others](In in, float* out, Scratch, cudaStream_t stream) {
                     permute_conflict_free_in_shared_memory<float>(in, out, others->plan(), {128},
                                                                   stream);
                   }});
  calls.push_back(
      {"permute_in_place_in_shared_memory", [](In in, float* out, Scratch, cudaStream_t stream) {
         permute_in_place_in_shared_memory<float>(in, out, InPlacePermutation::shuffle,
                                                  InPlaceVariant::conflict_free, {128}, stream);
       }});
  calls.push_back(
      {"permute_destination_designated", [others](In in, float* out, Scratch, cudaStream_t stream) {
         permute_destination_designated<float>(in, out, others->permutation(), stream);
       }});
  calls.push_back(
      {"permute_source_designated", [others](In in, float* out, Scratch, cudaStream_t stream) {
         permute_source_designated<float>(in, out, others->permutation(), stream);
       }});
  calls.push_back({"permute_affine", [](In in, float* out, Scratch, cudaStream_t stream) {
                     const auto map = affine_map_of(10, formulas::BitReversal{1024});
                     permute_affine<float>(in, out, map, stream);
                   }});
  calls.push_back({"permute_rows",
                   [others](In in, float* out, Scratch, cudaStream_t stream) {
                     permute_rows<float>(in, out, side_of_calls, side_of_calls,
                                         others->plans_of_rows(), stream);
                   },
                   elements_of_calls, 0, true});
  calls.push_back({"permute_columns",
                   [others](In in, float* out, Scratch scratch, cudaStream_t stream) {
                     permute_columns<float>(in, out, side_of_calls, side_of_calls,
                                            others->plans_of_rows(), scratch, stream);
                   },
                   elements_of_calls,
                   permute_columns_scratch_bytes<float>(side_of_calls, side_of_calls), true});
  calls.push_back({"permute_columns_in_one_launch",
                   [others](In in, float* out, Scratch, cudaStream_t stream) {
                     permute_columns_in_one_launch<float>(in, out, side_of_calls, side_of_calls,
                                                          others->plans_of_rows(), stream);
                   },
                   elements_of_calls, 0, true});
  calls.push_back({"permute_scheduled",
                   [others](In in, float* out, Scratch scratch, cudaStream_t stream) {
                     permute_scheduled<float>(in, out, others->schedule(), scratch, stream);
                   },
                   elements_of_calls,
                   permute_scheduled_scratch_bytes<float>(elements_of_calls,
                                                          {side_of_calls, side_of_calls, {}}),
                   true});
  calls.push_back({"permute_scheduled_in_three_launches",
                   [others](In in, float* out, Scratch, cudaStream_t stream) {
                     permute_scheduled_in_three_launches<float>(in, out, others->schedule(), {},
                                                                stream);
                   },
                   elements_of_calls, 0, true});
}

void add_convolutions(const Lazy& others, std::vector<ApiCall>& calls) {
  calls.push_back({"convolution",
                   [others](In in, float* out, Scratch, cudaStream_t stream) {
                     convolution<float>(others->mask.span(), in, out, {}, stream);
                   },
                   elements_of_calls - 24});
  calls.push_back({"line_convolution", [others](In in, float* out, Scratch, cudaStream_t stream) {
                     line_convolution<float>(in, others->mask.span(), out, {}, LineVariant::tiled,
                                             stream);
                   }});
  calls.push_back({"plane_convolution", [others](In in, float* out, Scratch, cudaStream_t stream) {
                     plane_convolution<float>(in, others->mask.span(), out,
                                              {.rows = side_of_calls, .columns = side_of_calls},
                                              PlaneVariant::tiled, stream);
                   }});
  calls.push_back(
      {"image_convolution_by_tiles", [others](In in, float* out, Scratch, cudaStream_t stream) {
         image_convolution_by_tiles<float>(in, others->mask.span(), out, side_of_calls,
                                           side_of_calls, {}, stream);
       }});
  calls.push_back({"image_convolution", [](In in, float* out, Scratch, cudaStream_t stream) {
                     const std::vector<float> weights(81, 2.0F);
                     image_convolution<float>(in, weights, out, side_of_calls, side_of_calls,
                                              GhostCells::nearest, stream);
                   }});
}

void add_matrices(const Lazy& others, std::vector<ApiCall>& calls) {
  calls.push_back({"transpose", [](In in, float* out, Scratch, cudaStream_t stream) {
                     transpose<float>(in, out, side_of_calls, side_of_calls,
                                      TransposeVariant::swizzled, stream);
                   }});
  calls.push_back({"matrix_product_by_tiles", [](In in, float* out, Scratch, cudaStream_t stream) {
                     matrix_product_by_tiles<float>(
                         in, in, out, {side_of_calls, side_of_calls, side_of_calls}, {}, stream);
                   }});
  calls.push_back(
      {"matrix_product", [](In in, float* out, Scratch, cudaStream_t stream) {
         matrix_product<float>(in, in, out, {side_of_calls, side_of_calls, side_of_calls}, stream);
       }});
  for (const TableVariant variant :
       {TableVariant::r2w2, TableVariant::r4w4, TableVariant::r2w1, TableVariant::r1w1,
        TableVariant::hybrid, TableVariant::look_back}) {
    const TableOptions options = {.variant = variant};
    calls.push_back({"summed_area_table",
                     [options](In in, float* out, Scratch scratch, cudaStream_t stream) {
                       summed_area_table<float>(in, out, side_of_calls, side_of_calls, scratch,
                                                options, stream);
                     },
                     elements_of_calls,
                     summed_area_table_scratch_bytes<float>(side_of_calls, side_of_calls, options),
                     true});
  }
  calls.push_back({"rectangle_sums", [others](In in, float* out, Scratch, cudaStream_t stream) {
                     rectangle_sums<float>(in, side_of_calls, side_of_calls,
                                           others->rectangles.span(), out, stream);
                   }});
}

}  // namespace

std::vector<ApiCall> all_calls() {
  const Lazy others;
  std::vector<ApiCall> calls;
  add_sums(calls);
  add_permutations(others, calls);
  add_convolutions(others, calls);
  add_matrices(others, calls);
  return calls;
}

std::vector<MatrixCall> all_matrix_calls() {
  using Side = std::size_t;
  const Lazy others;
  return {
      {"transpose", [](In in, float* out, Side rows,
                       Side columns) { transpose<float>(in, out, rows, columns); }},
      {"matrix_product",
       [](In in, float* out, Side rows, Side columns) {
         matrix_product<float>(in, in.first(0), out, {rows, columns, 0});
       }},
      {"matrix_product",
       [](In in, float* out, Side rows, Side columns) {
         matrix_product<float>(in.first(0), in.first(0), out, {rows, 0, columns});
       }},
      {"plane_convolution",
       [others](In in, float* out, Side rows, Side columns) {
         plane_convolution<float>(in, others->mask.span(), out, {.rows = rows, .columns = columns});
       }},
      {"plane_convolution",
       [others](In in, float* out, Side channels, Side columns) {
         plane_convolution<float>(in, others->mask.span(), out,
                                  {.rows = 1, .columns = columns, .channels = channels});
       }},
      {"image_convolution_by_tiles",
       [others](In in, float* out, Side rows, Side columns) {
         image_convolution_by_tiles<float>(in, others->mask.span(), out, rows, columns);
       }},
      {"image_convolution",
       [](In in, float* out, Side rows, Side columns) {
         image_convolution<float>(in, std::vector<float>(9), out, rows, columns);
       }},
      {"permute_rows",
       [others](In in, float* out, Side rows, Side columns) {
         permute_rows<float>(in, out, rows, columns, others->plans_of_rows());
       }},
      {"permute_scheduled",
       [](In in, float* out, Side rows, Side columns) {
         permute_scheduled<float>(in, out, {rows, columns, {}}, {});
       }},
      {"summed_area_table",
       [](In in, float* out, Side rows, Side columns) {
         summed_area_table<float>(in, out, rows, columns, {}, {.variant = TableVariant::r2w2});
       }},
      {"rectangle_sums", [](In in, float* out, Side rows,
                            Side columns) { rectangle_sums<float>(in, rows, columns, {}, out); }},
  };
}

}  // namespace bankproof::cuda::tests
