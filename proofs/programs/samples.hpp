// Values of formulas at drawn numbers. They only suggest which formulas may be the same, so that a
// proof knows what to claim; the claims are proved.
#pragma once

#include <map>
#include <vector>

#include "../written/evaluate.hpp"

namespace bankproof::proofs {

/// Numbers for the names of formulas, and for the places of sums that a formula lies in.
struct Sample {
  NamedNumbers names;
  std::map<WrittenNumber, WrittenNumber> places{};
};
using Samples = std::vector<Sample>;

/// `count` samples of numbers from 1 on for these names, the same in each run.
Samples drawn_samples(const std::vector<std::string>& names, std::size_t count);

/// The values of a formula at all samples.
std::vector<WrittenNumber> values_at(const Samples& samples, const WrittenPointer& formula);

/// Samples for a term of a sum: each sample of which the sum has a term, with a drawn place.
Samples samples_of_term(const Samples& samples, const WrittenNode& sum);

}  // namespace bankproof::proofs
