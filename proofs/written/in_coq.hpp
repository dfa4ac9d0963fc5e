// Formulas as terms of Coq, of numbers in Z; proofs/coq/Written.v defines what Coq's library lacks.
// Parts that a formula has several times are defined once, by `let`.
//
// Example: ceil_div(n, w) + 1 is `(ceiling n w + 1)`.
#pragma once

#include <string>

#include "written.hpp"

namespace bankproof::proofs {

/// A term of type Z; of a truth, of type bool. Names become identifiers: each character that Coq
/// does not allow there becomes `_`.
std::string in_coq(const WrittenPointer& formula);
inline std::string in_coq(const Written& number) { return in_coq(number.node()); }
inline std::string in_coq(const WrittenTruth& truth) { return in_coq(truth.node()); }

/// A name as an identifier of Coq.
std::string coq_name(const std::string& name);

}  // namespace bankproof::proofs
