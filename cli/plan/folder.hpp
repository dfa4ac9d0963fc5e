// A folder that is there whole or not at all: written beside its place under another name, then
// moved there in one step, in exchange for a plan that was there before.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bankproof::cli {

/// A file of the folder; its content is made when it is written.
struct FolderFile {
  std::string name;
  std::function<std::string()> content;
};

/// Throws UsageError when something is at the path that is no plan: only a plan is replaced.
void require_replaceable_plan(const std::string& path);

/// Writes the files, all or nothing. On failure what was there is as it was and no temporary is
/// left. Throws as require_replaceable_plan does, and InputError.
void write_plan_folder(const std::string& path, const std::vector<FolderFile>& files);

}  // namespace bankproof::cli
