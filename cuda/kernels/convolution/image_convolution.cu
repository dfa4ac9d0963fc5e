// The host's side of the tiled convolution of images; see image_convolution.hpp.
#include "../support/checks.hpp"
#include "image_convolution.cuh"
#include "image_convolution.hpp"

namespace bankproof::cuda {

template <class T>
void image_convolution_by_tiles(std::span<const T> a, std::span<const T> b, T* c, std::size_t rows,
                                std::size_t columns, const ImageBlocks& blocks,
                                cudaStream_t stream) {
  constexpr const char* what = "image_convolution_by_tiles";
  const std::uint32_t v = radius_of_square(b.size(), what);
  require_matrix(a.size(), rows, columns, what);
  require_block(blocks.threads, what);
  const std::size_t side = kernels::warp_threads + 2 * std::size_t{v};
  const std::size_t tile = std::size_t{kernels::warp_threads} * kernels::warp_threads;
  const std::size_t bytes = (side * side + b.size() + tile) * sizeof(T);
  require_shared_memory(bytes, "a tile, what it needs of a, and b", what);
  require_apart(what, {{"a", a}, {"b", b}, {"c", c, a.size()}});
  if (a.empty()) return;
  const std::size_t tiles = tiles_of(rows, columns, kernels::warp_threads, kernels::warp_threads);
  kernels::convolve_tiles<T>
      <<<blocks_for(tiles, what, blocks.blocks), blocks.threads, bytes, stream>>>(
          a.data(), b.data(), c, rows, columns, v, tiles);
  require_launched("convolve_tiles");
}

#define BANKPROOF_INSTANTIATE(T)                                                            \
  template void image_convolution_by_tiles<T>(std::span<const T>, std::span<const T>, T*,   \
                                              std::size_t, std::size_t, const ImageBlocks&, \
                                              cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
