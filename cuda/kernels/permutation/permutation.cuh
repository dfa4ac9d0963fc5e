// Kernels that permute an array; algorithms/permutation/permute.hpp has the same programs for the
// machines. A variant is two functions of a lane's number j: the index that the lane reads, and the
// index that it writes.
//
//   copy                     b[j] ← a[j]
//   destination-designated   b[p[j]] ← a[j]
//   source-designated        b[j] ← a[q[j]]
//   conflict-free            b[d[j]] ← a[s[j]]
//   in place                 any of these by formulas (algorithms/permutation/in_place.hpp)
//
// A caller may pass two other functions, such as bankproof_s() and bankproof_d() of a plan.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../algorithms/layout.hpp"
#include "../../../algorithms/permutation/in_place.hpp"

namespace bankproof::cuda::kernels {

// ---- Elements of lanes.

struct OwnElement {
  static constexpr bool has_idle_lanes = false;
  template <class N>
  __device__ N operator()(N lane) const {
    return lane;
  }
};

/// The element of an array of indices that belongs to the lane. In plans, the largest index marks
/// an idle lane.
template <class Index, bool of_plan = false>
struct ElementFrom {
  static constexpr bool has_idle_lanes = of_plan;
  const Index* elements;

  template <class N>
  __device__ N operator()(N lane) const {
    return static_cast<N>(elements[lane]);
  }
};

/// P(j), Q(j) and S(j) of the permutations of 1024 elements with formulas (THS 4.4).
struct OfFormula {
  static constexpr bool has_idle_lanes = false;
};
struct TransposedElement : OfFormula {
  template <class N>
  __device__ N operator()(N i) const {
    return InPlace{5}.transposed(i);
  }
};
struct ShuffledElement : OfFormula {
  template <class N>
  __device__ N operator()(N i) const {
    return InPlace{5}.shuffled(i);
  }
};
struct UnshuffledElement : OfFormula {
  template <class N>
  __device__ N operator()(N i) const {
    return InPlace{5}.unshuffled(i);
  }
};
struct ReversedElement : OfFormula {
  template <class N>
  __device__ N operator()(N i) const {
    return InPlace{5}.reversed(i);
  }
};
struct PlannedSource : OfFormula {
  template <class N>
  __device__ N operator()(N j) const {
    return InPlace{5}.source(j);
  }
};
/// D(j) = P(S(j)).
template <class Permuted>
struct PlannedTarget : OfFormula {
  template <class N>
  __device__ N operator()(N j) const {
    return Permuted{}(PlannedSource{}(j));
  }
};

/// Whether lanes may be idle. For a function that the caller passes, they may.
template <class Source>
inline constexpr bool may_have_idle_lanes = true;
template <class Source>
  requires requires { Source::has_idle_lanes; }
inline constexpr bool may_have_idle_lanes<Source> = Source::has_idle_lanes;

/// If the function reads an array with one index per lane, copies the array to shared memory at
/// `free`, moves `free` to the end of the copy, and returns a function that reads the copy.
/// Otherwise returns the same function.
template <class Function>
__device__ Function in_shared_memory(const Function& function, unsigned char*& /*free*/,
                                     std::uint32_t /*lanes*/) {
  return function;
}
template <class Index, bool of_plan>
__device__ ElementFrom<Index, of_plan> in_shared_memory(const ElementFrom<Index, of_plan>& function,
                                                        unsigned char*& free, std::uint32_t lanes) {
  auto* const copy = reinterpret_cast<Index*>(free);
  for (std::uint32_t j = threadIdx.x; j < lanes; j += blockDim.x) copy[j] = function.elements[j];
  free += lanes * sizeof(Index);
  return {copy};
}

// ---- Permuting.

/// b[target_of(j)] ← a[source_of(j)] for all lanes j that are not idle, for arrays of n elements.
/// This thread is number `thread` of `threads`.
template <class N, class T, class Source, class Target>
__device__ void permute(const T* a, T* b, N n, N lanes, const Source& source_of,
                        const Target& target_of, N thread, N threads) {
  for (N j = thread; j < lanes; j += threads) {
    const N source = source_of(j);
    if (may_have_idle_lanes<Source> && source >= n) continue;
    b[target_of(j)] = a[source];
  }
}

/// One block: load, permute `repetitions` times, write back. Dynamic shared memory holds the arrays
/// a and b of n elements, and the arrays of indices.
template <class T, class Source, class Target>
__global__ void permute_in_shared_memory(const T* in, T* out, std::uint32_t n, std::uint32_t lanes,
                                         Source source_of, Target target_of,
                                         std::uint32_t repetitions) {
  extern __shared__ __align__(16) unsigned char words[];
  T* const a = reinterpret_cast<T*>(words);
  T* const b = a + n;

  for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) a[i] = in[i];
  auto* free = reinterpret_cast<unsigned char*>(b + n);
  const Source source = in_shared_memory(source_of, free, lanes);
  const Target target = in_shared_memory(target_of, free, lanes);
  // If each thread reads only elements that it has written, no barrier is needed.
  if constexpr (!std::is_same_v<Source, OwnElement>) __syncthreads();

  for (std::uint32_t k = 0; k < repetitions; ++k) {
    permute(a, b, n, lanes, source, target, threadIdx.x, blockDim.x);
    asm volatile("" ::: "memory");  // each repetition goes from memory to memory
  }
  if constexpr (!std::is_same_v<Target, OwnElement>) __syncthreads();

  for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = b[i];
}

/// Permutes from global memory to global memory.
template <class T, class Source, class Target>
__global__ void permute_in_global_memory(const T* a, T* b, std::size_t n, Source source_of,
                                         Target target_of) {
  permute<std::size_t>(a, b, n, n, source_of, target_of,
                       row_major<std::size_t>(blockIdx.x, threadIdx.x, blockDim.x),
                       std::size_t{gridDim.x} * blockDim.x);
}

}  // namespace bankproof::cuda::kernels
