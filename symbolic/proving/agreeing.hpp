// Whether a proof may rest on loads about which the threads of a block agree.
#pragma once

#include <map>

#include "../claims/subject.hpp"

namespace bankproof::symbolic {

/// Loads in loops about which threads of a block agree if they are in the same iterations, by the
/// loaded value.
std::map<Term, Load> agreeing_in_loops(const Trace& trace);

/// Whether an access or a barrier depends on such a load; see Subject::loads_agree.
bool has_agreeing_loads(const Subject& subject);

}  // namespace bankproof::symbolic
