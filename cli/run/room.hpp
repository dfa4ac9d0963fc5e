// What `run` refuses before it begins: tasks that need more memory than there is.
#pragma once

#include "entry.hpp"

namespace bankproof::cli {

/// Throws UsageError when the arrays, the shared memories or the warps of a task would take more
/// than the machine's memory; says which option to change.
void require_room(const AlgorithmEntry& algorithm, const Task& task);

}  // namespace bankproof::cli
