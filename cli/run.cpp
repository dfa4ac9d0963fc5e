// The command line of `run`; the algorithms are in algorithms/, reports in run/.
#include "run.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../algorithms/summed_area_table/summed_area_table.hpp"
#include "../model/observers/initialization.hpp"
#include "../model/observers/races.hpp"
#include "../model/observers/statistics.hpp"
#include "../text/typed.hpp"
#include "report/chrome_trace.hpp"
#include "run/arrays.hpp"
#include "run/limited_chart.hpp"
#include "run/report.hpp"
#include "run/result_file.hpp"
#include "run/room.hpp"
#include "run/task_argument.hpp"
#include "support/arguments.hpp"
#include "support/errors.hpp"
#include "support/memory.hpp"
#include "support/output.hpp"
#include "support/progress.hpp"
#include "support/shown.hpp"

namespace bankproof::cli {
namespace {

/// As typed.
struct RunOptions {
  std::string variant;
  std::vector<std::string> sizes;
  std::string machine;
  std::string permutation;
  std::string mode = "overlapped";
  std::vector<std::string> inputs;
  std::string result;
  PictureOptions picture;
  std::string trace;
  std::string chart;
  std::string r;  ///< only for summed-area-table
  std::string format = "text";
  std::string output;
};

/// Describes the first element that differs from the oracle's; empty if all agree.
std::string difference(const Integers& values, const Integers& expected, std::string_view name,
                       const Dimensions& dimensions) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (values[k] == expected[k]) continue;
    return fmt::format("{}[{}] is {}, and the oracle's is {}", name, place_text(dimensions, k),
                       static_cast<std::int64_t>(values[k]),
                       static_cast<std::int64_t>(expected[k]));
  }
  return {};
}

std::vector<MemoryUse> uses_of(const Statistics& statistics, const MachineParameters& machine) {
  if (!is_hierarchical(machine.machine)) {
    return {{"memory", statistics.of_kind(machine.memory())}};
  }
  std::vector<MemoryUse> uses = {{"shared", statistics.of_banks()},
                                 {"global", statistics.of_groups()}};
  if (const MemoryStatistics constant = statistics.of_constants(); constant.requests > 0) {
    uses.push_back({"constant", constant});
  }
  return uses;
}

