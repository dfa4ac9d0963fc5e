// Loads whose value no path uses: another write comes first.
//
//       ld.global.f32  %f9, [%rd2];      for (k = 0; k < 4; ++k)
//       mov.u64        %rd7, 0;            if (k == 0) *c = …; else *c += …;
//   L:  setp.ne.s64    %p2, %rd7, 0;
//       @%p2 bra       M;
//       mul.f32        %f9, …;           the first iteration comes here
//       bra            N;
//   M:  add.f32        %f9, %f9, …;
//   N:  …  bra L;                        …  and the others there
//
// Compilers keep in a register what a loop reads and writes at one address, and load it before the
// loop, though its first iteration writes it. The place may be one that nobody has written.
//
// The search follows all paths from the load, with the registers that have known constants there,
// so that it need not take both ways at each branch. A load that could not be used whatever the
// constants are is kept: compilers leave none, so somebody wrote it for what it does.
#pragma once

#include <set>

#include "../syntax/syntax.hpp"
#include "flow.hpp"

namespace bankproof::ptx {

/// Weak, unguarded loads of one register. Each has paths on which it would be used; constants show
/// that nobody takes them. The search for one load sees at most 2,000 statements; where these do
/// not suffice, the load counts as used.
std::set<const Instruction*> overwritten_loads(const Function& function, const Flow& flow);

}  // namespace bankproof::ptx
