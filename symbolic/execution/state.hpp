// The values of a thread's registers at one place, and where two paths meet.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "copies.hpp"
#include "guard.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

struct State {
  std::vector<std::optional<Term>> registers;  // nothing: not yet written
  std::optional<Term> carry;
  std::vector<CopyUnderWay> copies;
};

/// A path that comes to a place.
struct Arrival {
  Guard guard;
  State state;
  std::vector<std::size_t> events;  // the last ones on this path
};

/// `yes` if the condition holds, else `no`. Where the condition is x = c, and `no` is `yes` for
/// this x, `no` is it in both cases: start + step·x, if a loop of x iterations is left out for x =
/// 0.
inline Term chosen(Pool& pool, Term condition, Term yes, Term no) {
  if (pool.node(condition).op == Operator::negation) {
    return chosen(pool, pool.node(condition).operands[0], no, yes);
  }
  const Node equal = pool.node(condition);
  if (equal.op == Operator::equal && !pool.is_constant(no)) {
    const bool is_second = pool.is_constant(equal.operands[1]);
    if (is_second || pool.is_constant(equal.operands[0])) {
      Substitution by(pool);
      by.put(equal.operands[is_second ? 0 : 1], equal.operands[is_second ? 1 : 0]);
      if (by(no) == yes) return no;
    }
  }
  return pool.choice(condition, yes, no);
}

/// Joins two paths. `undefined(width)` gives the value of a register that one of them has not
/// written.
template <class Undefined>
Arrival join(Pool& pool, const Arrival& a, const Arrival& b, const Undefined& undefined) {
  const Met met = meet(pool, a.guard, b.guard);
  Arrival joined{.guard = met.both.with(pool, pool.either(met.rest_of_a, met.rest_of_b)),
                 .state = a.state,
                 .events = a.events};
  const auto either = [&](std::optional<Term>& x, const std::optional<Term>& y) {
    if (x == y) return;
    const unsigned width = pool.width(x ? *x : *y);
    x = chosen(pool, met.rest_of_a, x ? *x : undefined(width), y ? *y : undefined(width));
  };
  for (std::size_t r = 0; r < joined.state.registers.size(); ++r) {
    either(joined.state.registers[r], b.state.registers[r]);
  }
  either(joined.state.carry, b.state.carry);
  joined.state.copies = all_under_way(a.state.copies, b.state.copies);
  for (const std::size_t event : b.events) {
    if (std::find(joined.events.begin(), joined.events.end(), event) == joined.events.end()) {
      joined.events.push_back(event);
    }
  }
  return joined;
}

}  // namespace bankproof::symbolic
