// Permutes an array on a device, b[P(i)] ← a[i], with elements of 4 and 8 bytes (permutation.cu
// lists the types). The arrays do not overlap. P has to be one to one; calls do not check this.
//
//     permute_destination_designated<float>(a.span(), b.data(), p.span(), stream);
//
// Indices may be signed or unsigned, of any size that the comment of the call names. All calls
// throw std::invalid_argument and CudaError. scheduled_permutation.hpp permutes global memory in
// whole lines, and affine_permutation.hpp does so for permutations with a formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"
#include "../support/indices.hpp"

namespace bankproof::cuda {

// ---- In the shared memory of one block (THS 4.1). The block loads a and the indices, permutes,
// and writes b back. Shared memory has to hold both arrays and the indices, of 2 or 4 bytes.

/// The launch configuration.
struct OneBlock {
  std::uint32_t threads = 1024;
  /// The number of times that the block moves the elements from a to b in shared memory;
  /// repetitions serve to measure the move (THS 4.5).
  std::uint32_t repetitions = 1;
};

/// b[i] ← a[i]: the minimum cost of any permutation.
template <class T>
void copy_in_shared_memory(std::span<const T> a, T* b, const OneBlock& block,
                           cudaStream_t stream = nullptr);

/// b[p[i]] ← a[i].
template <class T>
void permute_destination_designated_in_shared_memory(std::span<const T> a, T* b, const IndexSpan& p,
                                                     const OneBlock& block,
                                                     cudaStream_t stream = nullptr);

/// b[i] ← a[q[i]], where q is the inverse of P.
template <class T>
void permute_source_designated_in_shared_memory(std::span<const T> a, T* b, const IndexSpan& q,
                                                const OneBlock& block,
                                                cudaStream_t stream = nullptr);

/// b[d[j]] ← a[s[j]] for the lanes j of a plan. The plan's width is 32 for elements of 4 bytes. For
/// elements of 8 bytes the width is 16, since the elements are served to half a warp at a time. The
/// number of threads is a multiple of 32.
template <class T>
void permute_conflict_free_in_shared_memory(std::span<const T> a, T* b, const PlanTables& plan,
                                            const OneBlock& block, cudaStream_t stream = nullptr);

/// The permutations of 1024 elements with formulas: threads compute P or a plan in place (THS 4.4).
enum class InPlacePermutation : std::uint8_t { transpose, shuffle, bit_reversal };

/// The functions that each thread computes: P, its inverse, or a plan of width 32.
enum class InPlaceVariant : std::uint8_t {
  destination_designated,
  source_designated,
  conflict_free
};

template <class T>
void permute_in_place_in_shared_memory(std::span<const T> a, T* b, InPlacePermutation permutation,
                                       InPlaceVariant variant, const OneBlock& block,
                                       cudaStream_t stream = nullptr);

// ---- In global memory, with indices of 4 or 8 bytes (THS 5.2).

/// b[p[i]] ← a[i].
template <class T>
void permute_destination_designated(std::span<const T> a, T* b, const IndexSpan& p,
                                    cudaStream_t stream = nullptr);

/// b[i] ← a[q[i]], where q is the inverse of P.
template <class T>
void permute_source_designated(std::span<const T> a, T* b, const IndexSpan& q,
                               cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
