// Writes a folder whole or not at all: first under a temporary name in the same parent folder. One
// step then moves it to its path, in exchange for an earlier plan if there is one.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bankproof::cli {

/// A file of the folder; its content is computed when it is written.
struct FolderFile {
  std::string name;
  std::function<std::string()> content;
};

/// Throws UsageError when the path holds anything but a plan: only a plan is replaced.
void require_replaceable_plan(const std::string& path);

/// Writes all files or nothing. On failure the earlier plan stays as it was and no temporary folder
/// remains. Throws UsageError as require_replaceable_plan does, and InputError.
void write_plan_folder(const std::string& path, const std::vector<FolderFile>& files);

}  // namespace bankproof::cli
