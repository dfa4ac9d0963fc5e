// `run ALGORITHM`: an algorithm of the sources on a machine, its result held against an oracle, and
// its time against the closed form.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; see commands.hpp.
void add_run(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
