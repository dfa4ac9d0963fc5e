// The greatest common divisor of two numbers, as terms.
#pragma once

#include "query.hpp"

namespace bankproof::proofs {

/// Of positive numbers a and b the greatest that divides both, and how: a = g·of_a and b = g·of_b,
/// and it is a sum of multiples of them (Bézout), g = a·x + b·y, where x and y may be negative.
struct CommonDivisor {
  IntTerm g;
  IntTerm of_a;
  IntTerm of_b;
  IntTerm x;
  IntTerm y;
};
CommonDivisor common_divisor(const IntTerm& a, const IntTerm& b);

}  // namespace bankproof::proofs
