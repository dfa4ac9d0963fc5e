// All algorithms with the contract of algorithm.hpp, in the order in which lists show them.
#pragma once

#include <tuple>

#include "../convolution.hpp"
#include "../image_convolution.hpp"
#include "../matrix_product.hpp"
#include "../permutation/offline.hpp"
#include "../prefix_sums.hpp"
#include "../sum.hpp"
#include "../summed_area_table/summed_area_table.hpp"
#include "../tiled_convolution/tiled_convolution.hpp"
#include "../transpose.hpp"

namespace bankproof {

using Catalog = std::tuple<Sum, PrefixSums, Convolution, ImageConvolution, TiledConvolution,
                           MatrixProduct, Transpose, OfflinePermutation, SummedAreaTable>;

/// Calls visit(A{}) for each algorithm A.
template <class Visit>
void for_each_algorithm(Visit visit) {
  std::apply([&](auto... algorithms) { (visit(algorithms), ...); }, Catalog{});
}

}  // namespace bankproof
