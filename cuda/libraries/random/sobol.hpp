// Sobol's quasi-random numbers: I. M. Sobol (1967), with the direction numbers of S. Joe and
// F. Y. Kuo, "Constructing Sobol Sequences with Better Two-Dimensional Projections" (2008), in the
// order of Gray codes of I. A. Antonov and V. M. Saleev (1979).
#pragma once

#include <cstdint>
#include <vector>

namespace bankproof::cuda::random {

/// The dimensions whose direction numbers the machine has.
unsigned most_dimensions();

/// The points [first, first + count) of a dimension, from 0, in the highest bits of 64.
std::vector<std::uint64_t> sobol_points(unsigned dimension, std::uint64_t first, std::size_t count);

}  // namespace bankproof::cuda::random
