// The direct convolution of two arrays on a device: of int32, uint32, int64, float and double.
//
//     convolution<float>(x.span(), y.span(), z.data(), {}, stream);
//
// z[i] = x[0]·y[i] + … + x[m − 1]·y[i + m − 1] for all i that y has numbers for, y.size() − m + 1.
// (With x reversed that is the valid part of what signal processing calls a convolution.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"

namespace bankproof::cuda {

/// How blocks are launched. 0 is chosen by the sizes.
struct ConvolutionShape {
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;  // of each block; at most 1024
};

/// A share of z for each block, in shared memory (HMM IX): the counterpart of `convolution
/// shares`. x, of a number at least, and a share of y and z with its partial sums take at most
/// 48 KiB. z overlaps neither. Throws std::invalid_argument and CudaError.
template <class T>
void convolution(std::span<const T> x, std::span<const T> y, T* z,
                 const ConvolutionShape& shape = {}, cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
