// The command line of `exec`; exec/ runs the program and gathers what it did.
#include "exec.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../ptx/report/sources.hpp"
#include "../ptx/report/text.hpp"
#include "exec/folder.hpp"
#include "exec/program.hpp"
#include "exec/report.hpp"
#include "kernel/options.hpp"
#include "kernel/waivers.hpp"
#include "support/arguments.hpp"
#include "support/chip_names.hpp"
#include "support/errors.hpp"
#include "support/numbers.hpp"
#include "support/output.hpp"
#include "support/progress.hpp"
#include "support/shown.hpp"
#include "support/words.hpp"

namespace bankproof::cli {
namespace {

/// As typed.
struct ExecOptions {
  std::vector<std::string> words;  // the program and its arguments
  std::string machine = "hmm";
  std::string resident;
  std::string schedule;
  bool every_launch = false;
  std::vector<std::string> kernels;
  std::string launches;
  std::string devices;
  std::string compiled = "auto";
  bool verbose = false;
  std::string save_launches;
  std::string suppress;
  std::string baseline;
  TypedLimits limits;
  std::string tool;
  std::string error_exitcode;
  std::string leak_check;
  std::string format = "text";
  std::string output;
};

/// The kinds of findings that a tool of compute-sanitizer has, as for --fail-on.
struct SanitizerTool {
  const char* name;
  const char* kinds;
};
constexpr SanitizerTool sanitizer_tools[] = {
    {"memcheck",
     "out_of_bounds,misaligned,use_after_free,double_free,invalid_copy,leak,unchecked_error"},
    {"racecheck", "race,colliding_writes"},
    {"initcheck", "uninitialized"},
    {"synccheck", "barrier_divergence,inactive_lane,deadlock"},
};

/// The limits as typed, with the kinds of --tool. Throws UsageError.
TypedLimits typed_limits(const ExecOptions& options) {
  TypedLimits limits = options.limits;
  if (options.tool.empty()) return limits;
  if (!limits.fail_on.empty()) throw UsageError("--tool and --fail-on exclude each other");
  for (const SanitizerTool& tool : sanitizer_tools) {
    if (options.tool == tool.name) limits.fail_on = tool.kinds;
  }
  return limits;
}

/// The folder with the libraries that stand in for CUDA's.
std::filesystem::path libraries() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path folder = (self.parent_path() / BANKPROOF_CUDA_LIBRARIES).lexically_normal();
  if (!std::filesystem::exists(folder / "libcudart.so.13", error)) {
    throw InputError("exec needs the libraries in " + shown(folder.string()) +
                     ", which are not installed");
  }
  return folder;
}

std::map<std::string, std::string> environment_of(const ExecOptions& options,
                                                  const std::filesystem::path& run) {
  std::map<std::string, std::string> variables;
  const char* const before = std::getenv("LD_LIBRARY_PATH");
  const std::string others = before == nullptr || *before == '\0' ? "" : std::string(":") + before;
  variables["LD_LIBRARY_PATH"] = libraries().string() + others;
  variables["BANKPROOF_RUN"] = run.string();
  variables["BANKPROOF_RUN_BY"] = std::to_string(getpid());
  variables["BANKPROOF_MACHINE"] = options.machine;
  if (!options.resident.empty()) variables["BANKPROOF_RESIDENT"] = options.resident;
  if (!options.schedule.empty()) variables["BANKPROOF_SCHEDULE"] = options.schedule;
  if (options.every_launch) variables["BANKPROOF_EVERY_LAUNCH"] = "1";
  if (!options.devices.empty()) variables["BANKPROOF_DEVICES"] = options.devices;
  variables["BANKPROOF_COMPILED"] = options.compiled;
  variables["BANKPROOF_VERBOSE"] = options.verbose ? "1" : "0";
  // Set even if empty: the command has read the variable, and made a path of it that does not
  // depend on the current folder.
  variables["BANKPROOF_SAVE_LAUNCHES"] =
      options.save_launches.empty() ? "" : std::filesystem::absolute(options.save_launches);
  if (!options.launches.empty()) variables["BANKPROOF_LAUNCHES"] = options.launches;
  for (const std::string& name : options.kernels) variables["BANKPROOF_KERNELS"] += name + "\n";
  if (options.leak_check == "full") variables["BANKPROOF_LEAK_CHECK"] = "full";
  return variables;
}

/// Throws UsageError for anything but FIRST or FIRST-LAST.
void require_launches_in_order(const std::string& typed) {
  if (typed.empty()) return;
  const std::size_t dash = typed.find('-');
  const DecimalNumber first = parse_decimal(typed.substr(0, dash));
  const DecimalNumber last =
      dash == std::string::npos ? first : parse_decimal(typed.substr(dash + 1));
  if (first.value && last.value && *first.value <= *last.value) return;
  throw UsageError("--launches " + in_quotes(typed) +
                   ": expected the number of a launch, from 0, or two with a dash, as in 10-19");
}

/// Makes the folder for --save-launches. Throws InputError if it has files already.
void make_empty_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_empty(path, error) || error) {
    throw InputError("--save-launches " + shown(path) + ": " +
                     (error ? error.message() : "the folder is not empty"));
  }
}

