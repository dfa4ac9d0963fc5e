// The kernels of microkernels.hpp, each for one warp.
#include "../../../cuda/kernels/support/device.hpp"
#include "microkernels.hpp"

namespace bankproof::cuda::tests {

namespace microkernels {

/// Copies with one load and one store.
template <class E>
__device__ void copy(E& to, const E& from) {
  to = from;
}
/// clang copies a struct of 16 bytes as two words of 8 bytes; member by member it copies one
/// vector.
__device__ inline void copy(Element16& to, const Element16& from) {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
  to.w = from.w;
}

template <class E>
__global__ void load_from_shared(const std::uint32_t* elements, E* out, std::uint32_t words) {
  extern __shared__ __align__(16) unsigned char bytes[];
  auto* const filled = reinterpret_cast<std::uint32_t*>(bytes);
  for (std::uint32_t k = threadIdx.x; k < words; k += blockDim.x) filled[k] = word_of(k);
  __syncthreads();

  const std::uint32_t element = elements[threadIdx.x];
  if (element != nowhere) copy(out[threadIdx.x], reinterpret_cast<const E*>(bytes)[element]);
}

template <class E>
__global__ void store_to_shared(const std::uint32_t* elements, const E* in, E* out) {
  extern __shared__ __align__(16) unsigned char bytes[];
  // The compiler must not forward the value from the store to the load.
  auto* const stored = reinterpret_cast<E*>(bytes);
  const std::uint32_t element = elements[threadIdx.x];
  if (element != nowhere) copy(stored[element], in[element]);
  __syncthreads();
  if (element != nowhere) copy(out[threadIdx.x], stored[element]);
}

template <class E>
__global__ void load_from_global(const std::uint32_t* elements, const E* in, E* out) {
  const std::uint32_t element = elements[threadIdx.x];
  if (element != nowhere) copy(out[threadIdx.x], in[element]);
}

template <class E>
__global__ void store_to_global(const std::uint32_t* elements, const E* in, E* out) {
  const std::uint32_t element = elements[threadIdx.x];
  if (element != nowhere) copy(out[element], in[threadIdx.x]);
}

}  // namespace microkernels

template <class E>
void load_from_shared(const std::uint32_t* elements, E* out, std::uint32_t words) {
  microkernels::load_from_shared<<<1, 32, words * sizeof(std::uint32_t)>>>(elements, out, words);
  require_launched("load_from_shared");
}

template <class E>
void store_to_shared(const std::uint32_t* elements, const E* in, E* out, std::uint32_t words) {
  microkernels::store_to_shared<<<1, 32, words * sizeof(std::uint32_t)>>>(elements, in, out);
  require_launched("store_to_shared");
}

template <class E>
void load_from_global(const std::uint32_t* elements, const E* in, E* out) {
  microkernels::load_from_global<<<1, 32>>>(elements, in, out);
  require_launched("load_from_global");
}

template <class E>
void store_to_global(const std::uint32_t* elements, const E* in, E* out) {
  microkernels::store_to_global<<<1, 32>>>(elements, in, out);
  require_launched("store_to_global");
}

#define BANKPROOF_INSTANTIATE(E)                                                       \
  template void load_from_shared<E>(const std::uint32_t*, E*, std::uint32_t);          \
  template void store_to_shared<E>(const std::uint32_t*, const E*, E*, std::uint32_t); \
  template void load_from_global<E>(const std::uint32_t*, const E*, E*);               \
  template void store_to_global<E>(const std::uint32_t*, const E*, E*);
BANKPROOF_INSTANTIATE(Element1)
BANKPROOF_INSTANTIATE(Element2)
BANKPROOF_INSTANTIATE(Element4)
BANKPROOF_INSTANTIATE(Element8)
BANKPROOF_INSTANTIATE(Element16)

}  // namespace bankproof::cuda::tests
