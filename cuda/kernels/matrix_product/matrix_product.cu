// The host's side of matrix products; see matrix_product.hpp.
#include "../support/checks.hpp"
#include "blocked_product.cuh"
#include "matrix_product.hpp"

namespace bankproof::cuda {

namespace {

/// Returns whether the product needs a kernel. If c has elements but the inner dimension is 0, sets
/// c to 0. Throws unless a and b have the shape.
template <class T>
bool has_products(std::span<const T> a, std::span<const T> b, T* c, const ProductShape& shape,
                  const char* what, cudaStream_t stream) {
  require_matrix(a.size(), shape.rows, shape.inner, what);
  require_matrix(b.size(), shape.inner, shape.columns, what);
  const std::size_t elements = product_of(shape.rows, shape.columns, what);
  require_apart(what, {{"a", a}, {"b", b}, {"c", c, elements}});
  if (elements > 0 && shape.inner == 0) {
    require(cudaMemsetAsync(c, 0, elements * sizeof(T), stream), "cudaMemsetAsync");
  }
  return elements > 0 && shape.inner > 0;
}

}  // namespace

template <class T>
void matrix_product_by_tiles(std::span<const T> a, std::span<const T> b, T* c,
                             const ProductShape& shape, const TileShape& tiles,
                             cudaStream_t stream) {
  constexpr const char* what = "matrix_product_by_tiles";
  const std::size_t m = tiles.m;
  const std::size_t bytes = product_of(m * m, 3 * sizeof(T), what);
  if (m == 0) refuse(what, "tiles of m=0");
  require_shared_memory(bytes, "three tiles", what);
  require_block(tiles.threads, what);
  if (!has_products(a, b, c, shape, what, stream)) return;
  const std::size_t all = tiles_of(shape.rows, shape.columns, m, m);
  const std::uint32_t blocks = blocks_for(all, what, tiles.blocks);
  kernels::multiply_tiles<T><<<blocks, tiles.threads, bytes, stream>>>(
      a.data(), b.data(), c, kernels::ProductSize{shape.rows, shape.inner, shape.columns}, tiles.m,
      all);
  require_launched("multiply_tiles");
}

template <class T>
void matrix_product(std::span<const T> a, std::span<const T> b, T* c, const ProductShape& shape,
                    cudaStream_t stream) {
  constexpr const char* what = "matrix_product";
  using Tile = kernels::BlockedProduct<T>;
  if (!has_products(a, b, c, shape, what, stream)) return;
  const std::uint32_t blocks =
      blocks_for(tiles_of(shape.rows, shape.columns, Tile::rows, Tile::columns), what);
  const bool whole_packets = shape.columns % kernels::Packet<T>::size == 0 &&
                             is_packet_aligned(b.data()) && is_packet_aligned(c);
  const auto launch = [&](auto* kernel) {
    kernel<<<blocks, Tile::threads, 0, stream>>>(
        a.data(), b.data(), c, kernels::ProductSize{shape.rows, shape.inner, shape.columns});
  };
  if (whole_packets) {
    launch(kernels::multiply_blocked<kernels::Packet<T>, T>);
  } else {
    launch(kernels::multiply_blocked<kernels::Packet<T, 1>, T>);
  }
  require_launched("multiply_blocked");
}

#define BANKPROOF_INSTANTIATE(T)                                                                   \
  template void matrix_product_by_tiles<T>(std::span<const T>, std::span<const T>, T*,             \
                                           const ProductShape&, const TileShape&, cudaStream_t);   \
  template void matrix_product<T>(std::span<const T>, std::span<const T>, T*, const ProductShape&, \
                                  cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
