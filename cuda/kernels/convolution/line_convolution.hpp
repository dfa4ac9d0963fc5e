// One-dimensional convolution of an array with a mask on a device (CONV 7), with ghost cells, for
// int32, uint32, int64, float and double.
//
//     line_convolution<float>(n.span(), m.span(), p.data(), {.ghosts = GhostCells::nearest});
//
// p[i] = Σ n[i − v + j]·m[j] over 0 ≤ j ≤ 2v, for a mask of 2v + 1 numbers.
#pragma once

#include <cstdint>
#include <span>

#include "../../../algorithms/layout.hpp"
#include "../support/device.hpp"

namespace bankproof::cuda {

/// The variants `1d-…` of `tiled-convolution`. basic: all arrays are in global memory.
/// constant_mask: the mask is in constant memory. tiled: in addition, the elements and their halo
/// are in shared memory. cached: as tiled, but the halo stays in global memory.
enum class LineVariant : std::uint8_t { basic, constant_mask, tiled, cached };

struct LineShape {
  GhostCells ghosts = GhostCells::zero;
  std::uint32_t threads = 256;  // of each block
};

/// p ← n with the mask m; p has the size of n and does not overlap it. All variants but `basic`
/// first copy m, of at most 16 KiB, to constant memory: calls that run at the same time on two
/// streams need the same mask. Throws std::invalid_argument and CudaError.
template <class T>
void line_convolution(std::span<const T> n, std::span<const T> m, T* p, const LineShape& shape = {},
                      LineVariant variant = LineVariant::tiled, cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
