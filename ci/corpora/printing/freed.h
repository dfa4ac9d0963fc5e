// Prints what is in arrays of the device when a program frees them, for programs that keep their results to
// themselves: of each array, in the order of their release, up to 32 parts with the sum of their numbers,
// each of which counts by its place.
#pragma once

#include <cstddef>
#include <cstdio>
#include <map>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

namespace freed {

inline std::map<const void*, std::size_t>& sizes() {
  static std::map<const void*, std::size_t> known;
  return known;
}

template <class T>
cudaError_t allocate(T** place, std::size_t bytes) {
  const cudaError_t result = cudaMalloc(place, bytes);
  if (result == cudaSuccess) sizes()[*place] = bytes;
  return result;
}

template <class T>
typename std::enable_if<std::is_arithmetic<T>::value>::type show(int array, const T* from, std::size_t bytes) {
  std::vector<unsigned char> copy(bytes);
  if (cudaMemcpy(copy.data(), from, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return;
  const T* const numbers = reinterpret_cast<const T*>(copy.data());
  const std::size_t count = bytes / sizeof(T), part = count / 32 + (count % 32 != 0);
  for (std::size_t at = 0; at < count; at += part) {
    double sum = 0;
    for (std::size_t i = at; i < at + part && i < count; ++i) sum += (1.0 + double(i % 13)) * double(numbers[i]);
    std::printf("freed %d of %zu from %zu: %.6e\n", array, count, at, sum);
  }
}

template <class T>
typename std::enable_if<!std::is_arithmetic<T>::value>::type show(int, const T*, std::size_t) {}

inline int next() {
  static int number = 0;
  return ++number;
}

template <class T>
cudaError_t release(T* array) {
  const auto known = sizes().find(array);
  if (known != sizes().end()) {
    show(next(), array, known->second);
    sizes().erase(known);
  }
  return cudaFree(array);
}

}  // namespace freed

#define cudaMalloc freed::allocate
#define cudaFree freed::release
