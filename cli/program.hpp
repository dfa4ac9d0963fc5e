// The body of main() in bin/bankproof and in the program of each other command: it finds the
// command, and turns every failure into one line and an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

namespace bankproof::cli {

/// A command that this program contains.
struct HeldCommand {
  std::string_view name;  ///< its name in commands.hpp
  void (*add)(CLI::App& app, int& exit_code);
};

/// Runs the command line and returns the exit code. If this program does not contain the command,
/// it replaces itself with the program that does.
int run_program(std::span<char* const> arguments, std::span<const HeldCommand> held);

/// Runs a command that has a parser of its own, and returns the exit code.
int run_apart(std::span<char* const> arguments,
              const std::function<int(std::span<char* const>)>& run);

}  // namespace bankproof::cli
