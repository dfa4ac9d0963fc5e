// Sources of random bits: one for each type of cuRAND's generators.
//
// XORWOW, MRG32k3a, Philox and the Mersenne twister are those of their papers. The order of results
// is XORWOW's and Philox's own where cuRAND documents it; seeds and the order of the others are not
// documented, so that their numbers are right in distribution and are not those of a chip.
#pragma once

#include <cstdint>
#include <memory>

#include "../../headers/curand.h"

namespace bankproof::cuda::random {

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  virtual std::uint32_t next() = 0;
  /// Leaves out numbers.
  virtual void skip(std::uint64_t count);
};

/// Null for a type that has no source of this kind: quasi-random numbers (sobol.hpp).
std::unique_ptr<Source> source_of(curandRngType_t type, std::uint64_t seed);

}  // namespace bankproof::cuda::random
