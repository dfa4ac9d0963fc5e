// The kinds of reference. Each function returns the whole text for the program or for one command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace bankproof::cli {

std::string man_page(const CLI::App& command);
std::string bash_completion(const CLI::App& command);
std::string zsh_completion(const CLI::App& command);
std::string fish_completion(const CLI::App& command);

}  // namespace bankproof::cli
