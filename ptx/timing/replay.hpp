// The time a launch takes on an HMM: its accesses are made once more on the model itself, by warps
// that ask for as many stages as the kernel's warps did.
//
// Which values are read plays no part: programs that do not race make the same accesses in any
// order. A warp that ended early comes to the barriers that the others still pass, where it keeps
// nobody waiting, as an exited warp does on a GPU; the model itself would call it a fault.
#pragma once

#include "../../model/machine.hpp"
#include "../../model/observer.hpp"
#include "events.hpp"

namespace bankproof::ptx {

/// Time units from the start of the launch to its end. Requires a machine of width 32. Throws Fault
/// if a block does not fit into a DMM (threads, shared words). The observer watches the model.
Time time_on(const HierarchicalMachine& machine, Mode mode, const LaunchEvents& events,
             Observer* observer = nullptr);

}  // namespace bankproof::ptx
