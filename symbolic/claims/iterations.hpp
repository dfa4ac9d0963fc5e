// Whether threads come to an iteration of a loop.
#pragma once

#include "subject.hpp"

namespace bankproof::symbolic {

/// Whether nothing that belongs to a thread decides how many iterations a loop has.
bool do_all_go_on(const Subject& subject, const LoopInstance& loop);

/// The name of an unknown that is an earlier iteration; no register has it.
inline constexpr const char* earlier_iteration = "earlier iteration";

/// The statement, about thread 0, that it leaves the loop before the iteration of the loop's
/// counter: after some iteration, which is a new unknown. Whatever else belongs to an iteration is
/// any in that one.
Term leaves_before(Subject& subject, const LoopInstance& loop);

}  // namespace bankproof::symbolic
