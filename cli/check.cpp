// The command line of `check`; the analysis is in algorithms/permutation/conflicts.hpp, the formats
// in report/.
#include "check.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "readers/permutation_argument.hpp"
#include "report/check_report.hpp"
#include "report/formats.hpp"
#include "report/memory_choice.hpp"
#include "support/arguments.hpp"
#include "support/chip_names.hpp"
#include "support/errors.hpp"
#include "support/machine_argument.hpp"
#include "support/memory.hpp"
#include "support/numbers.hpp"
#include "support/output.hpp"
#include "support/words.hpp"

namespace bankproof::cli {
namespace {

/// As typed; empty for an option that is not given.
struct CheckOptions {
  std::string permutation;
  std::string machine = "dmm";
  std::string width;
  std::string memory;
  std::string word_bytes;
  std::string access = "both";
  std::string max_stages;
  std::string sarif;
  std::string junit;
  std::string format = "text";
  std::string output;
};

std::vector<Designation> accesses(const std::string& access) {
  if (access == "destination") return {Designation::destination};
  if (access == "source") return {Designation::source};
  return {Designation::destination, Designation::source};
}

std::string formatted(const CheckReport& report, const std::string& format) {
  if (format == "json") return as_json(report);
  if (format == "sarif") return as_sarif(report);
  if (format == "junit") return as_junit(report);
  return as_text(report);
}

int run_check(const CheckOptions& options) {
  const MemoryChoice memory =
      choose_memory({parse_machine(options.machine), positive_number("--width", options.width),
                     options.memory, positive_number("--word-bytes", options.word_bytes)});
  const auto max_stages = positive_number("--max-stages", options.max_stages);
  const PermutationArgument permutation = load_permutation(options.permutation);
  const std::vector<std::string> written = {options.sarif, options.junit, options.output};
  for (const std::string& file : written) {
    if (permutation.source.kind == Source::Kind::name) break;
    if (!file.empty() || &file == &written.back()) {
      refuse_input_as_output(permutation.source.path, file);
    }
  }
  require_different_files(written);
  const CheckReport report = within_memory(
      [&] { return check_permutation(permutation, memory, accesses(options.access), max_stages); },
      [&] { refuse_for_memory(permutation.name); });
  if (!options.sarif.empty()) write_output(options.sarif, as_sarif(report));
  if (!options.junit.empty()) write_output(options.junit, as_junit(report));
  write_output(options.output, formatted(report, options.format));
  return report.within_limit() ? exit_clean : exit_finding;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "check");
  const auto options = std::make_shared<CheckOptions>();
  const auto one_of = [](const std::vector<std::string>& words) { return CLI::IsMember(words); };
  command
      ->add_option("PERMUTATION", options->permutation,
                   "A file (.npy, .bin of 32-bit integers, or text), '-' for text on standard "
                   "input, or a name such as "
                   "transpose:32x32 ('bankproof list' has them)")
      ->required()
      ->type_name("");
  command
      ->add_option("--machine", options->machine,
                   "The machine: " + joined(and_chips({"dmm", "umm"}), " or ") +
                       " [dmm]. Keys: w, the width (all machines), and l, the latency (dmm and "
                       "umm; it does not change the result). Example: dmm:w=16,l=5")
      ->type_name("NAME[:w=W,l=L]");
  command
      ->add_option("--width", options->width,
                   "The number of banks, and of threads of a warp: 1 to 1024 [32]")
      ->type_name("W");
  command
      ->add_option("--memory", options->memory, "The memory of a chip: shared or global [shared]")
      ->check(one_of({"shared", "global"}));
  command->add_option("--word-bytes", options->word_bytes, help_on_element_bytes())
      ->type_name("BYTES");
  command
      ->add_option(
          "--access", options->access,
          "destination: the write b[P(i)] = a[i]; source: the read b[i] = a[Q(i)], where Q "
          "is the inverse of P; or both [both]")
      ->check(one_of({"destination", "source", "both"}));
  command
      ->add_option("--max-stages", options->max_stages,
                   "Exit with 1 if a warp takes more than K stages [1; for elements wider than a "
                   "word, the best case of a full warp]")
      ->type_name("K");
  command->add_option("--sarif", options->sarif, "Write the report as SARIF to this file as well")
      ->type_name("FILE");
  command->add_option("--junit", options->junit, "Write the report as JUnit to this file as well")
      ->type_name("FILE");
  command->add_option("--format", options->format, "text, json, sarif or junit [text]")
      ->check(one_of({"text", "json", "sarif", "junit"}));
  command->add_option("-o,--output", options->output, "Write to this file; '-' is standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] { exit_code = run_check(*options); });
}

}  // namespace bankproof::cli
