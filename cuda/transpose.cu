// The host's side of transposes; see transpose.hpp.
#include <string>

#include "kernels/transpose.cuh"
#include "transpose.hpp"

namespace bankproof::cuda {

template <class T>
void transpose(std::span<const T> a, T* b, std::size_t rows, std::size_t columns, TransposeWay way,
               cudaStream_t stream) {
  if (a.size() != rows * columns) {
    throw std::invalid_argument("transpose: " + std::to_string(a.size()) + " elements are no " +
                                std::to_string(rows) + " x " + std::to_string(columns) + " matrix");
  }
  if (a.empty()) return;
  const std::size_t tiles =
      ceil_div(rows, kernels::tile_side) * ceil_div(columns, kernels::tile_side);
  if (tiles > 0x7fffffff) {
    throw std::invalid_argument("transpose: more than 2^31 - 1 tiles of 32 x 32");
  }
  const auto launch = [&](auto* kernel) {
    kernel<<<static_cast<std::uint32_t>(tiles), dim3(kernels::tile_side, 8), 0, stream>>>(
        a.data(), b, rows, columns);
  };
  switch (way) {
    case TransposeWay::diagonal:
      launch(kernels::transpose_tiles<kernels::DiagonalTile, T>);
      break;
    case TransposeWay::padded:
      launch(kernels::transpose_tiles<kernels::PaddedTile, T>);
      break;
    case TransposeWay::swizzled:
      launch(kernels::transpose_tiles<kernels::SwizzledTile, T>);
      break;
    case TransposeWay::row_major:
      launch(kernels::transpose_tiles<kernels::RowMajorTile, T>);
      break;
    case TransposeWay::direct:
      launch(kernels::transpose_direct<T>);
      break;
  }
  require_launched("transpose");
}

#define BANKPROOF_INSTANTIATE(T)                                                             \
  template void transpose<T>(std::span<const T>, T*, std::size_t, std::size_t, TransposeWay, \
                             cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