int run_algorithm(const AlgorithmEntry& algorithm, const RunOptions& options) {
  Progress progress;
  progress.begin("reading");
  Task task =
      parse_task(algorithm, options.variant, options.sizes, options.machine, options.permutation);
  std::vector<std::string> read = options.inputs;
  if (!options.permutation.empty()) read.push_back(options.permutation);
  const std::vector<std::string> written = {options.result, options.trace, options.chart,
                                            options.output};
  for (const std::string& input : read) {
    for (const std::string& file : written) {
      if (!file.empty()) refuse_input_as_output(input, file);
    }
  }
  if (!options.chart.empty() && options.chart != "-" && !options.chart.ends_with(".svg")) {
    throw UsageError("--chart " + in_quotes(options.chart) + ": charts are written as .svg");
  }
  const auto arrays = read_arrays(options.inputs, algorithm.inputs(task));
  set_open_sizes(task, algorithm, arrays, options.sizes);
  std::vector<std::string> notes;
  if (options.variant.empty()) {
    notes.push_back(
        fmt::format("no --variant: {} is the first that the machine runs", task.variant));
  }
  if (!options.r.empty()) {
    notes.push_back(set_part_in_two_passes(task, options.r, options.sizes));
  }
  require_suitable(algorithm, task);
  require_room(algorithm, task);
  require_different_files(written);
  for (const std::string_view ending : {".npy", ".pgm", ".ppm"}) {
    if (!options.result.empty() || !options.output.ends_with(ending)) continue;
    throw UsageError("-o " + in_quotes(options.output) +
                     ": -o names the file of the report; use --output for the result");
  }
  for (const std::string& file : written) require_writable(file);
  const auto passes = passes_of(arrays, options.inputs, algorithm, task);
  Shape shape = algorithm.output(task);
  const Dimensions dimensions = output_dimensions(algorithm, task);
  Dimensions of_all = dimensions;
  shape.channels *= passes.size();
  if (passes.size() > 1) of_all.push_back(passes.size());
  const ResultFile result_file(options.result, options.picture, shape, of_all,
                               arrays.empty() ? std::nullopt : arrays.front().greatest_value);

  RunReport report{
      .algorithm = algorithm,
      .task = task,
      .mode = options.mode == "lockstep" ? Mode::lockstep : Mode::overlapped,
      .notes = notes,
      .passes = passes.size(),
  };
  Statistics statistics;
  Races races;
  Initialization initialization;
  ChromeTrace trace;
  LimitedChart chart(run_heading(report), algorithm, task.machine);
  const std::vector<Observer*> checks = {&races, &initialization};
  std::vector<Observer*> all = {&races, &initialization, &statistics};
  if (!options.trace.empty()) all.push_back(&trace);
  if (!options.chart.empty()) all.push_back(&chart);
  try {
    Integers values(shape.size());
    for (std::size_t pass = 0; pass < passes.size() && report.finding.empty(); ++pass) {
      progress.begin("running on the machine");
      const auto outcome =
          algorithm.run(task, {{.mode = report.mode}}, passes[pass], pass == 0 ? all : checks);
      report.time = outcome.time;
      progress.begin("comparing with the oracle");
      report.finding = difference(outcome.values, algorithm.expected(task, passes[pass]),
                                  shape.name, dimensions);
      for (std::size_t k = 0; k < outcome.values.size(); ++k) {
        values[k * passes.size() + pass] = outcome.values[k];
      }
    }
    progress.begin("writing");
    result_file.write(values);
  } catch (const Fault& fault) {
    if (fault.kind() == FaultKind::capacity) {
      throw UsageError("--machine: " + std::string(fault.what()) +
                       "; choose smaller sizes or a larger capacity");
    }
    report.finding = fault.what();
  }
  if (!options.trace.empty()) write_output(options.trace, trace.text());
  if (!options.chart.empty()) write_output(options.chart, chart.text());
  progress.begin("computing closed forms");
  report.memories = uses_of(statistics, task.machine);
  report.cost = algorithm.cost(task);
  progress.end();
  write_output(options.output,
               options.format == "json" ? run_as_json(report) : run_as_text(report));
  return report.finding.empty() ? exit_clean : exit_finding;
}

/// The part of `run ALGORITHM --help` below the options.
std::string footer_of(const AlgorithmEntry& algorithm) {
  std::string text = fmt::format("{}: {}\n\nVariants:\n", algorithm.name, algorithm.does);
  for (const Variant& variant : algorithm.variants) {
    std::string machines;
    for (const MachineKind kind : variant.machines) {
      machines += machines.empty() ? "" : ", ";
      MachineParameters parameters;
      parameters.machine = kind;
      const std::string whole = machine_text(parameters);
      machines += whole.substr(0, whole.find(':'));
    }
    text += fmt::format("  {:<12} {} ({}); on {}\n", variant.name, variant.idea, variant.source,
                        machines);
  }
  text += "\nSizes:\n";
  for (const SizeKey& key : algorithm.size_keys) {
    text += fmt::format("  {:<12} {}{}, {} to {} [{}]\n", key.name, key.meaning,
                        key.of.empty() ? "" : fmt::format(" ({})", key.of), key.least, key.most,
                        key.usual);
  }
  return text;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) { add_run(app, exit_code, algorithm_entries()); }

