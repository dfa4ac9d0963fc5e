// `bankproof tables`: computes the tables of the sources and shows them beside the printed values.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 1 when a cell differs from the printed one and no
/// erratum explains it, else 0.
void add_tables(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
