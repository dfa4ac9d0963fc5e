// Completion in zsh: a function for each command, which passes its options to _arguments.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "described.hpp"
#include "kinds.hpp"

namespace bankproof::cli {
namespace {

/// A word in single quotes.
std::string quoted_for_zsh(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The text with colons and brackets escaped, since they separate the parts of a specification.
std::string part(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == ':' || c == '[' || c == ']') result += '\\';
    result += c;
  }
  return result;
}

std::string action_of(const Described& one) {
  if (!one.choices.empty()) {
    std::string list;
    for (const std::string& choice : one.choices) list += (list.empty() ? "" : " ") + choice;
    return "(" + list + ")";
  }
  if (one.names_folder()) return "_files -/";
  return one.names_file() || one.is_positional() ? "_files" : "";
}

std::string zsh_value_of(const Described& one) {
  return ":" + part(one.choices.empty() ? one.value : "one of") + ":" + action_of(one);
}

/// The specifications of a command's options and arguments.
std::string specifications(const CLI::App& command) {
  std::string text;
  int place = 0;
  for (const Described& one : described(command)) {
    if (one.is_positional()) {
      const std::string where = one.repeated ? "*" : std::to_string(++place);
      text += " \\\n    " + quoted_for_zsh(where + zsh_value_of(one));
      continue;
    }
    for (const std::string& name : one.names) {
      const bool is_long = name.starts_with("--");
      text +=
          " \\\n    " + quoted_for_zsh(fmt::format(
                            "*{}{}[{}]{}", name, !one.takes_value() ? "" : (is_long ? "=" : "+"),
                            part(one.text), one.takes_value() ? zsh_value_of(one) : ""));
    }
  }
  return text;
}

std::string function_name(const CLI::App& command) {
  std::string name = "_" + full_name(command);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string function_of(const CLI::App& command) {
  std::string text = function_name(command) + "() {\n";
  if (commands_of(command).empty()) {
    return text + "  _arguments -s" + specifications(command) + "\n}\n";
  }
  text += "  local state line\n  local -a commands=(\n";
  for (const CLI::App* const inner : commands_of(command)) {
    text += "    " + quoted_for_zsh(inner->get_name() + ":" + inner->get_description()) + "\n";
  }
  text += "  )\n  _arguments -C" + specifications(command) +
          " \\\n    '1: :->command' \\\n    '*:: :->rest'\n";
  text += fmt::format(
      "  case $state in\n    command) _describe command commands ;;\n"
      "    rest) if (( $+functions[{0}_$line[1]] )); then {0}_$line[1]; fi ;;\n  esac\n}}\n",
      function_name(command));
  return text;
}

}  // namespace

std::string zsh_completion(const CLI::App& command) {
  if (command.get_parent() == nullptr) {
    return function_of(command) + function_name(command) + " \"$@\"\n";
  }
  std::string text;
  for (const CLI::App* const inner : commands_of(command)) text += function_of(*inner);
  return text + function_of(command);
}

}  // namespace bankproof::cli
