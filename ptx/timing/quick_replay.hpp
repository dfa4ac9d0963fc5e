// The time of a launch in overlapped time, without the model: a tight loop with the model's rules
// (docs/model.md, rules 4, 5 and 8), for events whose stages are known. The model stays the
// reference: properties/ptx/replay.cpp compares the times of both.
#pragma once

#include <optional>

#include "../../model/machine.hpp"
#include "events.hpp"

namespace bankproof::ptx {

/// Like time_by_model() in overlapped time. Empty if the model would refuse the launch, or if
/// latencies are of millions.
std::optional<Time> quick_time(const HierarchicalMachine& machine, const LaunchEvents& events);

}  // namespace bankproof::ptx