void add_run(CLI::App& app, int& exit_code, std::span<const AlgorithmEntry> entries) {
  CLI::App* const command = begin_command(app, "run");
  command->require_subcommand(0, 1);  // the callback reports a missing or unknown algorithm
  command->allow_extras();
  command->callback([command] {
    if (!command->get_subcommands().empty()) return;
    const auto words = command->remaining();
    find_algorithm(words.empty() ? "" : words.front());
  });
  for (const AlgorithmEntry& algorithm : entries) {
    CLI::App* const one =
        command->add_subcommand(std::string(algorithm.name), std::string(algorithm.does));
    const auto options = std::make_shared<RunOptions>();
    one->add_option("--variant", options->variant,
                    "A variant from the list below [the first that runs on the machine]")
        ->type_name("NAME");
    one->add_option("--size", options->sizes, "Sizes from the list below")
        ->type_name("KEY=VALUE,...");
    one->add_option(
           "--machine", options->machine,
           "pram, dmm, umm, hmm or async-hmm. Keys: w, the width, at most 64; l, the latency of "
           "the one memory or of shared memory; L, the latency of global memory; d, the number of "
           "DMMs, at most 1024; p, the number of threads, on an HMM of each DMM; capacity, the "
           "words of the one memory or of each shared memory. l, L and p are at most 1048576 "
           "[dmm:w=32,l=1,p=256, hmm:w=32,l=1,L=400,d=16,p=1024]")
        ->type_name("NAME[:w=W,l=L,...]");
    one->add_option("--mode", options->mode, "overlapped or lockstep [overlapped]")
        ->check(CLI::IsMember({"lockstep", "overlapped"}));
    one->add_option("--input", options->inputs,
                    "random:SEED; or, for each array in turn, a file (.npy of integers, PGM, PPM) "
                    "or the array's rows, such as values:1,2/3,4 [random:0]")
        ->type_name("INPUT");
    one->add_option("--output", options->result,
                    "Write the result to this file, whose name ends with .npy, .pgm or .ppm")
        ->type_name("FILE");
    one->add_flag("--absolute", options->picture.absolute, "In a picture: drop signs");
    one->add_option("--divide", options->picture.divide,
                    "In a picture: divide values by N, rounded to the nearest whole number")
        ->type_name("N");
    one->add_flag("--clamp", options->picture.clamp,
                  "In a picture: replace values below 0 by 0, and values above its greatest value "
                  "by that value");
    one->add_option("--maxval", options->picture.greatest_value,
                    "The picture's greatest value, at most 65535 [that of the first input, or 255]")
        ->type_name("N");
    if (algorithm.permutes) {
      one->add_option("--permutation", options->permutation,
                      "A name such as transpose:64x64, or a file, as for check [random:N]")
          ->type_name("PERMUTATION");
    }
    if (algorithm.name == SummedAreaTable::name) {
      one->add_option("--r", options->r,
                      "For the variant hybrid, (1+r)R1W: the share r of the tiles that two passes "
                      "make; give it instead of the size t")
          ->type_name("R");
    }
    one->add_option("--trace", options->trace,
                    "Write all accesses, at most 2000000, to this file, as Chrome trace events for "
                    "Perfetto")
        ->type_name("FILE");
    one->add_option(
           "--chart", options->chart,
           "Draw the pipelines of a small run over time in this file, as SVG of at most 4000 "
           "x 4000 pixels: some 350 time units")
        ->type_name("FILE.svg");
    one->add_option("--format", options->format, "text or json [text]")
        ->check(CLI::IsMember({"text", "json"}));
    one->add_option("-o", options->output, "Write the report to this file; '-' is standard output")
        ->type_name("FILE");
    one->footer(footer_of(algorithm));
    one->allow_extras();  // refused below
    one->callback([command, one, &algorithm, options, &exit_code] {
      refuse_unknown_options(*command);
      const auto extras = one->remaining();
      if (!extras.empty()) throw UsageError("unexpected " + in_quotes(extras.front()));
      exit_code = within_memory([&] { return run_algorithm(algorithm, *options); },
                                [] {
                                  throw UsageError(
                                      "--size, --machine: the run needs more memory than is "
                                      "available; choose smaller values");
                                });
    });
  }
}

}  // namespace bankproof::cli
