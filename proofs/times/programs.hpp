// What no program beats, as steps of proofs: facts about any program are assumed, as the machine
// has them, and what follows for its time is proved.
#pragma once

#include "../bounds.hpp"

namespace bankproof::proofs {

/// requests ≤ ports·w·time, as a port serves at most w requests a stage, and has a stage a time
/// unit.
Truth are_served(const IntTerm& requests, const IntTerm& ports, const IntTerm& w,
                 const IntTerm& time);
/// New requests, all that the accesses on so many ports make.
IntTerm requests_served(Query& q, const IntTerm& ports, const IntTerm& w, const IntTerm& time);

/// requests·l ≤ threads·time, as a thread waits for its request before it makes the next one.
Truth are_waited_for(const IntTerm& requests, const IntTerm& threads, const IntTerm& l,
                     const IntTerm& time);
/// New requests, all that the threads make.
IntTerm requests_waited_for(Query& q, const IntTerm& threads, const IntTerm& l,
                            const IntTerm& time);

/// What depends on n words is known at `time`: proves l·⌈log₂ n⌉ ≤ time for n > 1, as a thread
/// completes at most one read in l time units, so that what any value depends on at most doubles.
void reduce(Query& q, const IntTerm& n, const IntTerm& l, const IntTerm& time);

}  // namespace bankproof::proofs
