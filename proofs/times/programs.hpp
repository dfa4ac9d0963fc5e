// What no program beats, as steps of proofs: facts about any program are assumed, as the machine
// has them, and what follows for its time is proved. A false twin assumes the same facts of a
// stated run, where each port, or thread, makes so many accesses: then none of these functions has
// a goal but reduce(), which has one.
#pragma once

#include <optional>

#include "../bounds.hpp"

namespace bankproof::proofs {

/// What holds() says after `count` steps, by induction. Of a stated run its facts are assumed of
/// each step.
template <class Holds>
void take_steps(Query& q, const IntTerm& count, Holds holds) {
  if (const auto number = count.constant()) {
    for (std::uint64_t k = 0; k < *number; ++k) (void)holds(IntTerm(k));
  } else {
    q.induct(IntTerm(0), count, holds);
  }
}

/// requests ≤ ports·w·time, as a port serves at most w requests a stage, and has a stage a time
/// unit.
Truth are_served(const IntTerm& requests, const IntTerm& ports, const IntTerm& w,
                 const IntTerm& time);
/// New requests, all that the accesses on so many ports make.
IntTerm requests_served(Query& q, const IntTerm& ports, const IntTerm& w, const IntTerm& time,
                        std::optional<std::uint64_t> accesses = {});

/// requests·l ≤ threads·time, as a thread waits for its request before it makes the next one.
Truth are_waited_for(const IntTerm& requests, const IntTerm& threads, const IntTerm& l,
                     const IntTerm& time);
/// New requests, all that the threads make.
IntTerm requests_waited_for(Query& q, const IntTerm& threads, const IntTerm& l, const IntTerm& time,
                            std::optional<std::uint64_t> requests = {});

/// What depends on n words is known at `time`: proves l·⌈log₂ n⌉ ≤ time for n > 1, as a thread
/// completes at most one read in l time units, so that what any value depends on at most doubles;
/// wrongly, grows more.
void reduce(Query& q, const IntTerm& n, const IntTerm& l, const IntTerm& time,
            std::uint64_t grows = 2);

}  // namespace bankproof::proofs
