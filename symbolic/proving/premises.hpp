// The conditions and sizes of a request, as terms about a kernel.
#pragma once

#include <vector>

#include "prove.hpp"

namespace bankproof::symbolic {

/// Adds them to the subject. Throws PremiseError.
void state_premises(Subject& subject, const Request& request,
                    const std::vector<NamedParameter>& parameters);

}  // namespace bankproof::symbolic
