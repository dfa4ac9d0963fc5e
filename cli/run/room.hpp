// What `run` refuses before it begins: tasks that need more memory than there is, and files that
// would overwrite one another.
#pragma once

#include <string>
#include <vector>

#include "entry.hpp"

namespace bankproof::cli {

/// Throws UsageError when the arrays, the shared memories or the warps of a task would take more
/// than the machine's memory; says which option to change.
void require_room(const AlgorithmEntry& algorithm, const Task& task);

/// Throws UsageError when two of the outputs are one file; empty ones are none, but for the report,
/// which comes last and then goes to standard output.
void require_different_files(const std::vector<std::string>& outputs);

/// Throws InputError when the file's folder does not exist, before anything is written elsewhere.
void require_folder_of(const std::string& file);

}  // namespace bankproof::cli
