// What one thread stores in shared memory for all threads of its block:
//
//   if (threadIdx.x == 0) tile = atomicAdd(next, 1);
//   __syncthreads();
//   … tile …                      each thread loads what thread 0 has stored
//
// The thread stores it once, in front of a barrier that is in front of the load, and no other
// instruction writes the place. Assumed: Subject::loads_agree; no threads race, so no two have
// stored it, and none is still to store it.
#pragma once

#include <map>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

struct Subject;

/// By the loaded value, what has been stored: a term about the launch and the block. What the
/// storing thread has drawn from a counter, or loaded from an array that nobody writes, is an
/// unknown of the block in it, which is added to the subject's draws and elements.
std::map<Term, Term> published_in(Subject& subject);

}  // namespace bankproof::symbolic
