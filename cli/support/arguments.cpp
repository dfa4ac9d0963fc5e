// See arguments.hpp.
#include "arguments.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../../text/typed.hpp"
#include "commands.hpp"
#include "errors.hpp"

namespace bankproof::cli {
namespace {

/// "; did you mean X?", or `otherwise` if no name is near the word.
std::string suggestion(std::string_view word, const std::vector<std::string>& names,
                       std::string_view quote, const std::string& otherwise) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto meant = nearest(word, known);
  if (!meant) return otherwise;
  return "; did you mean " + std::string(quote) + std::string(*meant) + std::string(quote) + "?";
}

/// The long options of a command, or of the whole program.
std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

CLI::App* begin_command(CLI::App& app, std::string_view name) {
  return app.add_subcommand(std::string(name), std::string(what_does(name)));
}

void require_known_command(const CLI::App& app, std::span<char* const> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument.starts_with('-')) continue;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), argument) != names.end()) return;
    throw UsageError("unknown command " + in_quotes(argument) +
                     suggestion(argument, names, "'", "; 'bankproof --help' lists the commands"));
  }
}

std::vector<std::string> words_of(std::span<char* const> arguments) {
  std::vector<std::string> words;
  words.reserve(arguments.size());
  std::string prefix;  // of the words after `--`
  for (const std::string_view argument : arguments) {
    if (prefix.empty() && argument == "--" && !words.empty()) {
      if (words.front() == "kernel" || words.front() == "prove") prefix = "--compile-option=";
      if (words.front() == "exec") prefix = "--program-word=";
      if (!prefix.empty()) continue;
    }
    const bool is_empty = argument.empty() && words.front() == "exec" && !prefix.empty();
    words.push_back(prefix + std::string(is_empty ? empty_word : argument));
  }
  return words;
}

void refuse_unknown_options(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  for (const std::string& argument : app.remaining(true)) {
    if (argument.size() < 2 || !argument.starts_with('-') || argument == "--") continue;
    const std::string option = argument.substr(0, argument.find('='));
    const std::string within = app.get_parent() == nullptr ? "" : app.get_name() + " ";
    const std::string help =
        "bankproof " + within + (chosen.empty() ? "" : command.get_name() + " ") + "--help";
    const auto known = long_options(command);
    if (std::find(known.begin(), known.end(), option) != known.end()) {
      throw UsageError("option " + option + " has to come after '" + command.get_name() + "'");
    }
    throw UsageError("unknown option " + escaped(option, 64) +
                     suggestion(option, known, "", "; '" + help + "' lists them"));
  }
}

void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    refuse_empty_values(*command);  // for its subcommands
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() == 0 || option->get_positional()) continue;
      const auto& values = option->results();
      if (std::find(values.begin(), values.end(), "") == values.end()) continue;
      throw UsageError(option->get_name() + " '': the value is empty");
    }
  }
}

}  // namespace bankproof::cli
