// What no program beats, as steps of proofs: facts about any program are assumed, as the machine
// has them, and what follows for its time is proved. A false twin assumes the same facts of a
// stated run, where each port, or thread, makes so many accesses: then none of these functions has
// a goal but reduce() and count_values(), which have one.
#pragma once

#include <optional>

#include "../../builder/bounds.hpp"

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

/// A result of an oblivious program depends on n words, and is known at `time`: proves l·⌈log₂ n⌉ ≤
/// time for n > 1, wrongly with `more` added. Oblivious: which words its threads read and write,
/// and whether they do, does not depend on data, nor does which of several writers wins; and
/// threads learn of each other through memory alone, not by votes of a warp. So a read adds to what
/// the thread knows no more words than what it reads depends on, and takes l time units; what a
/// word of memory holds depends on itself, or on what the thread that wrote it knew.
void reduce(Query& q, const IntTerm& n, const IntTerm& l, const IntTerm& time,
            std::uint64_t more = 0);

/// A result of any program without votes, n bits of it, is known at `time`: proves
/// l·⌈log₂⌈n/⌈log₂(p + 3)⌉⌉⌉ ≤ time, wrongly with `more` added, if at time t a word takes at most
/// (p + 3)^(2^⌊t/l⌋) values. That law of counting is assumed.
void count_values(Query& q, const IntTerm& n, const IntTerm& p, const IntTerm& l,
                  const IntTerm& time, std::uint64_t more = 0);

}  // namespace bankproof::proofs
