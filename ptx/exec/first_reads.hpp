// The slots that a call may read before it has written them. Only these have to be cleared when a
// call begins, although a frame has the registers of an earlier call in it.
//
// A slot is surely written at a point of the function if it is written on every path from the entry
// to this point: the usual forward analysis of definite assignment, by basic blocks. Each lane
// follows a path of its own, so the analysis holds for every lane of a diverged warp.
#pragma once

#include <vector>

#include "../flow/flow.hpp"
#include "program.hpp"
#include "slots.hpp"

namespace bankproof::ptx {

/// What the instructions of a block read and write, in their order.
using NamedSlots = std::vector<Slots::Named>;

/// Adds the slots to `to`; neighbouring slots are joined. `named` has an entry for each block.
void add_first_reads(const Flow& flow, const std::vector<NamedSlots>& named,
                     std::vector<SlotRange>& to);

}  // namespace bankproof::ptx
