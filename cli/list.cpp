// Prints the catalog of named permutations; see list.hpp.
#include "list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "../algorithms/permutation/named.hpp"
#include "support/arguments.hpp"
#include "support/errors.hpp"
#include "support/output.hpp"

namespace bankproof::cli {
namespace {

struct ListOptions {
  std::string format = "text";
  std::string output;
};

std::string specification(const NamedEntry& entry) {
  return fmt::format("{}:{}", entry.name, entry.parameters);
}

std::string list_as_text() {
  std::size_t widest = 0;
  for (const NamedEntry& entry : named_permutations) {
    widest = std::max(widest, specification(entry).size());
  }
  std::string text;
  for (const NamedEntry& entry : named_permutations) {
    text += fmt::format("{:<{}}  {} (e.g. {})\n", specification(entry), widest, entry.description,
                        entry.example);
  }
  return text;
}

std::string list_as_json() {
  auto permutations = nlohmann::ordered_json::array();
  for (const NamedEntry& entry : named_permutations) {
    permutations.push_back({{"name", entry.name},
                            {"parameters", entry.parameters},
                            {"description", entry.description},
                            {"example", entry.example}});
  }
  return nlohmann::ordered_json{{"permutations", permutations}}.dump(2) + "\n";
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "list");
  const auto options = std::make_shared<ListOptions>();
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Write to this file; '-' is standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] {
    write_output(options->output, options->format == "json" ? list_as_json() : list_as_text());
    exit_code = exit_clean;
  });
}

}  // namespace bankproof::cli
