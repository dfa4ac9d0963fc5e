// Which thread of a block writes to a place: a guess, whose truth a solver checks.
//
// An address such as 132·y + 4·x + 4·n·k is a number whose digits are y, k and x: quotients and
// remainders give them back.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "subject.hpp"

namespace bankproof::symbolic {

/// Terms for unknowns of a thread: its indices, and counters of loops.
using Witness = std::unordered_map<Term, Term>;

/// Values of the unknowns for which `offset` is `wanted`, both of 64 bits, if there are any:
/// nothing if the offset is no such sum. Unknowns on which it does not depend are absent.
std::optional<Witness> witness_of(Subject& subject, Term offset, Term wanted,
                                  const std::vector<Term>& unknowns);

}  // namespace bankproof::symbolic
