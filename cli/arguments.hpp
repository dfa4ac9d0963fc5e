// Command lines that CLI11 would refuse in words that do not help, or would not refuse.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

namespace bankproof::cli {

/// Throws UsageError when the first argument that is no option is no command. CLI11 would call it
/// an unexpected argument.
void require_known_command(const CLI::App& app, std::span<char* const> arguments);

/// After parsing, also a failed one: throws UsageError when an argument looks like an option and
/// is none. CLI11 would rather miss what an option swallowed.
void refuse_unknown_options(const CLI::App& app);

/// After parsing: throws UsageError for `-o ''` and the like, which would pass for an option that
/// is not given.
void refuse_empty_values(const CLI::App& app);

}  // namespace bankproof::cli
