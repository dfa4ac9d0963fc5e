// See described.hpp.
#include "described.hpp"

#include <algorithm>

namespace bankproof::cli {
namespace {

/// The choices in an option's type. CLI11 appends the values of IsMember to the type, as in
/// TEXT:{text,json}.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  std::vector<std::string> choices;
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::string rest = type.substr(open + 1, close - open - 1) + ",";
  for (std::size_t comma = rest.find(','); comma != std::string::npos; comma = rest.find(',')) {
    choices.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  return choices;
}

Described described_option(const CLI::Option& option) {
  Described result;
  const std::string type = option.get_type_name();
  result.choices = choices_in(type);
  const bool is_flag = option.get_items_expected_max() == 0;
  if (option.get_positional()) {
    result.value = option.get_name(true);
    result.required = option.get_required();
    result.repeated = option.get_items_expected_max() > 1;
  } else {
    for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
    if (!is_flag && result.choices.empty()) result.value = type.empty() ? "VALUE" : type;
  }
  result.text = option.get_description();
  return result;
}

}  // namespace

std::vector<Described> described(const CLI::App& command) {
  std::vector<Described> all;
  for (const CLI::Option* const option : command.get_options({})) {
    if (!option->get_group().empty()) all.push_back(described_option(*option));
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const Described& one) { return one.is_positional(); });
  return all;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + command.get_name();
}

}  // namespace bankproof::cli
