// The sum of an array on a device, for int32, uint32, int64, float and double (the types that
// sum.cu lists; for other types, use sum.cuh).
//
//     DeviceArray<std::byte> scratch(sum_scratch_bytes<float>(in.size()));
//     DeviceArray<float> result(1);
//     sum<float>(in.span(), result.data(), scratch.span(), stream);
//
// Integers wrap. The order in which floating-point numbers are added depends only on the number of
// elements and, in sum(), on the place of the first element at a multiple of 16 bytes. So results
// repeat. Scratch memory begins at a multiple of 16 bytes. The arrays do not overlap. All calls
// throw std::invalid_argument and CudaError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"

namespace bankproof::cuda {

/// The launch configuration of sum_by_columns(). If a member is 0, the size of the input determines
/// its value.
struct SumShape {
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;  // of each block; at most 1024
};

/// In the shared memory of one block (MOD 4): each level halves the distance of the summed
/// elements. The counterpart of `sum pairwise`. The array has at most 48 KiB.
template <class T>
void sum_in_shared_memory(std::span<const T> in, T* result, std::uint32_t threads,
                          cudaStream_t stream = nullptr);

/// Each thread of all blocks adds up a column; then one block adds up the blocks' sums (HMM VII).
/// This is the counterpart of `sum all-dmms`, with one element per access. The sum of an empty
/// array is 0.
template <class T>
void sum_by_columns(std::span<const T> in, T* result, std::span<std::byte> scratch,
                    const SumShape& shape = {}, cudaStream_t stream = nullptr);

/// The sum by columns with 16 bytes per access and four accesses per thread in flight.
template <class T>
void sum(std::span<const T> in, T* result, std::span<std::byte> scratch,
         cudaStream_t stream = nullptr);

/// The scratch memory that sum_by_columns() and sum() each need for n elements.
template <class T>
std::size_t sum_scratch_bytes(std::size_t n, const SumShape& shape = {});

}  // namespace bankproof::cuda
