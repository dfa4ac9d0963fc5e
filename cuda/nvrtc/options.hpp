// NVRTC's options in the words of nvcc and clang (NVRTC's documentation, "Supported Compile
// Options").
#pragma once

#include <string>
#include <vector>

#include "../compile/compilers.hpp"

namespace bankproof::cuda::nvrtc {

struct Translated {
  std::vector<std::string> flags;
  bool is_device_default = false;  // functions without a keyword are for the device
  std::string unknown;             // the first option that is none of NVRTC's
};

/// The options may have their value as a part, --std=c++17, or as the next word.
Translated translate(const std::vector<std::string>& options, CompilerKind compiler);

}  // namespace bankproof::cuda::nvrtc
