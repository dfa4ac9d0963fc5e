// The command line of `run`; the algorithms are in algorithms/, reports in run/.
#include "run.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../algorithms/permutation/specification.hpp"
#include "../algorithms/summed_area_table.hpp"
#include "../model/observers/initialization.hpp"
#include "../model/observers/races.hpp"
#include "../model/observers/statistics.hpp"
#include "arguments.hpp"
#include "errors.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "plan/npy_writer.hpp"
#include "readers/npy.hpp"
#include "run/chrome_trace.hpp"
#include "run/report.hpp"
#include "run/task_argument.hpp"
#include "shown.hpp"

namespace bankproof::cli {
namespace {

/// As typed.
struct Options {
  std::string variant;
  std::vector<std::string> sizes;
  std::string machine;
  std::string permutation;
  std::string mode = "overlapped";
  std::vector<std::string> inputs;
  std::string result;
  std::string trace;
  std::string r;  ///< of summed-area-table
  std::string format = "text";
  std::string output;
};

/// Small numbers, so that results can be read; the seed stands after "random:".
Integers random_integers(std::uint64_t size, std::mt19937_64& random) {
  Integers values(size);
  for (std::uint64_t& value : values) value = random() % 100;
  return values;
}

std::uint64_t seed_of(const std::string& text) {
  const DecimalNumber seed = parse_decimal(std::string_view(text).substr(text.find(':') + 1));
  if (!text.starts_with("random:") || !seed.value) {
    throw UsageError("--input " + in_quotes(text) + ": expected an .npy file or random:SEED");
  }
  return *seed.value;
}

/// An array from a file, of the shape that the sizes ask for.
Integers integers_of(const std::string& path, const Shape& shape) {
  FileInput input(path);
  const NpyLanes read = read_npy_lanes(input);
  const std::vector<std::uint64_t> wanted = {shape.rows, shape.columns};
  const bool flat = shape.rows == 1 && read.shape == std::vector{shape.columns};
  if (read.shape != wanted && !flat) {
    std::string found;
    for (const std::uint64_t side : read.shape) {
      found += (found.empty() ? "" : " x ") + std::to_string(side);
    }
    input.fail(fmt::format("has {} elements, and {} has {}; --size says how many", found,
                           shape.name,
                           shape.rows == 1 ? std::to_string(shape.columns)
                                           : fmt::format("{} x {}", shape.rows, shape.columns)));
  }
  return std::visit([](const auto& values) { return Integers(values.begin(), values.end()); },
                    read.values);
}

Inputs<std::uint64_t> load_inputs(const std::vector<std::string>& given,
                                  const std::vector<Shape>& shapes) {
  const bool random = given.empty() || given.front().find(':') != std::string::npos;
  if (random ? given.size() > 1 : given.size() != shapes.size()) {
    std::string names;
    for (const Shape& shape : shapes)
      names += (names.empty() ? "" : ", ") + std::string(shape.name);
    throw UsageError(fmt::format("--input: give random:SEED, or a file for each of {}", names));
  }
  std::mt19937_64 source(random && !given.empty() ? seed_of(given.front()) : 0);
  Inputs<std::uint64_t> inputs;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    inputs.push_back(random ? random_integers(shapes[k].size(), source)
                            : integers_of(given[k], shapes[k]));
  }
  return inputs;
}

/// The first element that is not the oracle's; empty if all are.
std::string difference(const Integers& values, const Integers& expected, const Shape& shape) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (values[k] == expected[k]) continue;
    const std::string place = shape.rows == 1
                                  ? std::to_string(k)
                                  : fmt::format("{}, {}", k / shape.columns, k % shape.columns);
    return fmt::format("{}[{}] is {}, and the oracle's is {}", shape.name, place,
                       static_cast<std::int64_t>(values[k]),
                       static_cast<std::int64_t>(expected[k]));
  }
  return {};
}

