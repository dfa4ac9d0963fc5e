// The command line of `schedule`; plans are made in algorithms/permutation, and written by plan/.
#include "schedule.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../text/typed.hpp"
#include "plan/c_header.hpp"
#include "plan/folder.hpp"
#include "plan/format.hpp"
#include "plan/made_plan.hpp"
#include "plan/npy_writer.hpp"
#include "plan/plan_json.hpp"
#include "plan/summary.hpp"
#include "readers/permutation_argument.hpp"
#include "support/arguments.hpp"
#include "support/errors.hpp"
#include "support/machine_argument.hpp"
#include "support/memory.hpp"
#include "support/numbers.hpp"
#include "support/output.hpp"
#include "support/progress.hpp"

namespace bankproof::cli {
namespace {

/// As typed; empty for an option that is not given.
struct ScheduleOptions {
  std::string permutation;
  std::string machine;
  std::string width;
  std::string emit = "npy,json";
  std::string threads;
  std::string prefix = "bankproof";
  std::string output;
  bool global = false;
};

struct Emission {
  bool npy = false;
  bool header = false;
};

/// Throws UsageError unless names in C can start with the prefix.
void require_prefix(const std::string& prefix) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto may_follow = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (prefix.empty() || !is_letter(prefix.front()) || !std::ranges::all_of(prefix, may_follow)) {
    throw UsageError(fmt::format(
        "--prefix {}: names in the header start with it; expected letters, digits and _, no digit "
        "first",
        in_quotes(prefix)));
  }
}

/// plan.json is always written, because it describes the other files.
Emission parse_emission(const std::string& text) {
  Emission emission;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (word == "npy") {
      emission.npy = true;
    } else if (word == "c") {
      emission.header = true;
    } else if (word != "json") {
      throw UsageError(fmt::format("--emit {}: unknown format {}; expected npy, c or json",
                                   in_quotes(text), in_quotes(word)));
    }
    begin = end + 1;
  }
  return emission;
}

/// Refuses parameters above 2^20, whose times might not fit 64 bits, and blocks that are not whole
/// warps.
void require_predictable(const MachineArgument& machine, Width width) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  for (const auto& [key, value] :
       {std::pair{"l", machine.latency}, {"L", machine.global_latency}, {"d", machine.dmms}}) {
    if (value.value_or(1) > most) {
      throw UsageError(fmt::format("--machine: {}={} is too large: times are predicted up to {}",
                                   key, *value, most));
    }
  }
  if (machine.threads.value_or(width) % width != 0 || machine.threads.value_or(1) > most) {
    throw UsageError(fmt::format(
        "--machine: p={}: times are predicted only for multiples of the width {}, up to {}",
        *machine.threads, width, most));
  }
  if (machine.capacity)
    throw UsageError("--machine: capacity has no effect on predicted times; leave it out");
}

/// The machine whose times are predicted; --machine and --width must agree on its width.
std::optional<MachineArgument> parse_target(const ScheduleOptions& options, Width& width) {
  const auto wanted = positive_number("--width", options.width);
  MachineArgument machine = parse_machine(options.machine.empty() ? "dmm" : options.machine);
  const std::vector<std::string_view> usable = options.global
                                                   ? std::vector<std::string_view>{"hmm"}
                                                   : std::vector<std::string_view>{"dmm", "hmm"};
  if (!options.machine.empty()) {
    require_machine(machine, usable, options.global ? "schedule --global" : "schedule");
  }
  merge_width(machine, wanted);
  width = static_cast<Width>(machine.width.value_or(32));
  require_predictable(machine, width);
  if (options.machine.empty()) return std::nullopt;
  return machine;
}

