// Whether a proof may rest on loads about which the threads of a block agree.
#pragma once

#include <map>
#include <set>

#include "../claims/subject.hpp"

namespace bankproof::symbolic {

/// What threads of a block agree about if they are in the same iterations, by the value.
std::map<Term, Agreed> all_agreed(const Subject& subject);

/// Whether an access or a barrier depends on such a load; see Subject::loads_agree.
bool has_agreeing_loads(const Subject& subject);

/// The arrays and variables from which such loads are.
std::set<Term> objects_of_agreeing_loads(const Subject& subject);

}  // namespace bankproof::symbolic
