// Which facts a goal needs. Z3 says it; a script that names too few or too many facts still proves
// nothing wrong, because Coq checks each goal from the facts that the script names.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "../builder/query.hpp"
#include "cases.hpp"

namespace bankproof::proofs {

/// The facts that the goals of a query need.
struct Needed {
  /// For each goal, how each part of its claim follows from facts. Nothing for a goal that Z3 does
  /// not decide, and for a term of a sum of which nobody needs that it is a count.
  std::vector<std::optional<std::vector<Cases>>> of_goals;
  std::set<FactNumber> facts;  ///< of all goals
};

Needed needed_by(Query& query);

/// The parts of a claim "A and B", from the left to the right.
std::vector<WrittenPointer> parts_of_claim(const WrittenPointer& claim);

/// Whether a script needs that this part of a sum is a count.
bool is_counted(const Step& sum, std::size_t part, const Needed& needed);

}  // namespace bankproof::proofs
