// All commands of the program; some are separate programs.
//
// bin/bankproof holds the commands that make and check plans. Each other command is a separate
// program, libexec/bankproof/bankproof-NAME, as in git: users who only want a plan need not build
// the solvers. bin/bankproof knows all names, and replaces itself with the program that the user
// asks for.
//
// A command's file offers `void add_<name>(CLI::App& app, int& exit_code)`, which adds a subcommand
// whose callback sets `exit_code` or throws UsageError or InputError.
#pragma once

#include <array>
#include <string_view>

namespace bankproof::cli {

struct Command {
  std::string_view name;
  std::string_view does;
};

/// In the order of --help.
inline constexpr std::array commands = {
    Command{"check", "Tell whether a permutation's accesses conflict"},
    Command{"schedule", "Make a conflict-free plan for a permutation, verify it and write it"},
    Command{"verify", "Tell whether a plan is right for a permutation"},
    Command{"run",
            "Run an algorithm on a machine; compare its result with an oracle and its time with "
            "the closed form"},
    Command{"kernel",
            "Run a CUDA kernel on the reference machine, without a GPU; report conflicts, "
            "coalescing, races and other faults line by line"},
    Command{"exec",
            "Run a whole CUDA program on the reference machine, without a GPU and without a change "
            "of the program; report what `kernel` reports"},
    Command{"nvcc",
            "Compile and link CUDA programs as nvcc does, with nvcc's options, for the reference "
            "machine; also installed as bankproof-nvcc"},
    Command{"prove",
            "Prove theorems, or properties of a layout or of a compiled kernel, with two solvers"},
    Command{"tables", "Compute the tables of the sources and print them beside the printed values"},
    Command{"list", "List the permutations that have a name"},
};

/// Describes the command of this name; empty if there is none.
constexpr std::string_view what_does(std::string_view name) {
  for (const Command& command : commands) {
    if (command.name == name) return command.does;
  }
  return {};
}

}  // namespace bankproof::cli
