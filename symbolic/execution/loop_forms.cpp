// Recognizes how a loop changes registers; see loop_forms.hpp.
#include "loop_forms.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "substitute.hpp"

namespace bankproof::symbolic {

bool is_older(const Pool& pool, Term term, Term oldest) {
  bool older = true;
  std::unordered_map<Term, bool> met;
  each_unknown(pool, term, met, [&](Term unknown) { older = older && unknown < oldest; });
  return older;
}

std::optional<Term> form_of(Pool& pool, Term header, Term after, Term start, Term counter,
                            Term oldest) {
  if (after == header) return start;
  const unsigned width = pool.width(header);
  if (width == 1) return std::nullopt;
  const Term step = pool.subtract(after, header);
  if (is_older(pool, step, oldest)) {
    return pool.add(start, pool.multiply(pool.part(counter, 0, width), step));
  }
  const Node node = pool.node(after);
  // Counts of 32 bits are enough: a shift by more leaves nothing.
  const auto times = [&](unsigned places) {
    const Term many = pool.scale(counter, places);
    const Term is_more = pool.below(pool.constant(64, 64), counter, false);
    return pool.choice(is_more, pool.constant(64, 64), many);
  };
  if (node.op == Operator::sum && node.value == 0 && node.operands.size() == 1 &&
      node.operands[0] == header && std::has_single_bit(node.coefficients[0])) {
    return pool.shift_left(start,
                           times(static_cast<unsigned>(std::countr_zero(node.coefficients[0]))));
  }
  if (node.op == Operator::zero_extended) {
    const Node inner = pool.node(node.operands[0]);
    if (inner.op == Operator::part && inner.operands[0] == header &&
        inner.value + inner.width == width) {
      return pool.shift_right(start, times(static_cast<unsigned>(inner.value)), false);
    }
  }
  return std::nullopt;
}

}  // namespace bankproof::symbolic
