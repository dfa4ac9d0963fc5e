// Finds, at samples, how sums with the same number of terms are related: which are equal, which are
// multiples of others, and which add the same number in each turn. A sample proves nothing: a proof
// that uses a relation claims it (same.hpp).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "samples.hpp"

namespace bankproof::proofs {

using SampledValues = std::vector<WrittenNumber>;

bool is_sum(const WrittenNode& node);
bool depends_on(const WrittenPointer& formula, WrittenNumber place);
/// Whether two formulas are the same but for the places of their sums.
bool are_alike(const WrittenPointer& a, const WrittenPointer& b);
/// Whether a sum adds the same number again and again.
bool is_constant(const WrittenNode& sum);
/// The parts of the term of a sum that no turn changes, and the others.
struct AddedParts {
  std::vector<WrittenPointer> constant;
  std::vector<WrittenPointer> others;

  explicit AddedParts(const WrittenNode& sum);
};
/// The values of the parts of a formula; of a sum, only how many terms it has.
std::vector<SampledValues> values_of_parts(const Samples& samples, const WrittenNode& formula);
bool are_all(const SampledValues& values, WrittenNumber number);

/// A linear relation of sums: these multiples of them add up to 0.
using Relation = std::vector<std::pair<std::size_t, std::int64_t>>;

struct FoundSum {
  WrittenPointer node;
  std::vector<std::int64_t> multiples{};  // in each of the relations that are to be shown
};

/// Relations that an induction over the turns can show, because they hold of the terms in each
/// turn. Sums are numbered by their places in the group.
struct SumRelations {
  /// A sum that is a multiple of another one, by a factor that no turn changes.
  struct Multiple {
    std::size_t sum = 0;
    WrittenPointer factor;
    std::size_t of = 0;
  };
  /// A sum that adds these parts in each turn to the terms of another one.
  struct More {
    std::size_t sum = 0;
    std::vector<WrittenPointer> parts;
    std::size_t than = 0;
  };
  std::vector<Relation> linear;
  std::vector<std::size_t> constant;
  std::vector<Multiple> multiples;
  std::vector<More> more;

  /// The samples are of terms: they have places for all sums of the group.
  SumRelations(const Samples& samples, const std::vector<const FoundSum*>& group);

 private:
  using AllValues = std::vector<SampledValues>;
  void find_linear(const Samples& samples, const AllValues& values,
                   const std::vector<const FoundSum*>& group);
};

}  // namespace bankproof::proofs
