// Sums and products of formulas, without the numbers that change nothing.
#pragma once

#include "../written/written.hpp"

namespace bankproof::proofs {

inline bool is_number(const Written& formula, WrittenNumber number) {
  return formula.node()->form == Form::number && formula.node()->value == number;
}

inline Written plus(const Written& a, const Written& b) {
  if (is_number(a, 0)) return b;
  return is_number(b, 0) ? a : a + b;
}

inline Written product_of(const Written& a, const Written& b) {
  if (is_number(a, 0) || is_number(b, 0)) return 0;
  return is_number(a, 1) ? b : a * b;
}

/// a of a·1, as products by steps are written.
inline Written step_of(const Written& step) {
  const WrittenNode& node = *step.node();
  const bool is_times_one = node.form == Form::times && is_number(Written(node.parts[1]), 1);
  return is_times_one ? Written(node.parts[0]) : step;
}

}  // namespace bankproof::proofs
