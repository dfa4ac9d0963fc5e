// Limits on every program, as steps of proofs. The steps assume facts that the machine guarantees
// for every program, and prove the consequences for the program's time. A false twin assumes the
// same facts for a stated run, in which each port or thread makes a given number of accesses. For a
// stated run, only reduce() and count_values() state a goal, and each states one.
#pragma once

#include <optional>

#include "../../builder/bounds.hpp"

namespace bankproof::proofs {

/// Proves holds(count) by induction. For a stated run, calls holds() step by step, so that holds()
/// assumes the facts of each step.
template <class Holds>
void take_steps(Query& q, const IntTerm& count, Holds holds) {
  if (const auto number = count.constant()) {
    for (std::uint64_t k = 0; k < *number; ++k) (void)holds(IntTerm(k));
  } else {
    q.induct(0, count, holds);
  }
}

/// requests ≤ ports·w·time, because a port has one stage in a time unit and serves at most w
/// requests in a stage.
Truth are_served(const IntTerm& requests, const IntTerm& ports, const IntTerm& w,
                 const IntTerm& time);
/// The number of requests that `ports` ports serve, as a new number.
IntTerm requests_served(Query& q, const IntTerm& ports, const IntTerm& w, const IntTerm& time,
                        std::optional<std::uint64_t> accesses = {});

/// requests·l ≤ threads·time, because a thread waits for its request before it makes the next one.
Truth are_waited_for(const IntTerm& requests, const IntTerm& threads, const IntTerm& l,
                     const IntTerm& time);
/// The number of requests that all threads make, as a new number.
IntTerm requests_waited_for(Query& q, const IntTerm& threads, const IntTerm& l, const IntTerm& time,
                            std::optional<std::uint64_t> requests = {});

/// Proves l·⌈log₂ n⌉ ≤ time for n > 1, if a result of an oblivious program depends on n words and
/// is known at `time`. A false twin adds `more` to the left side.
///
/// In an oblivious program, data does not decide which words its threads read and write, whether
/// they do, and which of several writers wins. Threads learn of each other through memory alone,
/// not by votes of a warp. So a read takes l time units, and adds to what the thread knows at most
/// the words that the value read depends on. The value of a word depends on the word itself, or on
/// what the thread that wrote it knew.
void reduce(Query& q, const IntTerm& n, const IntTerm& l, const IntTerm& time,
            std::uint64_t more = 0);

/// Proves l·⌈log₂⌈n/⌈log₂(p + 3)⌉⌉⌉ ≤ time, if a result of n bits of any program without votes is
/// known at `time`. A false twin adds `more` to the left side. Assumes the law of counting: at time
/// t a word takes at most (p + 3)^(2^⌊t/l⌋) values.
void count_values(Query& q, const IntTerm& n, const IntTerm& p, const IntTerm& l,
                  const IntTerm& time, std::uint64_t more = 0);

}  // namespace bankproof::proofs
