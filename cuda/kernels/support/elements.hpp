// Element types that are not numbers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bankproof::cuda {

/// x ↦ (1 + a)x + b over 32-bit words. The sum of two maps is the left map followed by the right
/// map, so + is associative but not commutative. The map with a = b = 0 is the identity, as T{}
/// must be. Prefix sums of these maps solve linear recurrences.
struct AffineMap {
  std::uint32_t a;
  std::uint32_t b;

  friend __host__ __device__ AffineMap operator+(const AffineMap& left, const AffineMap& right) {
    return {left.a + right.a + left.a * right.a, left.b + right.a * left.b + right.b};
  }
  friend __host__ __device__ bool operator==(const AffineMap& left, const AffineMap& right) {
    return left.a == right.a && left.b == right.b;
  }
};

}  // namespace bankproof::cuda
