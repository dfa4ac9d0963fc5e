// The value of a formula: sequential, obvious arithmetic on whole numbers of 127 bits.
#pragma once

#include <map>
#include <string>

#include "written.hpp"

namespace bankproof::proofs {

/// Values of the names in a formula.
using NamedNumbers = std::map<std::string, WrittenNumber>;

/// Whether the formula has neither names nor places.
bool is_of_numbers(const WrittenNode& formula);

/// The value; of a truth, 1 or 0. Throws std::out_of_range if a name has no value, and
/// std::domain_error if a number is too large, a divisor is not positive, a logarithm is not that
/// of a positive number, or a chain does not descend.
WrittenNumber value_of(const WrittenNode& formula, const NamedNumbers& names);

}  // namespace bankproof::proofs
