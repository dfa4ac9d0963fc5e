// What a command line of nvcc asks for, as a list of steps, and their run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "options.hpp"
#include "tools.hpp"

namespace bankproof::cli::nvcc {

/// A command that runs with this program's own input and output; or, if `instead` is set, the
/// function, which throws InputError.
struct Step {
  std::vector<std::string> words;  // as -v shows them
  std::function<void()> instead;
};

struct Plan {
  std::vector<Step> steps;
  std::vector<std::string> program;          // that -run runs, with its arguments; else empty
  std::vector<std::string> without_meaning;  // options
  std::vector<std::string> notes;            // what is done otherwise than asked for
};

/// `scratch` is a folder for files that live as long as the run. Throws UsageError.
Plan plan_for(const CommandLine& line, const Tools& tools, const std::string& scratch);

/// Throws UsageError if there is no input, or one whose name does not say what it is.
void require_inputs(const CommandLine& line);

/// Runs the steps until one fails, which throws InputError. If `show`, writes each before it runs;
/// if `dry`, runs none.
void run(const Plan& plan, bool show, bool dry);

/// Runs a program to its end with this program's input and output, and returns its exit code, or
/// 128 and the number of the signal. Throws InputError if it cannot be started.
int run_program_here(const std::vector<std::string>& words);

}  // namespace bankproof::cli::nvcc
