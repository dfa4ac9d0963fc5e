// The SHA-256 by which a plan names its permutation: of P(0), P(1), … as 64-bit little-endian
// integers, whatever width they are kept in.
#pragma once

#include <string>

#include "../readers/values.hpp"

namespace bankproof::cli {

/// 64 hexadecimal digits.
std::string digest_of(const Values& permutation);

}  // namespace bankproof::cli