std::vector<FolderFile> files_of(const MadePlan& plan, const Emission& emission,
                                 const std::string& prefix) {
  std::vector<FolderFile> files;
  for (std::size_t k = 0; k < plan.passes.size() && emission.npy; ++k) {
    const PassArrays& pass = plan.passes[k];
    const PassNames& names = plan.passes.size() == 1 ? bank_names : pass_names[k];
    files.push_back({std::string(names.s), [&] { return as_npy(pass.s, pass.rows, pass.lanes); }});
    files.push_back({std::string(names.d), [&] { return as_npy(pass.d, pass.rows, pass.lanes); }});
  }
  if (emission.header) {
    files.push_back({std::string(plan_header_name), [&] { return as_c_header(plan, prefix); }});
  }
  files.push_back({std::string(plan_json_name),
                   [&plan, emission] { return as_plan_json(plan, emission.npy); }});
  return files;
}

int run_schedule(const ScheduleOptions& options) {
  Width width = 0;
  const std::optional<MachineArgument> machine = parse_target(options, width);
  const Emission emission = parse_emission(options.emit);
  require_prefix(options.prefix);
  const auto threads = positive_number("--threads", options.threads);
  if (options.output == "-") throw UsageError("-o -: a plan is a folder; give its name");
  const ScheduleOptions usual;
  if (options.output.empty() && (options.emit != usual.emit || options.prefix != usual.prefix)) {
    throw UsageError("--emit and --prefix need a folder to write to: give -o DIR");
  }
  if (!options.output.empty()) require_replaceable_plan(options.output);
  const auto processors = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  std::min(threads.value_or(processors), processors));
  Progress progress;
  progress.begin("reading the permutation");
  const PermutationArgument permutation = load_permutation(options.permutation);
  const auto within = [&](const auto& act) {
    return within_memory(act, [&] { refuse_for_memory(permutation.name); });
  };
  require_plan_memory(permutation, width, options.global);
  const MadePlan plan = within([&] {
    return make_plan(permutation, width, options.global,
                     [&](std::string_view step) { progress.begin(step); });
  });
  if (emission.header && table_lanes_of(plan) > most_header_lanes) {
    throw UsageError(fmt::format(
        "--emit c: tables of {} lanes are too large for a header, which has at most {}: compilers "
        "are slow on larger tables; load the .npy files instead",
        table_lanes_of(plan), most_header_lanes));
  }
  progress.begin("counting stages");
  const Worth worth = within([&] { return worth_of(plan, permutation.values, machine); });
  if (!options.output.empty()) {
    progress.begin("writing");
    within([&] {
      write_plan_folder(options.output, files_of(plan, emission, options.prefix));
      return 0;
    });
  }
  progress.end();
  write_output("", as_summary(plan, worth, options.output));
  return exit_clean;
}

}  // namespace

void add_schedule(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "schedule");
  const auto options = std::make_shared<ScheduleOptions>();
  command->add_option("PERMUTATION", options->permutation, "A file, '-' or a name, as for check")
      ->required()
      ->type_name("");
  command
      ->add_option("--width", options->width,
                   "The number of banks, and of threads of a warp: 1 to 1024 [32]")
      ->type_name("W");
  command
      ->add_option("--machine", options->machine,
                   "Predict times on this DMM or HMM: l is the latency of shared memory, L that of "
                   "global memory, d the number of DMMs, p the threads of each "
                   "[dmm:l=1 and hmm:l=1,L=400,d=16,p=1024]")
      ->type_name("NAME[:w=W,l=L,...]");
  command->add_flag("--global", options->global,
                    "Make a schedule of three passes for arrays in global memory instead of a plan "
                    "for one shared memory");
  command
      ->add_option("--emit", options->emit,
                   "The files to write, separated by commas: npy (the arrays, which verify needs), "
                   "c (a header, plan.h, with tables of at most 1048576 lanes), json (plan.json, "
                   "which is always written) [npy,json]")
      ->type_name("LIST");
  command
      ->add_option(
          "--prefix", options->prefix,
          "The prefix of the header's names, so that a program can include several headers "
          "[bankproof]")
      ->type_name("NAME");
  command->add_option("--threads", options->threads, "Use at most N threads [all processors]")
      ->type_name("N");
  command
      ->add_option("-o,--output", options->output,
                   "The folder of the plan, which is new or has a plan to replace; without this "
                   "option nothing is written")
      ->type_name("DIR");
  command->callback([options, &exit_code] { exit_code = run_schedule(*options); });
}

}  // namespace bankproof::cli
