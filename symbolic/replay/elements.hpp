// Whether a condition on elements holds for what the buffers of a launch begin with.
#pragma once

#include "../premises/elements.hpp"
#include "replay.hpp"

namespace bankproof::symbolic {

/// Tries all values of the variables, one after the other. False, too, if these are too many to be
/// tried, or if something has no value, such as a division by 0.
bool holds(const ElementCondition& condition, const Launch& launch, Contents contents);

}  // namespace bankproof::symbolic
