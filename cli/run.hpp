// `run ALGORITHM`: an algorithm of the sources on a machine, its result held against an oracle, and
// its time against the closed form.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

#include "run/entry.hpp"

namespace bankproof::cli {

/// Adds the command; see commands.hpp.
void add_run(CLI::App& app, int& exit_code);

/// The same for other algorithms than the catalog's, which outlive the app: planted ones in a test.
void add_run(CLI::App& app, int& exit_code, std::span<const AlgorithmEntry> entries);

}  // namespace bankproof::cli
