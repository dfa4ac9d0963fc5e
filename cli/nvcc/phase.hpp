// What a command line of nvcc makes, of which files.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace bankproof::cli::nvcc {

enum class Phase { link, compile, cxx, ptx, preprocess, dependencies, device_link, library };

enum class Kind { cuda, c, cxx, preprocessed, object };

struct Input {
  std::string path;
  Kind kind = Kind::object;

  /// The name without folder and suffix.
  std::string stem() const;
};

/// Throws UsageError for phases that are not here, such as --optix-ir.
Phase phase_of(const CommandLine& line);

/// Throws UsageError for a name that does not say what the file is.
std::vector<Input> inputs_of(const CommandLine& line);

/// Whether device code may be in other objects: -dc or -rdc=true.
bool is_relocatable(const CommandLine& line);

/// Whether -keep or -save-temps is there.
bool keeps(const CommandLine& line);

/// The file that a phase makes of an input: -o, or a name in -odir.
std::string output_of(const CommandLine& line, const Input& input, const std::string& suffix);

}  // namespace bankproof::cli::nvcc
