// `bankproof prove`: theorems, by two solvers; or that a layout is conflict-free.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 0 when all is proved, 1 when something is
/// refuted, 3 when a solver does not say.
void add_prove(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
