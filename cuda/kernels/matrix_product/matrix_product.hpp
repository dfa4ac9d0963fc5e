// Products of matrices on a device, for int32, uint32, int64, float and double.
//
//     matrix_product<float>(a.span(), b.span(), c.data(), {rows, inner, columns}, stream);
//
// c ← ab for a of rows × inner and b of inner × columns elements, in row-major order. c overlaps
// neither a nor b. All throw std::invalid_argument and CudaError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"

namespace bankproof::cuda {

struct ProductShape {
  std::size_t rows = 0;
  std::size_t inner = 0;
  std::size_t columns = 0;
};

/// The launch configuration of matrix_product_by_tiles().
struct TileShape {
  std::uint32_t m = 32;         // side of a tile
  std::uint32_t threads = 256;  // of a block
  std::uint32_t blocks = 0;     // number of blocks; 0: one block per tile
};

/// The product in m × m tiles in shared memory (OPT V): the counterpart of `matrix-product
/// MUL-HMM`. Three tiles take at most 48 KiB.
template <class T>
void matrix_product_by_tiles(std::span<const T> a, std::span<const T> b, T* c,
                             const ProductShape& shape, const TileShape& tiles = {},
                             cudaStream_t stream = nullptr);

/// The product with 16 × 8 elements of c in the registers of each thread, or 8 × 8 elements if an
/// element has 8 bytes. While a block multiplies tiles of a and b, it copies the next tiles to
/// shared memory. Each access to b and c moves 16 bytes if all rows of b and c begin at multiples
/// of 16 bytes.
template <class T>
void matrix_product(std::span<const T> a, std::span<const T> b, T* c, const ProductShape& shape,
                    cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
