// The command line and the formats of `tables`; the tables are in tables/.
#include "tables.hpp"

#include <memory>
#include <string>
#include <vector>

#include "../text/typed.hpp"
#include "support/arguments.hpp"
#include "support/errors.hpp"
#include "support/output.hpp"
#include "support/progress.hpp"
#include "support/words.hpp"
#include "tables/table.hpp"
#include "tables/table_formats.hpp"

namespace bankproof::cli {
namespace {

struct TablesOptions {
  std::string only;
  std::string format = "text";
  std::string output;
};

std::vector<std::string_view> ids(bool only_with_chart) {
  std::vector<std::string_view> all;
  for (const TableEntry& entry : source_tables) {
    if (entry.has_chart || !only_with_chart) all.push_back(entry.id);
  }
  return all;
}

std::vector<const TableEntry*> chosen(const TablesOptions& options) {
  std::vector<const TableEntry*> entries;
  for (const TableEntry& entry : source_tables) {
    if (options.only.empty() || options.only == entry.id) entries.push_back(&entry);
  }
  if (entries.empty())
    throw UsageError("--only " + in_quotes(options.only) + ": no such table" +
                     there_are(options.only, ids(false)));
  if (options.format == "svg" && (entries.size() > 1 || !entries.front()->has_chart)) {
    throw UsageError("--format svg draws one chart: choose it with --only, of " +
                     joined(ids(true)));
  }
  return entries;
}

int run_tables(const TablesOptions& options) {
  std::vector<SourceTable> tables;
  Progress progress;
  for (const TableEntry* entry : chosen(options)) {
    progress.begin(entry->id);
    tables.push_back(entry->compute());
  }
  progress.end();
  write_output(options.output, options.format == "json"  ? as_json(tables)
                               : options.format == "csv" ? as_csv(tables)
                               : options.format == "svg" ? as_svg(tables.front())
                                                         : as_text(tables));
  return has_unexplained(tables) ? exit_finding : exit_clean;
}

}  // namespace

void add_tables(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "tables");
  const auto options = std::make_shared<TablesOptions>();
  command->add_option("--only", options->only, "One table: " + joined(ids(false)))
      ->type_name("TABLE");
  command
      ->add_option("--format", options->format,
                   "text, json, csv, or svg for the chart of one table [text]")
      ->check(CLI::IsMember({"text", "json", "csv", "svg"}));
  command->add_option("-o,--output", options->output, "Write to this file; '-' is standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] { exit_code = run_tables(*options); });
}

}  // namespace bankproof::cli
