// Command lines that CLI11 would refuse in words that do not help, or would not refuse.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

/// Adds the command of this name, which does what commands.hpp says.
CLI::App* begin_command(CLI::App& app, std::string_view name);

/// Throws UsageError when the first argument that is no option is no command. CLI11 would call it
/// an unexpected argument.
void require_known_command(const CLI::App& app, std::span<char* const> arguments);

/// The words of a command line without the program's name. What follows `--` after `kernel` is for
/// its compiler: each such word becomes --compile-option=WORD, since CLI11 would take them for
/// options of the program.
std::vector<std::string> words_of(std::span<char* const> arguments);

/// After parsing, also a failed one: throws UsageError when an argument looks like an option and
/// is none. CLI11 would rather miss what an option swallowed.
void refuse_unknown_options(const CLI::App& app);

/// After parsing: throws UsageError for `-o ''` and the like, which would pass for an option that
/// is not given.
void refuse_empty_values(const CLI::App& app);

}  // namespace bankproof::cli
