// `bankproof nvcc`: stands where nvcc stands, and makes programs whose device is the reference
// machine.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

namespace bankproof::cli {

/// Describes the command for --help and for the manual. Its options are nvcc's, and run_nvcc()
/// reads them.
void add_nvcc(CLI::App& app, int& exit_code);

/// Does what the arguments of nvcc ask for, and returns the exit code: 0; 2 for a wrong command
/// line; 3 if a compiler fails; the program's code after -run.
int run_nvcc(std::span<char* const> arguments);

}  // namespace bankproof::cli
