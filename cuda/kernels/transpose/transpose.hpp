// Transposes of matrices on a device, with elements of 4 and 8 bytes.
//
//     transpose<float>(a.span(), b.data(), rows, columns, TransposeVariant::packets, stream);
//
// Throws std::invalid_argument and CudaError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"

namespace bankproof::cuda {

/// The paths of a tile of 32 × 32 elements through shared memory. `diagonal`, `row_major` and
/// `direct` are the variants of `transpose` (THS 5.3). `packets` is `swizzled` with 16 bytes per
/// access. It needs elements of 4 bytes, and all rows of a and b at multiples of 16 bytes;
/// otherwise the call uses `swizzled`.
enum class TransposeVariant : std::uint8_t {
  diagonal,
  padded,
  swizzled,
  row_major,
  direct,
  packets
};

/// b ← aᵀ, where a has rows × columns elements in row-major order. The arrays do not overlap.
template <class T>
void transpose(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
               TransposeVariant variant = TransposeVariant::packets, cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
