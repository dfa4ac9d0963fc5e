// The command line of `prove`: theorems of the catalog, or a user's own layout.
#include "prove.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "prove/catalog.hpp"
#include "prove/layout.hpp"
#include "support/arguments.hpp"
#include "support/chip_names.hpp"
#include "support/errors.hpp"
#include "support/words.hpp"

namespace bankproof::cli {
namespace {

struct ProveOptions {
  CatalogOptions catalog;
  LayoutOptions layout;
  std::string format = "text";
  std::string output;
};

constexpr const char* formula = "EXPRESSION";

/// Adds the options that describe a layout, and returns them.
std::vector<CLI::Option*> add_layout_options(CLI::App& command, LayoutOptions& layout) {
  std::vector<CLI::Option*> all;
  const auto add = [&](const char* name, auto& value, const std::string& what, const char* type) {
    all.push_back(command.add_option(name, value, what)->type_name(type)->group("A layout"));
    return all.back();
  };
  add("--source", layout.source,
      "The element that thread i reads, a C expression of i: for example 'i ^ ((i & 31) << 5)'",
      formula);
  add("--destination", layout.destination, "The element that thread i writes", formula);
  add("--permutation", layout.permutation,
      "An expression P of i; also prove that P(source) equals destination", formula);
  add("--address", layout.address,
      "The element that thread i touches in an access of any kind; without --size, i is the lane",
      formula);
  add("--for", layout.ranges,
      "A variable of --address and its range; the proof covers all of its values", "NAME=A..B")
      ->allow_extra_args(false);
  add("--let", layout.lets, "A name for an expression; the expression may use earlier names",
      "NAME=EXPRESSION")
      ->allow_extra_args(false);
  add("--size", layout.size, "The number of threads, up to 2^32", "N");
  add("--machine", layout.machine, joined(and_chips({"dmm", "umm"}), " or ") + " [dmm]",
      "NAME[:w=W,l=L]");
  add("--width", layout.width, "The number of banks, and of threads of a warp: 1 to 1024 [32]",
      "W");
  add("--memory", layout.memory, "The memory of a chip: shared or global [shared]", "")
      ->check(CLI::IsMember({"shared", "global"}));
  add("--word-bytes", layout.word_bytes, help_on_element_bytes(), "BYTES");
  add("--max-stages", layout.max_stages,
      "The most stages that a warp may take [1; for elements wider than a word, the best case of a "
      "full warp]",
      "K");
  return all;
}

int run_prove(ProveOptions& options, bool is_layout) {
  if (!is_layout) {
    options.catalog.format = options.format;
    options.catalog.output = options.output;
    return prove_catalog(options.catalog);
  }
  if (!options.catalog.ids.empty()) {
    const bool is_name = options.catalog.ids.front().find('=') != std::string::npos;
    const std::string again = is_name ? "; give --for or --let again before each name" : "";
    throw UsageError("a layout and '" + options.catalog.ids.front() +
                     "': prove takes a layout or ids of theorems, not both" + again);
  }
  if (options.catalog.only_list) throw UsageError("--list is for theorems, not for layouts");
  if (!options.catalog.export_folder.empty()) {
    throw UsageError("--export is for theorems, not for layouts");
  }
  if (options.format == "junit") {
    throw UsageError("--format junit is for theorems; layouts have text and json");
  }
  options.layout.format = options.format;
  options.layout.output = options.output;
  return prove_layout(options.layout);
}

}  // namespace

void add_prove(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "prove");
  const auto options = std::make_shared<ProveOptions>();
  command->add_option(
      "ID", options->catalog.ids,
      "Ids of theorems, or prefixes of ids, such as A12 or S2.upper; without any, all theorems");
  command->add_flag("--list", options->catalog.only_list,
                    "List the theorems, without proving them");
  command
      ->add_option("--export", options->catalog.export_folder,
                   "Write the SMT-LIB files to this folder")
      ->type_name("DIR");
  command->add_option("--format", options->format, "text, json or junit")
      ->check(CLI::IsMember({"text", "json", "junit"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Write to this file; '-' is standard output")
      ->type_name("FILE");
  const auto layout = add_layout_options(*command, options->layout);
  command->callback([options, layout, &exit_code] {
    const bool is_layout = std::any_of(layout.begin(), layout.end(),
                                       [](const CLI::Option* given) { return given->count() > 0; });
    exit_code = run_prove(*options, is_layout);
  });
}

}  // namespace bankproof::cli
