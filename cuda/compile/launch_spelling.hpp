// Launches that are spelt with blanks: kernel<< <grid, block>> >(arguments).
//
// nvcc takes `<< <` and `>> >` for the brackets of a launch; clang wants `<<<` and `>>>`. So clang
// gets other texts of such files, under the names of the files (clang's -ivfsoverlay). Lines and
// columns stay: the blanks move behind the bracket.
//
// Example: `k << <1, n>> >(p);` becomes `k <<< 1, n>>> (p);`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cuda {

/// The text with all brackets of launches joined; nullopt if there is nothing to join.
std::optional<std::string> joined_launches(std::string_view text);

/// The folders that flags of a compiler name by -I.
std::vector<std::string> folders_of(const std::vector<std::string>& flags);

/// Looks through the file and the files that it includes from its own folder or from `folders`.
/// Writes the changed texts and a list of them to the folder `scratch`, and returns the flags of
/// clang that name the list; none if no file changes.
std::vector<std::string> flags_for_joined_launches(const std::string& file,
                                                   const std::vector<std::string>& folders,
                                                   const std::string& scratch);

}  // namespace bankproof::cuda
