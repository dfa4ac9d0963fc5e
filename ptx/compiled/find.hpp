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

/// The compiler, unless it is null or was built for another version of the engine. `path` is for
/// the message.
Found accepted(const Compiler* compiler, const std::string& path);

/// Loads the plug-in of the given path.
Found load_compiler(const std::string& path);

}  // namespace bankproof::ptx::compiled
