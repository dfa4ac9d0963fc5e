// The inductions by which sums are proved, as lemmas of Coq.
#pragma once

#include <string>

namespace bankproof::proofs {

/// For each number of parts that a sum may have, and each kind of sum: what proves a statement
/// about the sum. They are the steps of proofs/builder/sums.hpp.
std::string inductions_in_coq();

}  // namespace bankproof::proofs
