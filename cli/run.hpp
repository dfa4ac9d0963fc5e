// `run ALGORITHM`: runs an algorithm of the sources on a machine, and compares its result with an
// oracle and its time with the closed form.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

#include "run/entry.hpp"

namespace bankproof::cli {

/// Adds the command; see commands.hpp.
void add_run(CLI::App& app, int& exit_code);

/// Adds the command with these algorithms in place of the catalog's: tests pass algorithms with
/// planted bugs. The entries must outlive the app.
void add_run(CLI::App& app, int& exit_code, std::span<const AlgorithmEntry> entries);

}  // namespace bankproof::cli
