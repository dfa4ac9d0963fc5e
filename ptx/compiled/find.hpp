// Finds the plug-in that compiles kernels, and loads it.
#pragma once

#include <string>

#include "interface.hpp"

namespace bankproof::ptx::compiled {

/// The plug-in, or why there is none: it is not installed, or of another version.
struct Found {
  const Compiler* compiler = nullptr;
  std::string why;
};

/// Loads the plug-in once. It stays loaded until the process ends.
const Found& find_compiler();

/// The same for a file of the given path; for tests.
Found load_compiler(const std::string& path);

}  // namespace bankproof::ptx::compiled
