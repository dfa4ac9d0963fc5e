// The host's side of transposes; see transpose.hpp.
#include "../support/checks.hpp"
#include "transpose.cuh"
#include "transpose.hpp"

namespace bankproof::cuda {

namespace {

/// The kernel for packets, or the swizzled kernel if rows are not made of whole packets.
template <class T>
auto* kernel_for_packets(const T* a, const T* b, std::size_t rows, std::size_t columns) {
  if constexpr (sizeof(T) == 4) {
    constexpr std::size_t each = kernels::Packet<T>::size;
    if (rows % each == 0 && columns % each == 0 && is_packet_aligned(a) && is_packet_aligned(b)) {
      return kernels::transpose_packets<T>;
    }
  }
  return kernels::transpose_tiles<kernels::SwizzledTile, T>;
}

}  // namespace

template <class T>
void transpose(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
               TransposeVariant variant, cudaStream_t stream) {
  constexpr const char* what = "transpose";
  require_matrix(a.size(), rows, columns, what);
  require_apart(what, {{"a", a}, {"b", b, a.size()}});
  if (a.empty()) return;
  const std::uint32_t tiles =
      blocks_for(tiles_of(rows, columns, kernels::tile_side, kernels::tile_side), what);
  const auto launch = [&](auto* kernel) {
    kernel<<<tiles, dim3(kernels::tile_side, kernels::tile_threads_down), 0, stream>>>(
        a.data(), b, rows, columns);
    require_launched(what);
  };
  switch (variant) {
    case TransposeVariant::diagonal:
      return launch(kernels::transpose_tiles<kernels::DiagonalTile, T>);
    case TransposeVariant::padded:
      return launch(kernels::transpose_tiles<kernels::PaddedTile, T>);
    case TransposeVariant::swizzled:
      return launch(kernels::transpose_tiles<kernels::SwizzledTile, T>);
    case TransposeVariant::row_major:
      return launch(kernels::transpose_tiles<kernels::RowMajorTile, T>);
    case TransposeVariant::direct:
      return launch(kernels::transpose_direct<T>);
    case TransposeVariant::packets:
      return launch(kernel_for_packets(a.data(), b, rows, columns));
  }
  refuse_variant(what);
}

#define BANKPROOF_INSTANTIATE(T)                                                                 \
  template void transpose<T>(std::span<const T>, T*, std::size_t, std::size_t, TransposeVariant, \
                             cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
