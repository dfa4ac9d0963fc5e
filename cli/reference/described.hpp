// The description of the command line for man pages and completions, in the words of --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bankproof::cli {

/// An option or an argument of a command.
struct Described {
  std::vector<std::string> names;    // -o and --output; empty for a positional argument
  std::string value;                 // FILE; empty for a flag
  std::vector<std::string> choices;  // empty unless only these values are allowed
  std::string text;
  bool required = false;
  bool repeated = false;  // an argument that may occur several times

  bool is_positional() const { return names.empty(); }
  bool takes_value() const { return !value.empty() || !choices.empty(); }
  bool names_file() const { return value.find("FILE") != std::string::npos; }
  bool names_folder() const { return value == "DIR"; }
  bool operator==(const Described&) const = default;
};

/// Arguments and options in the order of --help.
std::vector<Described> described(const CLI::App& command);

/// The commands of a program, or the subcommands of a command.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// "bankproof run sum"
std::string full_name(const CLI::App& command);

}  // namespace bankproof::cli
