// The flags of compilers for the options of nvcc.
#pragma once

#include <string>
#include <vector>

#include "architectures.hpp"
#include "options.hpp"
#include "tools.hpp"

namespace bankproof::cli::nvcc {

using Words = std::vector<std::string>;

/// Flags for the toolkit's nvcc: all that it knows, with the architecture of the machine, and
/// without the folder of the headers for clang.
Words flags_for_nvcc(const CommandLine& line, const Tools& tools, const Architecture& architecture);

/// Flags for clang, which compiles the device's half of a .cu file.
Words flags_for_device(const CommandLine& line, const Tools& tools);

/// Flags for clang, which compiles the host's half of a .cu file.
Words flags_for_host_half(const CommandLine& line, const Tools& tools);

/// Flags for clang, for both halves of a .cu file, with -rdc=true; else none.
Words relocatable_flags(const CommandLine& line, const std::string& file);

/// Flags for the host's compiler and a file without device code; `is_c` for C.
Words flags_for_host(const CommandLine& line, const Tools& tools, bool is_c);

/// The flags after -Xcompiler, and what -forward-unknown-to-host-compiler sends there.
Words typed_for_host(const CommandLine& line);

/// The options that have no meaning here, as one types them, each once.
Words without_meaning(const CommandLine& line, const Tools& tools);

}  // namespace bankproof::cli::nvcc
