// The command line and the formats of `tables`; the tables are in tables/.
#include "tables.hpp"

#include <memory>
#include <string>
#include <vector>

#include "../algorithms/permutation/specification.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "tables/table.hpp"
#include "tables/table_formats.hpp"

namespace bankproof::cli {
namespace {

struct Options {
  std::string only;
  std::string format = "text";
  std::string output;
};

std::vector<SourceTable> compute(const std::string& only) {
  std::vector<SourceTable> tables;
  for (const TableEntry& entry : source_tables) {
    if (only.empty() || only == entry.id) tables.push_back(entry.compute());
  }
  if (!tables.empty()) return tables;
  std::string known;
  for (const TableEntry& entry : source_tables) {
    known += (known.empty() ? "" : ", ") + std::string(entry.id);
  }
  throw UsageError("--only " + in_quotes(only) + ": there are " + known);
}

int run(const Options& options) {
  const std::vector<SourceTable> tables = compute(options.only);
  write_output(options.output, options.format == "json" ? as_json(tables) : as_text(tables));
  return has_unexplained(tables) ? exit_finding : exit_clean;
}

}  // namespace

void add_tables(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "tables", "Compute the tables of the sources and print them beside the printed values");
  const auto options = std::make_shared<Options>();
  command->add_option("--only", options->only, "One table, such as THS:4.3")->type_name("TABLE");
  command->add_option("--format", options->format, "text or json [text]")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("-o,--output", options->output, "Write to this file; '-' is standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace bankproof::cli
