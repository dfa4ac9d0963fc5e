// The description of the command line, for man pages and completions: the same words as --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bankproof::cli {

/// An option or an argument of a command.
struct Described {
  std::vector<std::string> names;    // -o and --output; none of an argument that has its place
  std::string value;                 // FILE; empty where a flag takes none
  std::vector<std::string> choices;  // where there are but some values
  std::string text;
  bool required = false;
  bool repeated = false;  // an argument that may come several times

  bool is_positional() const { return names.empty(); }
  bool takes_value() const { return !value.empty() || !choices.empty(); }
  bool names_file() const { return value.find("FILE") != std::string::npos; }
  bool names_folder() const { return value == "DIR"; }
  bool operator==(const Described&) const = default;
};

/// Arguments and options in the order of --help.
std::vector<Described> described(const CLI::App& command);

/// The commands of a program, or of a command.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// "bankproof run sum"
std::string full_name(const CLI::App& command);

}  // namespace bankproof::cli
