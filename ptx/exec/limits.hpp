// The limits of a launch. Kernels can read them from the machine. They are the limits of chips of
// compute capability 9.0 (CUDA Programming Guide, "Compute Capabilities"). No other chip has higher
// limits: a launch over these limits runs on no chip.
#pragma once

#include <cstdint>

#include "../isa/shape.hpp"
#include "../memory/spaces.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t most_threads_of_block = 1024;
inline constexpr Extent most_block{1024, 1024, 64};
inline constexpr Extent most_grid{0x7fffffff, 65535, 65535};
inline constexpr std::uint64_t most_shared_bytes = std::uint64_t{227} * 1024;  // per block
inline constexpr std::uint64_t shared_unit = 128;                              // unit of allocation
inline constexpr std::uint64_t most_local_bytes = std::uint64_t{512} * 1024;   // per thread
inline constexpr std::uint64_t most_constant_bytes = std::uint64_t{11} * 65536;  // in 11 banks

/// %nsmid: block k runs on multiprocessor k mod 16.
inline constexpr std::uint32_t multiprocessors = 16;
inline constexpr std::uint32_t threads_of_multiprocessor = 2048;

/// Throws std::invalid_argument for a grid or a block that is empty or too large, and for more
/// dynamic shared memory than a block can have.
void check_shape(const LaunchShape& shape);

}  // namespace bankproof::ptx
