// The time that a launch takes on an HMM. The replay runs on the model: each of its warps repeats
// the accesses of a warp of the kernel, with the same numbers of stages.
//
// Values do not matter: a program without races makes the same accesses in any order. If a warp of
// the kernel ends early, its replay still arrives at the remaining barriers of the block, so that
// no warp waits for it: on a GPU, no warp waits for an exited warp, but the model would report a
// fault.
#pragma once

#include "../../model/machine.hpp"
#include "../../model/observer.hpp"
#include "events.hpp"

namespace bankproof::ptx {

/// Time units from the start of the launch to its end. Requires a machine of width 32. Throws Fault
/// if a block does not fit into a DMM (threads, shared words). The observer watches the model.
Time time_on(const HierarchicalMachine& machine, Mode mode, const LaunchEvents& events,
             Observer* observer = nullptr);

/// The same, on the model even if quick_replay.hpp could tell the time.
Time time_by_model(const HierarchicalMachine& machine, Mode mode, const LaunchEvents& events,
                   Observer* observer = nullptr);

}  // namespace bankproof::ptx
