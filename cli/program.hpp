// The body of main() in bin/bankproof and in each command apart: it finds the command, and turns
// whatever goes wrong into one line and an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string_view>

namespace bankproof::cli {

/// A command that a program holds.
struct HeldCommand {
  std::string_view name;  ///< as commands.hpp has it
  void (*add)(CLI::App& app, int& exit_code);
};

/// Runs the command line and returns the exit code. A command that the program does not hold is
/// another program, which takes this one's place.
int run_program(std::span<char* const> arguments, std::span<const HeldCommand> held);

}  // namespace bankproof::cli
