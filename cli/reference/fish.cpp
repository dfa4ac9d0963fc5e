// Completion in fish: a line for each option, with the condition under which fish offers it.
#include <string>
#include <string_view>

#include "described.hpp"
#include "kinds.hpp"

namespace bankproof::cli {
namespace {

std::string quoted_for_fish(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string line(const std::string& condition, const std::string& words, const std::string& text) {
  return "complete -c bankproof -n " + quoted_for_fish(condition) + " " + words + " -d " +
         quoted_for_fish(text) + "\n";
}

std::string options_of(const CLI::App& command, const std::string& condition) {
  std::string text;
  for (const Described& one : described(command)) {
    if (one.is_positional()) continue;
    std::string words;
    for (const std::string& name : one.names) {
      const bool is_long = name.starts_with("--");
      words += (words.empty() ? "" : " ") + std::string(is_long ? "-l " : "-s ") +
               name.substr(is_long ? 2 : 1);
    }
    if (!one.choices.empty()) {
      std::string list;
      for (const std::string& choice : one.choices) list += (list.empty() ? "" : " ") + choice;
      words += " -x -a " + quoted_for_fish(list);
    } else if (one.names_folder()) {
      words += " -x -a '(__fish_complete_directories)'";
    } else if (one.takes_value()) {
      words += one.names_file() ? " -r" : " -x";
    }
    text += line(condition, words, one.text);
  }
  return text;
}

std::string seen(const CLI::App& command) {
  return "__fish_seen_subcommand_from " + command.get_name();
}

/// The subcommands of a command, which fish offers under this condition.
std::string commands_text(const CLI::App& command, const std::string& condition) {
  std::string text;
  for (const CLI::App* const inner : commands_of(command)) {
    text +=
        line(condition, "-f -a " + quoted_for_fish(inner->get_name()), inner->get_description());
  }
  return text;
}

}  // namespace

std::string fish_completion(const CLI::App& command) {
  if (command.get_parent() == nullptr) {
    return commands_text(command, "__fish_use_subcommand") +
           options_of(command, "__fish_use_subcommand");
  }
  const std::vector<const CLI::App*> inner = commands_of(command);
  if (inner.empty()) return options_of(command, seen(command));
  std::string any = "__fish_seen_subcommand_from";
  for (const CLI::App* const one : inner) any += " " + one->get_name();
  std::string text = commands_text(command, seen(command) + "; and not " + any) +
                     options_of(command, seen(command) + "; and not " + any);
  for (const CLI::App* const one : inner) {
    text += options_of(*one, seen(command) + "; and " + seen(*one));
  }
  return text;
}

}  // namespace bankproof::cli
