// The SHA-256 by which a plan identifies its permutation. It covers P(0), P(1), … as 64-bit
// little-endian integers, even if they are held in 32 bits.
#pragma once

#include <string>

#include "../readers/values.hpp"

namespace bankproof::cli {

/// 64 hexadecimal digits.
std::string digest_of(const Values& permutation);

}  // namespace bankproof::cli