std::vector<MemoryUse> uses_of(const Statistics& statistics, const Letters& machine) {
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

int run(const AlgorithmEntry& algorithm, const Options& options) {
  Task task =
      parse_task(algorithm, options.variant, options.sizes, options.machine, options.permutation);
  if (!options.r.empty()) set_part_in_two_passes(task, options.r);
  const std::vector<Shape> shapes = algorithm.inputs(task);
  const Shape shape = algorithm.output(task);
  std::uint64_t elements = shape.size();
  for (const Shape& input : shapes) elements += input.size();
  require_memory("run " + std::string(algorithm.name), elements, 3 * sizeof(std::uint64_t));
  for (const std::string& input : options.inputs) {
    refuse_input_as_output(input, options.output);
    for (const std::string& file : {options.result, options.trace}) {
      if (!file.empty()) refuse_input_as_output(input, file);
    }
  }
  const Inputs<std::uint64_t> inputs = load_inputs(options.inputs, shapes);
  RunReport report{algorithm, task, options.mode == "lockstep" ? Mode::lockstep : Mode::overlapped,
                   0,         {},   {},
                   {}};
  Statistics statistics;
  Races races;
  Initialization initialization;
  ChromeTrace trace;
  std::vector<Observer*> observers = {&statistics, &races, &initialization};
  if (!options.trace.empty()) observers.push_back(&trace);
  try {
    const auto outcome = algorithm.run(task, {{.mode = report.mode}}, inputs, observers);
    report.time = outcome.time;
    report.finding = difference(outcome.values, algorithm.expected(task, inputs), shape);
    if (!options.result.empty()) {
      write_output(options.result, as_npy_of_64_bits(outcome.values, shape.rows, shape.columns));
    }
  } catch (const Fault& fault) {
    report.finding = fault.what();
  }
  if (!options.trace.empty()) write_output(options.trace, trace.text());
  report.memories = uses_of(statistics, task.machine);
  report.cost = algorithm.cost(task);
  write_output(options.output,
               options.format == "json" ? run_as_json(report) : run_as_text(report));
  return report.finding.empty() ? exit_clean : exit_finding;
}

/// What `run ALGORITHM --help` says beyond its options.
std::string footer_of(const AlgorithmEntry& algorithm) {
  std::string text = fmt::format("{}: {}\n\nVariants:\n", algorithm.name, algorithm.does);
  for (const Variant& variant : algorithm.variants) {
    std::string machines;
    for (const MachineKind kind : variant.machines) {
      machines += machines.empty() ? "" : ", ";
      Letters letters;
      letters.machine = kind;
      const std::string whole = machine_text(letters);
      machines += whole.substr(0, whole.find(':'));
    }
    text += fmt::format("  {:<12} {} ({}); on {}\n", variant.name, variant.idea, variant.source,
                        machines);
  }
  text += "\nSizes:\n";
  for (const SizeKey& key : algorithm.size_keys) {
    text +=
        fmt::format("  {:<12} {}, at least {} [{}]\n", key.name, key.meaning, key.least, key.usual);
  }
  return text;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "run",
      "Run an algorithm on a machine; hold its result and its time against what they must be");
  command->require_subcommand(0, 1);  // that none is given, or another, is said below
  command->allow_extras();
  command->callback([command] {
    if (!command->get_subcommands().empty()) return;
    const auto words = command->remaining();
    find_algorithm(words.empty() ? "" : words.front());
  });
  for (const AlgorithmEntry& algorithm : algorithm_entries()) {
    CLI::App* const one =
        command->add_subcommand(std::string(algorithm.name), std::string(algorithm.does));
    const auto options = std::make_shared<Options>();
    one->add_option("--variant", options->variant, "One of those below")->type_name("NAME");
    one->add_option("--size", options->sizes, "Sizes, of those below")
        ->delimiter(',')
        ->type_name("KEY=VALUE,...");
    one->add_option(
           "--machine", options->machine,
           "pram, dmm, umm, hmm or async-hmm; w is the width, l the latency of one memory "
           "or of shared memory, L that of global memory, d the DMMs, p the threads, on an "
           "HMM of each DMM [dmm:w=32,l=1,p=256, hmm:w=32,l=1,L=400,d=16,p=1024]")
        ->type_name("NAME[:w=W,l=L,...]");
    one->add_option("--mode", options->mode, "overlapped or lockstep [overlapped]")
        ->check(CLI::IsMember({"lockstep", "overlapped"}));
    one->add_option("--input", options->inputs,
                    "random:SEED, or an .npy file of integers for each array, in turn [random:0]")
        ->type_name("FILE");
    one->add_option("--output", options->result, "Write the result to this .npy file")
        ->type_name("FILE.npy");
    if (algorithm.permutes) {
      one->add_option("--permutation", options->permutation,
                      "A name such as transpose:64x64, or a file, as check takes it [random:N]")
          ->type_name("PERMUTATION");
    }
    if (algorithm.name == SummedAreaTable::name) {
      one->add_option("--r", options->r,
                      "Of hybrid, (1+r)R1W: the part of the tiles in two passes, rather than t")
          ->type_name("R");
    }
    one->add_option("--trace", options->trace,
                    "Write all accesses to this file, as Chrome trace events for Perfetto")
        ->type_name("FILE");
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
      exit_code = run(algorithm, *options);
    });
  }
}

}  // namespace bankproof::cli
