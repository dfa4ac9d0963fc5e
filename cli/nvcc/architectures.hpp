// The architecture that device code is compiled for, from nvcc's -arch, -code and -gencode.
//
// The machine runs PTX for sm_90 or earlier; the headers for clang are for sm_80. Requests for
// earlier architectures get sm_80, whose PTX does the same and more.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "tools.hpp"

namespace bankproof::cli::nvcc {

struct Architecture {
  std::string name;                // "80", "90a"
  std::vector<std::string> notes;  // if a request is for a later one than there is
};

/// Throws UsageError for a name that is no architecture.
Architecture architecture_of(const CommandLine& line, const Tools& tools);

}  // namespace bankproof::cli::nvcc
