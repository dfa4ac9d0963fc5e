// Refuses a task that needs more memory than this machine has, before `run` begins it.
#pragma once

#include "entry.hpp"

namespace bankproof::cli {

/// Throws UsageError when the arrays, the shared memories or the warps of a task would take more
/// than the machine's memory; the message says which option to change.
void require_room(const AlgorithmEntry& algorithm, const Task& task);

}  // namespace bankproof::cli