int run_exec(ExecOptions& options) {
  std::ranges::replace(options.words, std::string(empty_word), std::string());
  if (options.words.empty()) {
    throw UsageError("the program is missing: bankproof exec [OPTIONS] -- PROGRAM [ARG...]");
  }
  const ptx::Limits limits = kernel_limits(typed_limits(options));
  session_options(options.machine, "", options.resident);  // throws for a wrong machine
  require_launches_in_order(options.launches);
  positive_number("--devices", options.devices);
  const std::uint64_t on_finding =
      positive_number("--error-exitcode", options.error_exitcode).value_or(exit_finding);
  const Waivers waivers = read_waivers(options.suppress, options.baseline);
  if (!options.output.empty()) require_writable(options.output);
  if (!options.save_launches.empty()) make_empty_folder(options.save_launches);
  const std::filesystem::path program = find_program(options.words.front());
  require_shared_runtime(program);

  const RunDirectory directory;
  Progress progress;
  std::string told;
  const Ended ended =
      run_program_with(program, options.words, environment_of(options, directory.path()), [&] {
        const Gathered now = directory.progress();
        std::string line = fmt::format("{} checked", shown_count(now.launches, "launch"));
        if (!now.kernel.empty()) line += "; running " + now.kernel;
        if (line != told) progress.begin(told = line);
      });
  progress.end();
  Gathered run = directory.gather();
  std::error_code no_folder;  // if it was removed meanwhile
  const std::filesystem::path here = std::filesystem::current_path(no_folder);
  if (!no_folder) ptx::name_files_from(run.report, here);
  std::vector<std::string> notes = notes_of(run, ended);
  for (std::string& note : apply(waivers, run.report, limits)) notes.push_back(std::move(note));
  for (std::string& note : ptx::child_texts(run.report)) notes.push_back(std::move(note));
  for (std::string& note : ptx::taken_texts(run.report)) notes.push_back(std::move(note));
  for (std::string& note : ptx::library_texts(run.report)) notes.push_back(std::move(note));
  const ptx::Verdict verdict = judge(run.report, limits);
  // If a launch failed, and nobody looked at the error, nothing was checked.
  const bool has_findings =
      std::any_of(verdict.faults.begin(), verdict.faults.end(),
                  [](const auto* fault) { return fault->kind != ptx::FaultKind::unchecked_error; });
  require_launches(run, ended, has_findings);
  const std::string text = report_text(options.format, run, limits, notes);
  if (options.output.empty()) {
    write_all(STDERR_FILENO, text);
  } else {
    write_output(options.output, text);
  }
  if (ended.code != 0) return ended.code;
  return verdict.passes() ? exit_clean : static_cast<int>(on_finding);
}

