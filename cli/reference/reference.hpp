// Man pages and completions, from what --help says. The build asks for them:
//
//   bankproof --reference man           the man page bankproof.1
//   bankproof --reference man check     the man page bankproof-check.1
//   bankproof --reference bash check    what completes the command check in bash; also zsh and fish
//   bankproof --reference bash          what completes commands; it comes behind those of commands
//   bankproof --reference commands      the names of the commands, a line each
//
// A program that has but some of the commands answers for those, and the parts are joined by
// cmake/reference/write.cmake.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>

namespace bankproof::cli {

/// The text that is asked for; none where the arguments do not begin with --reference. Throws
/// UsageError for a kind or a command that there is not.
std::optional<std::string> reference(const CLI::App& app, std::span<char* const> arguments);

}  // namespace bankproof::cli
