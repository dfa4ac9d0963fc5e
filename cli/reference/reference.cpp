// See reference.hpp.
#include "reference.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "../support/errors.hpp"
#include "../support/words.hpp"
#include "described.hpp"
#include "kinds.hpp"

namespace bankproof::cli {
namespace {

/// The names, one a line.
std::string names_of(const std::vector<const CLI::App*>& commands) {
  std::string text;
  for (const CLI::App* const command : commands) text += command->get_name() + "\n";
  return text;
}

}  // namespace

std::optional<std::string> reference(const CLI::App& app, std::span<char* const> arguments) {
  if (arguments.empty() || std::string_view(arguments[0]) != "--reference") return std::nullopt;
  const std::string_view wanted = arguments.size() > 1 ? arguments[1] : "";
  if (wanted == "commands" && arguments.size() == 2) return names_of(commands_of(app));
  using Kind = std::pair<std::string_view, std::string (*)(const CLI::App&)>;
  constexpr std::array<Kind, 4> kinds = {Kind{"man", man_page}, Kind{"bash", bash_completion},
                                         Kind{"zsh", zsh_completion},
                                         Kind{"fish", fish_completion}};
  const auto* const kind = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const Kind& known) { return known.first == wanted; });
  if (kind == kinds.end() || arguments.size() > 3) {
    throw UsageError("--reference: expected man, bash, zsh or fish, and perhaps a command");
  }
  if (arguments.size() == 2) return kind->second(app);
  const std::vector<const CLI::App*> commands = commands_of(app);
  const auto command = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* known) {
    return known->get_name() == arguments[2];
  });
  if (command == commands.end()) {
    throw UsageError("--reference: there is no command " + in_quotes(arguments[2]) + " here");
  }
  return kind->second(**command);
}

}  // namespace bankproof::cli
