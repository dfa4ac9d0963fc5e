// Elements that are no numbers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bankproof::cuda {

/// x ↦ (1 + a)x + b over words of 32 bits; the sum of two is the left one followed by the right
/// one, so that + is associative and not commutative. All zero is the identity, as T{} has to be.
/// Prefix sums of them solve linear recurrences.
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
