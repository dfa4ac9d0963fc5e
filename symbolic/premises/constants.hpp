// Values that conditions fix.
#pragma once

#include <string>
#include <vector>

#include "../execution/inputs.hpp"
#include "signature.hpp"

namespace bankproof::symbolic {

/// Adds to what is stated the parameters and axes that the condition gives a value, as in
/// `n == 12288 && blockDim.x == 1 << 8`, or in `n == 2 * blockDim.x` if blockDim.x is stated. The
/// kernel is then followed with these values: loops have ends that are known, and products have one
/// factor less that is not. Throws formulas::ParseError: the text is no formula, or has another
/// name.
void add_constants(Shape& stated, const std::string& condition,
                   const std::vector<NamedValue>& values);

}  // namespace bankproof::symbolic
