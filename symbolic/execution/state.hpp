// The values of a thread's registers at one place, and where two paths meet.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "copies.hpp"
#include "guard.hpp"

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
    x = pool.choice(met.rest_of_a, x ? *x : undefined(width), y ? *y : undefined(width));
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
