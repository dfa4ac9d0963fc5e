// Counts the operations of a sequential algorithm: the algorithm runs on numbers that count the
// additions and multiplications they take part in. The plain oracles are sequential algorithms (HMM
// V and table I).
//
// Example: oracle::sum of three counted numbers makes three additions, since it begins with zero.
#pragma once

#include <cstdint>
#include <vector>

namespace bankproof::oracle {

/// The numbers of operations.
struct Operations {
  std::uint64_t additions = 0;
  std::uint64_t multiplications = 0;

  std::uint64_t all() const { return additions + multiplications; }
};

/// A number and the counter of its operations. A zero that an algorithm makes has no counter; an
/// operation on this zero uses the counter of the other operand.
struct Counted {
  std::uint64_t value = 0;
  Operations* counts = nullptr;

  friend Counted operator+(const Counted& a, const Counted& b) {
    Operations* counts = a.counts != nullptr ? a.counts : b.counts;
    if (counts != nullptr) ++counts->additions;
    return {a.value + b.value, counts};
  }
  friend Counted operator*(const Counted& a, const Counted& b) {
    Operations* counts = a.counts != nullptr ? a.counts : b.counts;
    if (counts != nullptr) ++counts->multiplications;
    return {a.value * b.value, counts};
  }
};

inline std::vector<Counted> counted(const std::vector<std::uint64_t>& values, Operations& counts) {
  std::vector<Counted> numbers;
  numbers.reserve(values.size());
  for (const std::uint64_t value : values) numbers.push_back({value, &counts});
  return numbers;
}

}  // namespace bankproof::oracle