/// Each option has a variable of the environment: BANKPROOF_MAX_EXCESS is --max-excess.
void name_variables(CLI::App& command) {
  for (CLI::Option* const option : command.get_options({})) {
    if (option->get_lnames().empty() || option->check_name("--help")) continue;
    std::string name = "BANKPROOF_" + option->get_lnames().front();
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    });
    if (name != "BANKPROOF_PROGRAM_WORD") option->envname(name);
  }
}

}  // namespace

void add_exec(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "exec");
  const auto options = std::make_shared<ExecOptions>();
  const auto add = [&](const char* name, std::string& value, const char* what, const char* type) {
    command->add_option(name, value, what)->type_name(type);
  };
  // words_of() gives each word after '--' to this option.
  command->add_option("--program-word", options->words, "The program and its arguments, after '--'")
      ->type_name("WORD")
      ->allow_extra_args(false);
  add("--machine", options->machine, "hmm, or the memories of a chip [hmm]", "NAME");
  add("--resident", options->resident, "Blocks that are resident at a time", "N");
  add("--schedule", options->schedule,
      "Run blocks and warps in a random order; the same N gives the same order [in order]", "N");
  command->add_flag("--every-launch", options->every_launch, every_launch_text);
  command
      ->add_option("--kernels,--kernel-name", options->kernels,
                   "Check only launches of kernels whose names contain NAME; may be given again")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add("--launches", options->launches,
      "Check only these launches, counted from 0 in each process; the others run unchecked",
      "FIRST[-LAST]");
  add("--devices", options->devices, "Devices that the machine has [1]", "N");
  add_compiling(*command, options->compiled, options->verbose);
  add("--save-launches", options->save_launches,
      "Save the inputs of each launch with a new finding here; each finding then has the command "
      "that runs its launch alone",
      "FOLDER");
  add("--suppress", options->suppress,
      "A file of intended findings, one on each line: KIND FILE LINE or KIND FILE FUNCTION",
      "FILE");
  add("--baseline", options->baseline,
      "A report of --format json; its findings do not fail, and those that are gone are named",
      "FILE");
  add("--fail-on", options->limits.fail_on,
      "Faults that make the exit code 1, such as race,out_of_bounds; all or none [all]", "KINDS");
  command
      ->add_option("--tool", options->tool,
                   "Faults that make the exit code 1: those that this tool of compute-sanitizer "
                   "would find: memcheck, racecheck, initcheck or synccheck")
      ->check(CLI::IsMember({"memcheck", "racecheck", "initcheck", "synccheck"}));
  add("--max-excess", options->limits.max_excess,
      "Fail if a line has more than N excess wavefronts in shared memory, or more than N excess "
      "sectors in global memory [no limit]",
      "N");
  add("--max-shared-excess", options->limits.max_shared_excess,
      "Fail if a line has more than N excess wavefronts in shared memory [--max-excess]", "N");
  add("--max-global-excess", options->limits.max_global_excess,
      "Fail if a line has more than N excess sectors in global memory [--max-excess]", "N");
  add("--error-exitcode", options->error_exitcode,
      "The exit code for findings, if the program's own code is 0 [1]", "N");
  command
      ->add_option("--leak-check", options->leak_check,
                   "full: memory of the device that is not freed is a finding [no]")
      ->check(CLI::IsMember({"full", "no"}));
  command->add_option("--format", options->format, "text, json, sarif, junit or html [text]")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit", "html"}));
  command
      ->add_option("-o,--output", options->output,
                   "Write the report to this file; '-' is standard output [standard error]")
      ->type_name("FILE");
  name_variables(*command);
  command->callback([options, &exit_code] { exit_code = run_exec(*options); });
}

}  // namespace bankproof::cli
