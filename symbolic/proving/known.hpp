// What is known of a kernel's launches before the first question: what the user states, and what
// follows from the trace about drawn, loaded and stored numbers.
#pragma once

#include <vector>

#include "../claims/subject.hpp"
#include "premises.hpp"
#include "prove.hpp"

namespace bankproof::symbolic {

/// Throws PremiseError if a statement of the request is wrong. Invariants, and
/// Subject::loads_agree, are left to be decided.
Subject subject_of(Pool& pool, Execution& execution, const Request& request,
                   const std::vector<NamedValue>& values,
                   const std::vector<ElementCondition>& conditions);

}  // namespace bankproof::symbolic
