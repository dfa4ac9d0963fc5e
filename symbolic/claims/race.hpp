// Races: two accesses that nothing orders touch one byte, one of them writes, and not both are
// atomic. Assumed: pointers of different parameters point to different arrays, and an access
// reaches no other array than that from whose begin its address is computed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "threads.hpp"

namespace bankproof::symbolic {

/// A question for solvers: can all of these statements hold at once? If not, the two accesses do
/// not race.
struct RaceQuestion {
  std::size_t first = 0;  // in Trace::accesses
  std::size_t second = 0;
  std::vector<Term> statements;
  /// Set if an address is not known well enough to ask.
  std::optional<std::string> unknown;
};

/// All questions of a kernel, without those that are answered at once.
std::vector<RaceQuestion> race_questions(Pool& pool, Execution& execution, Which which);

}  // namespace bankproof::symbolic
