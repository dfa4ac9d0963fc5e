// Completion in bash: tables of the words for each command, and a function that looks them up.
//
// _bankproof_words[check]             the options of a command, and its subcommands
// _bankproof_values['check --format'] the values of an option, or @files or @folders, or nothing
#include <fmt/format.h>

#include <string>

#include "described.hpp"
#include "kinds.hpp"

namespace bankproof::cli {
namespace {

std::string table_of(const CLI::App& command, const std::string& name) {
  std::string words;
  std::string values;
  for (const CLI::App* const inner : commands_of(command)) words += " " + inner->get_name();
  for (const Described& one : described(command)) {
    for (const std::string& option : one.names) {
      words += " " + option;
      if (!one.takes_value()) continue;
      std::string list;
      for (const std::string& choice : one.choices) list += (list.empty() ? "" : " ") + choice;
      if (one.names_file()) list = "@files";
      if (one.names_folder()) list = "@folders";
      values += fmt::format("_bankproof_values['{} {}']='{}'\n", name, option, list);
    }
  }
  return fmt::format("_bankproof_words['{}']='{}'\n", name, words.substr(words.empty() ? 0 : 1)) +
         values;
}

/// Looks up the words for the command before the cursor. A value may follow a blank or `=`.
constexpr const char* function = R"(_bankproof() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= word list
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    word=${command:+$command }${word:--}
    if [[ ${_bankproof_words[$word]+known} ]]; then command=$word; fi
  done
  COMPREPLY=()
  list=@files
  if [[ ${_bankproof_values[$command $before]+known} ]]; then
    list=${_bankproof_values[$command $before]}
  elif [[ $current == -* || -z $command || $command == run ]]; then
    list=${_bankproof_words[${command:-program}]}
  fi
  case $list in
    @files) compopt -o default 2>/dev/null ;;
    @folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$list" -- "$current") ;;
  esac
}
complete -F _bankproof bankproof
)";

}  // namespace

std::string bash_completion(const CLI::App& command) {
  const std::string declaration = "declare -gA _bankproof_words _bankproof_values\n";
  if (command.get_parent() == nullptr) return declaration + table_of(command, "program") + function;
  std::string text = declaration + table_of(command, command.get_name());
  for (const CLI::App* const inner : commands_of(command)) {
    text += table_of(*inner, command.get_name() + " " + inner->get_name());
  }
  return text;
}

}  // namespace bankproof::cli
