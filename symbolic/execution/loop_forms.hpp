// What a register is at the beginning of iteration k, if each iteration changes it in the same way.
#pragma once

#include <optional>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// `header` is the unknown that stood for the register when an iteration began, and `after` its
/// value at the iteration's end; `start` is its value before the loop, and `counter` is k, of 64
/// bits. Unknowns from `oldest` on are of the loop: a step must not depend on them.
///
///   after = header + step      start + k·step
///   after = header · 2^c       start << c·k
///   after = header >> c        start >> c·k, without a sign
///   after = f(header)          the number of k mod P, if f comes back to `start`, a number,
///                              after P steps: the next buffer of a ring
///   after = c ? f(header) : g(header), if the loop does not change c: a choice of two rules
///   after = g(k)               start if k = 0, else g(k - 1): the buffer of the step before
///
/// Nothing if the register follows no such rule.
std::optional<Term> form_of(Pool& pool, Term header, Term after, Term start, Term counter,
                            Term oldest);

/// The last iteration of a loop that ends as soon as `leaves` holds, an equation such as
/// start - 2^s·(k + 1) = 0 in which the counter occurs once: what solves it modulo 2^width is the
/// first iteration that does. Nothing for other loops.
struct LastIteration {
  Term number{};
  bool goes_by_one = false;
};
std::optional<LastIteration> last_iteration(Pool& pool, Term leaves, Term counter, Term oldest);

/// Whether the term has no unknown from `oldest` on.
bool is_older(const Pool& pool, Term term, Term oldest);

}  // namespace bankproof::symbolic
