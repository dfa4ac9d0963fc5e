// Checks of the command line that CLI11 lacks, or whose failure CLI11 reports in words that do not
// help.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

/// Adds the command of this name, with its description from commands.hpp.
CLI::App* begin_command(CLI::App& app, std::string_view name);

/// Throws UsageError when the first argument that is not an option is not a command either. CLI11
/// would call it an unexpected argument.
void require_known_command(const CLI::App& app, std::span<char* const> arguments);

/// The words of a command line without the program's name. CLI11 would take the words after `--`
/// for options: after `kernel` and `prove` each becomes --compile-option=WORD for its compiler,
/// after `exec`
/// --program-word=WORD, the program and its arguments. In CLI11, `--option=` has no value; so
/// `empty_word` stands for an empty word after `exec --`.
inline constexpr std::string_view empty_word = "\x1f";
std::vector<std::string> words_of(std::span<char* const> arguments);

/// Checks after parsing, even after a failed parse: throws UsageError when an argument looks like
/// an option but is not one. CLI11 would instead report an argument as missing.
void refuse_unknown_options(const CLI::App& app);

/// Checks after parsing: throws UsageError for `-o ''` and other empty values, which would pass for
/// options that are not given.
void refuse_empty_values(const CLI::App& app);

}  // namespace bankproof::cli
