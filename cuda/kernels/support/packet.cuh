// Several elements at a time.
//
// A packet of an array is found by its own number, as in reinterpret_cast<Packet<T>*>(array)[k]: of
// one at the address of an element, array + i, nvcc 13 may make an access for each element.
#pragma once

#include <cstdint>

namespace bankproof::cuda::kernels {

/// As many elements as 16 bytes hold, or fewer.
template <class T, std::uint32_t count = 16 / sizeof(T)>
struct alignas(count * sizeof(T)) Packet {
  static constexpr std::uint32_t size = count;
  T elements[size];
};

}  // namespace bankproof::cuda::kernels
