// Whether a proof may rest on loads about which the threads of a block agree.
#pragma once

#include <set>

#include "../claims/subject.hpp"

namespace bankproof::symbolic {

/// Whether an access or a barrier depends on such a load; see Subject::loads_agree.
bool has_agreeing_loads(const Subject& subject);

/// The arrays and variables from which such loads are.
std::set<Term> objects_of_agreeing_loads(const Subject& subject);

}  // namespace bankproof::symbolic
