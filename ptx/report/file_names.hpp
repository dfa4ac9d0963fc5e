// The names of source files in a report, as seen from a folder.
#pragma once

#include <filesystem>

#include "report.hpp"

namespace bankproof::ptx {

/// Names files below the folder as seen from there, everywhere in the report: on lines, in faults
/// and in their messages. nvcc writes whole paths, and clang the paths that it was given.
void name_files_from(KernelReport& report, const std::filesystem::path& folder);

}  // namespace bankproof::ptx
