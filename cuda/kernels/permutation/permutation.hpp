// Permuting an array on a device, b[P(i)] ← a[i], of elements of 4 and 8 bytes (permutation.cu has
// the list). The arrays do not overlap. Neither do two elements of P, which is taken on trust.
//
//     permute_destination_designated<float>(a.span(), b.data(), p.span(), stream);
//
// Arrays of indices are of any of the lengths that a call can take, with a sign or without. All
// throw std::invalid_argument and CudaError. Without conflicts or in whole lines, for arrays in
// global memory: scheduled_permutation.hpp, and affine_permutation.hpp for those with a formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"
#include "../support/indices.hpp"

namespace bankproof::cuda {

// ---- In the shared memory of one block (THS 4.1): the arrays and the indices are loaded there,
// and b written back. It has room for both and for the indices, of 2 or 4 bytes.

/// How the block is launched.
struct OneBlock {
  std::uint32_t threads = 1024;
  /// How often it moves the elements from a to b, all in shared memory: what moving takes is
  /// measured so (THS 4.5).
  std::uint32_t repetitions = 1;
};

/// b[i] ← a[i]: what any permutation takes at the least.
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

/// b[d[j]] ← a[s[j]] for the lanes j of a plan. Its width is 32 for elements of 4 bytes, and 16 for
/// those of 8, which are moved by half-warps; its threads are a multiple of 32.
template <class T>
void permute_conflict_free_in_shared_memory(std::span<const T> a, T* b, const PlanTables& plan,
                                            const OneBlock& block, cudaStream_t stream = nullptr);

/// The permutations of 1024 elements of which P and a plan are computed in place (THS 4.4).
enum class InPlacePermutation : std::uint8_t { transpose, shuffle, bit_reversal };

/// What a thread computes: P, its inverse, or a plan for the width 32.
enum class InPlaceWay : std::uint8_t { destination_designated, source_designated, conflict_free };

template <class T>
void permute_in_place_in_shared_memory(std::span<const T> a, T* b, InPlacePermutation permutation,
                                       InPlaceWay way, const OneBlock& block,
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
