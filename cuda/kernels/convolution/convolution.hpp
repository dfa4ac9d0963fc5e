// The direct convolution of two arrays on a device, for int32, uint32, int64, float and double.
//
//     convolution<float>(x.span(), y.span(), z.data(), {}, stream);
//
// z[i] = x[0]·y[i] + … + x[m − 1]·y[i + m − 1] for the y.size() − m + 1 values of i for which y has
// all numbers. (With x reversed, this is the valid part of a convolution as in signal processing.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"

namespace bankproof::cuda {

/// The launch configuration. If a member is 0, the sizes of the arrays determine its value.
struct ConvolutionShape {
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;  // of each block; at most 1024
};

/// Each block computes a share of z in shared memory (HMM IX): the counterpart of `convolution
/// shares`. x must not be empty. x, a share of y, and a share of z with its partial sums take at
/// most 48 KiB. z overlaps neither x nor y. Throws std::invalid_argument and CudaError.
template <class T>
void convolution(std::span<const T> x, std::span<const T> y, T* z,
                 const ConvolutionShape& shape = {}, cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
