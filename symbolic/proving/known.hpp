// Gathers the facts about a kernel's launches that all questions use: statements of the user, and
// facts about drawn, loaded and stored numbers that follow from the trace.
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
