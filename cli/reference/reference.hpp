// Man pages and completions, made from the words of --help. The build calls it:
//
//   bankproof --reference man           the man page bankproof.1
//   bankproof --reference man check     the man page bankproof-check.1
//   bankproof --reference bash check    completion of the command check in bash; also zsh and fish
//   bankproof --reference bash          the part that completes command names; it comes last
//   bankproof --reference commands      the names of the commands, a line each
//
// A program that holds only some of the commands gives the reference of those commands;
// write.cmake joins the parts.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>

namespace bankproof::cli {

/// The text that the arguments ask for; empty if they do not begin with --reference. Throws
/// UsageError for an unknown kind or command.
std::optional<std::string> reference(const CLI::App& app, std::span<char* const> arguments);

}  // namespace bankproof::cli
