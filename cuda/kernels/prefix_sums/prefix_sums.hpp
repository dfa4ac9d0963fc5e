// Prefix sums of an array on a device, for int32, uint32, int64, float, double and AffineMap
// (prefix_sums.cu lists the types). Element i of the result is in[0] + … + in[i]. The order of the
// terms is kept, so + need not be commutative. `out` may be `in`; otherwise the arrays do not
// overlap. Scratch memory begins at a multiple of 16 bytes.
//
//     DeviceArray<std::byte> scratch(prefix_sums_scratch_bytes<float>(in.size()));
//     prefix_sums<float>(in.span(), out.data(), scratch.span(), stream);
//
// All throw std::invalid_argument and CudaError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"

namespace bankproof::cuda {

/// In the shared memory of one block (MOD 6): each level doubles the distance of the summed
/// elements. The counterpart of `prefix-sums simple`. The array has at most 48 KiB.
template <class T>
void prefix_sums_simple_in_shared_memory(std::span<const T> in, T* out, std::uint32_t threads,
                                         cudaStream_t stream = nullptr);

/// In the shared memory of one block (MOD 7), by sums of intervals: the counterpart of `prefix-sums
/// optimal`. The array has at most 24 KiB, because the work arrays need as much space as the array.
template <class T>
void prefix_sums_optimal_in_shared_memory(std::span<const T> in, T* out, std::uint32_t threads,
                                          cudaStream_t stream = nullptr);

/// Sums of intervals in global memory, one launch per level. `out` does not overlap `in`.
template <class T>
void prefix_sums_simple(std::span<const T> in, T* out, std::span<std::byte> scratch,
                        cudaStream_t stream = nullptr);
template <class T>
void prefix_sums_optimal(std::span<const T> in, T* out, std::span<std::byte> scratch,
                         cudaStream_t stream = nullptr);

/// In one pass with decoupled look-back.
template <class T>
void prefix_sums(std::span<const T> in, T* out, std::span<std::byte> scratch,
                 cudaStream_t stream = nullptr);

/// The scratch memory that each of the last three calls needs for n elements.
template <class T>
std::size_t prefix_sums_simple_scratch_bytes(std::size_t n);
template <class T>
std::size_t prefix_sums_optimal_scratch_bytes(std::size_t n);
template <class T>
std::size_t prefix_sums_scratch_bytes(std::size_t n);

}  // namespace bankproof::cuda
