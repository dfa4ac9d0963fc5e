// Man pages, in the language of man(7). The page of a command also has the options of its
// subcommands; options that all subcommands have appear only once.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "../support/version.hpp"
#include "described.hpp"
#include "kinds.hpp"

namespace bankproof::cli {
namespace {

/// Text for roff: without escapes and requests, and with hyphens that can be copied.
std::string plain(std::string_view text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '~') {
      result += "\\(ti";
    } else if (c == '^') {
      result += "\\(ha";
    } else if (c == '`') {
      result += "\\(ga";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
    at_start = c == '\n';
  }
  return result;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string value_of(const Described& one) {
  if (one.choices.empty()) return italic(one.value);
  std::string text;
  for (const std::string& choice : one.choices) text += (text.empty() ? "" : "|") + bold(choice);
  return text;
}

/// ".TP", a line, and the indented text below it.
std::string tagged(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + (text.empty() ? "\\&" : plain(text) + ".") + "\n";
}

std::string option_text(const Described& one) {
  std::string tag;
  for (const std::string& name : one.names) tag += (tag.empty() ? "" : ", ") + bold(name);
  if (one.takes_value()) tag += (tag.empty() ? "" : " ") + value_of(one);
  std::string_view text = one.text;
  while (text.ends_with('.')) text.remove_suffix(1);
  return tagged(tag, text);
}

std::string options_text(const std::vector<Described>& options, bool positional) {
  std::string text;
  for (const Described& one : options) {
    if (one.is_positional() == positional) text += option_text(one);
  }
  return text;
}

std::string section(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH \"{}\"\n{}", title, text);
}

std::string synopsis(const CLI::App& command) {
  std::string text = bold(full_name(command));
  if (!commands_of(command).empty()) {
    text += command.get_parent() == nullptr ? " \\fICOMMAND\\fR" : " \\fIALGORITHM\\fR";
  }
  text += " [\\fIOPTION\\fR]...";
  for (const Described& one : described(command)) {
    if (!one.is_positional()) continue;
    const std::string value = value_of(one) + (one.repeated ? "..." : "");
    text += one.required ? " " + value : " [" + value + "]";
  }
  return text + "\n";
}

std::string hyphened(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

/// The options that all of the commands have.
std::vector<Described> common_options(const std::vector<const CLI::App*>& commands) {
  std::vector<Described> common = described(*commands.front());
  for (const CLI::App* const command : commands) {
    const std::vector<Described> own = described(*command);
    std::erase_if(common, [&](const Described& one) {
      return std::find(own.begin(), own.end(), one) == own.end();
    });
  }
  return common;
}

/// For each subcommand, its description, its footer, and its options except those that all
/// subcommands have.
std::string inner_commands(const std::vector<const CLI::App*>& commands,
                           const std::vector<Described>& common) {
  std::string text;
  for (const CLI::App* const command : commands) {
    text += fmt::format(".SS \"{}\"\n", plain(command->get_name()));
    const std::string footer = command->get_footer();
    text += footer.empty()
                ? plain(command->get_description()) + ".\n"
                : ".nf\n" + plain(footer) + (footer.ends_with('\n') ? "" : "\n") + ".fi\n";
    std::vector<Described> own = described(*command);
    std::erase_if(own, [&](const Described& one) {
      return std::find(common.begin(), common.end(), one) != common.end();
    });
    text += options_text(own, false);
  }
  return text;
}

std::string list_of_commands(const std::vector<const CLI::App*>& commands) {
  std::string text;
  for (const CLI::App* const command : commands) {
    text += tagged(bold(hyphened(full_name(*command))) + "(1)", command->get_description());
  }
  return text;
}

std::string small_first(std::string text) {
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  while (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string man_page(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  const std::string name = hyphened(full_name(command));
  const std::string what = small_first(command.get_description());
  const std::vector<const CLI::App*> commands = commands_of(command);
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });

  std::string text = ".\\\" Made by " + name + " from what its --help says.\n";
  text += fmt::format(".TH \"{}\" 1 \"\" \"bankproof {}\" \"User Commands\"\n", plain(title),
                      version());
  text += section("NAME", plain(name) + " \\- " + plain(what) + "\n");
  text += section("SYNOPSIS", synopsis(command));
  text += section("DESCRIPTION", fmt::format("{}: {}.\n", bold(full_name(command)), plain(what)));
  text += section("ARGUMENTS", options_text(described(command), true));
  if (parent == nullptr) {
    text += section("COMMANDS", list_of_commands(commands));
    text += section("OPTIONS", options_text(described(command), false));
  } else if (commands.empty()) {
    text += section("OPTIONS", options_text(described(command), false));
  } else {
    const std::vector<Described> common = common_options(commands);
    text += section("OPTIONS", options_text(common, false));
    text += section("ALGORITHMS", inner_commands(commands, common));
  }
  text += section("EXIT STATUS",
                  tagged("0", "Clean, or proved") + tagged("1", "A finding, or refuted") +
                      tagged("2", "The command line is wrong") +
                      tagged("3", "Input or a tool is not usable, or nothing is known"));
  if (parent != nullptr) text += section("SEE ALSO", bold(parent->get_name()) + "(1)\n");
  return text;
}

}  // namespace bankproof::cli
