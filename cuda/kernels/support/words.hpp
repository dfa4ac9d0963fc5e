// Word types for kernels that only move elements, and the limit of shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "checks.hpp"
#include "device.hpp"

namespace bankproof::cuda {

/// The word type of 4 or 8 bytes that stands for an element of that size.
template <class T>
  requires(sizeof(T) == 4 || sizeof(T) == 8) && (std::alignment_of_v<T> == sizeof(T))
using WordOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class T>
const WordOf<T>* words_of(const T* elements) {
  return reinterpret_cast<const WordOf<T>*>(elements);
}
template <class T>
WordOf<T>* words_of(T* elements) {
  return reinterpret_cast<WordOf<T>*>(elements);
}

/// The most shared memory that a block can have, in bytes.
inline std::size_t shared_memory_of_block() {
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  int bytes = 0;
  require(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(bytes);
}

/// Lets the blocks of a kernel have `bytes` bytes of dynamic shared memory. Throws
/// std::invalid_argument if the device has less; `what` names the call.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::size_t bytes, const char* what) {
  constexpr std::size_t always = std::size_t{48} * 1024;
  if (bytes <= always) return;
  if (const std::size_t most = shared_memory_of_block(); bytes > most) {
    refuse(what, std::to_string(bytes) + " bytes; a block of this device has at most " +
                     std::to_string(most) + " of shared memory");
  }
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
}

}  // namespace bankproof::cuda
