// The time that a launch takes on an HMM. The warps of the replay run on the model and repeat the
// kernel's accesses, each with the number of stages that it has in the kernel.
//
// Values do not matter: a program without races makes the same accesses in any order. A replayed
// warp that ends early still arrives at the barriers that other warps pass, so that no warp waits
// for it, just as no warp waits for an exited warp on a GPU. The model itself would report a fault.
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
