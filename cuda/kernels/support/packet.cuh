// Packets: several elements that one access moves.
//
// Index an array of packets by the packet's number: reinterpret_cast<Packet<T>*>(array)[k]. If the
// packet's address is computed from an element, array + i, nvcc 13 may emit one access per element.
#pragma once

#include <cstdint>

namespace bankproof::cuda::kernels {

/// `count` elements; by default, as many as fit into 16 bytes.
template <class T, std::uint32_t count = 16 / sizeof(T)>
struct alignas(count * sizeof(T)) Packet {
  static constexpr std::uint32_t size = count;
  T elements[size];
};

}  // namespace bankproof::cuda::kernels
