// The source files of a report: their names, and their texts.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "report.hpp"

namespace bankproof::ptx {

/// The texts of source files, by their names in the report. Files that cannot be read are missing.
using SourceTexts = std::map<std::string, std::string>;

/// The names of the files that have lines or faults.
std::vector<std::string> reported_files(const KernelReport& report);

/// Names files below the folder as seen from there, everywhere in the report: on lines, in faults
/// and in their messages. nvcc writes whole paths, and clang the paths that it was given.
void name_files_from(KernelReport& report, const std::filesystem::path& folder);

}  // namespace bankproof::ptx
