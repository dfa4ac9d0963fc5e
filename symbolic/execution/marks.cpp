// Marks a place in the trace, and goes back there; see execution.hpp.
#include "execution.hpp"

namespace bankproof::symbolic {

Execution::Mark Execution::mark() const {
  Mark mark{trace_.accesses.size(),      trace_.loads.size(),
            trace_.agreed.size(),        trace_.results.size(),
            trace_.under_way.size(),     trace_.barriers.size(),
            trace_.warp_barriers.size(), trace_.meetings.size(),
            trace_.traps.size(),         trace_.steps.size(),
            trace_.loops.size(),         trace_.events.size(),
            trace_.facts.size(),         {}};
  for (std::size_t e = 0; e < trace_.events.size(); ++e) {
    mark.next.emplace_back(e, trace_.events[e].next.size());
  }
  return mark;
}

void Execution::go_back(const Mark& mark) {
  const auto cut = [](auto& all, std::size_t count) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
  };
  cut(trace_.accesses, mark.accesses);
  trace_.loads.resize(mark.loads);
  trace_.agreed.resize(mark.agreed);
  trace_.results.resize(mark.results);
  cut(trace_.under_way, mark.under_way);
  cut(trace_.barriers, mark.barriers);
  cut(trace_.warp_barriers, mark.warp_barriers);
  cut(trace_.meetings, mark.meetings);
  trace_.traps.resize(mark.traps);
  trace_.steps.resize(mark.steps);
  trace_.loops.resize(mark.loops);
  trace_.events.resize(mark.events);
  trace_.facts.resize(mark.facts);
  for (const auto& [event, count] : mark.next) trace_.events[event].next.resize(count);
}

}  // namespace bankproof::symbolic
