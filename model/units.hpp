// The quantities of the memory machines. All are plain integers: they are counted, never rounded.
#pragma once

#include <cstdint>
#include <limits>

#include "host_device.hpp"

namespace bankproof {

/// Index of a word in one memory; words are numbered from 0.
using Address = std::uint64_t;

/// Number of a memory bank, address mod width.
using Bank = std::uint32_t;

/// The number of banks of a memory, of words of an address group, and of threads of a warp.
using Width = std::uint32_t;

/// The number of time units from the last stage of an access to the completion of the access, both
/// included; at least 1.
using Latency = std::uint64_t;

/// Time units since a machine was built.
using Time = std::uint64_t;

/// The largest width of a machine: the mask of a warp fits in one machine word.
inline constexpr Width widest_warp = 64;

/// The largest width of an access whose stages can be counted.
inline constexpr Width widest_access = 1024;

/// No limit on resident threads or on the capacity of a memory.
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// ⌈a/b⌉ without overflow. Requires b > 0.
BANKPROOF_HOST_DEVICE constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace bankproof
