// The command line of `kernel`; kernels are in cuda/, formats and launch files in kernel/.
#include "kernel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../cuda/session/session.hpp"
#include "../ptx/report/html.hpp"
#include "../ptx/report/text.hpp"
#include "kernel/formats.hpp"
#include "kernel/launching.hpp"
#include "kernel/loading.hpp"
#include "kernel/options.hpp"
#include "kernel/proof.hpp"
#include "kernel/request.hpp"
#include "kernel/waivers.hpp"
#include "readers/text_file.hpp"
#include "report/chrome_trace.hpp"
#include "support/arguments.hpp"
#include "support/chip_names.hpp"
#include "support/compiler_options.hpp"
#include "support/errors.hpp"
#include "support/memory.hpp"
#include "support/output.hpp"
#include "support/progress.hpp"
#include "support/shown.hpp"
#include "support/words.hpp"

namespace bankproof::cli {
namespace {

/// As typed.
struct KernelOptions {
  std::string file;
  TypedLaunch launch;
  TypedAdditions additions;
  std::string launch_file;
  std::string machine = "hmm";
  std::string threads;
  std::string resident;
  bool every_launch = false;
  std::string compiled;  // empty: as the environment has it
  bool verbose = false;
  TypedCompiler compiler;
  std::string suppress;
  std::string baseline;
  TypedLimits limits;
  std::string trace;
  std::string html;
  std::string proof;
  std::string sarif;
  std::string junit;
  std::string format = "text";
  std::string output;
};

KernelRequest requested(const KernelOptions& options) {
  const TypedLaunch& typed = options.launch;
  refuse_compiler_of_ptx(options.file, options.compiler);
  const bool of_file = !options.launch_file.empty();
  if (!options.proof.empty() && options.html.empty()) {
    throw UsageError("--proof is for the page of --html; give --html FILE, too");
  }
  if (of_file && (!typed.kernel.empty() || !typed.grid.empty() || !typed.block.empty() ||
                  !typed.shared.empty() || !typed.arguments.empty())) {
    throw UsageError(
        "the file of --launch has the kernels, grids, blocks and arguments; give either --launch "
        "or these");
  }
  KernelRequest request = of_file ? read_request(options.launch_file) : request_of(typed);
  add_to(request, options.additions);
  return request;
}

void refuse_overwriting(const KernelOptions& options, const KernelRequest& request) {
  std::vector<std::string> read = {options.file};
  for (const std::string& file :
       {options.launch_file, options.suppress, options.baseline, options.proof}) {
    if (!file.empty()) read.push_back(file);
  }
  for (const auto* const some : {&request.buffers, &request.symbols}) {
    for (const RequestedBuffer& buffer : *some) {
      if (!buffer.description.file.empty()) read.push_back(buffer.description.file);
    }
  }
  std::vector<std::string> written;
  written.reserve(request.saves.size() + 5);
  for (const RequestedSave& save : request.saves) written.push_back(save.file);
  written.insert(written.end(),
                 {options.trace, options.html, options.sarif, options.junit, options.output});
  for (const std::string& input : read) {
    for (const std::string& file : written) {
      if (!file.empty()) refuse_input_as_output(input, file);
    }
  }
  require_different_files(written);
  for (const std::string& file : written) require_writable(file);
}

std::string as_format(const std::string& format, const ptx::KernelReport& report,
                      const ptx::Limits& limits, const std::vector<std::string>& notes) {
  if (format == "json") return kernel_as_json(report, limits, notes);
  if (format == "sarif") return kernel_as_sarif(report, limits, notes);
  if (format == "junit") return kernel_as_junit(report, limits, notes);
  std::string text = ptx::as_text(report, limits);
  const ptx::Verdict verdict = judge(report, limits);
  if (verdict.passes() && !verdict.limits_all()) {
    text +=
        "note: --max-excess N fails where a line has more than N; --max-shared-excess and "
        "--max-global-excess limit one memory\n";
  }
  if (verdict.passes() && report.totals.accesses == 0) {
    text += "note: the run accesses no memory, so there was no conflict or race to find\n";
  }
  for (const std::string& note : notes) text += "note: " + shown(note) + "\n";
  return text;
}

int run_kernel(const KernelOptions& options) {
  Progress progress;
  progress.begin("reading");
  KernelRequest request = requested(options);
  const ptx::Limits limits = kernel_limits(options.limits);
  cuda::SessionOptions machine =
      session_options(options.machine, options.threads, options.resident);
  ChromeTrace trace(ChromeTrace::Tracks::memories);
  if (!options.trace.empty()) machine.observer = &trace;
  machine.max_instructions = request.max_instructions;
  machine.schedule = request.schedule;
  machine.every_launch = options.every_launch;
  if (!options.compiled.empty()) machine.compile = ptx::compile_options(options.compiled);
  machine.verbose = options.verbose;
  refuse_overwriting(options, request);
  const Waivers waivers = read_waivers(options.suppress, options.baseline);
  KernelProofs proofs;
  if (!options.proof.empty()) proofs = read_proofs(options.proof);
  progress.begin("compiling");
  const auto file =
      std::make_shared<const cuda::KernelFile>(load_kernel_file(options.file, options.compiler));
  progress.begin("running on the machine");
  cuda::Session session(machine);
  launch_all(session, file, request);
  ptx::KernelReport report = session.report();
  if (!options.proof.empty()) require_about(proofs, report.kernel);
  progress.begin("writing");
  std::vector<std::string> notes = apply(waivers, report, limits);
  for (std::string& note : ptx::child_texts(report)) notes.push_back(std::move(note));
  for (std::string& note : ptx::taken_texts(report)) notes.push_back(std::move(note));
  if (!options.trace.empty()) write_output(options.trace, trace.text());
  if (!options.html.empty()) {
    write_output(options.html, ptx::as_html(report, sources_of(report), limits, proofs.proofs));
  }
  for (const auto& [format, path] : {std::pair("sarif", options.sarif), {"junit", options.junit}}) {
    if (!path.empty()) write_output(path, as_format(format, report, limits, notes));
  }
  progress.end();
  write_all(STDERR_FILENO, report.printed);
  write_output(options.output, as_format(options.format, report, limits, notes));
  return judge(report, limits).passes() ? exit_clean : exit_finding;
}

void add_what_runs(CLI::App& command, KernelOptions& options) {
  command.add_option("FILE", options.file, "CUDA source, or PTX if its name ends with .ptx")
      ->required();
  command.add_option(
      "ARG", options.launch.arguments,
      "The kernel's arguments in order. A number: i32:5 (types i8 to u64, f16, bf16, f32, f64). A "
      "pointer: buffer:f32:1024=random:7; the size is a count or sides such as 32x32, the initial "
      "contents are zeros, iota, random:SEED, random:SEED:LOW:HIGH, undefined or FILE.npy. A "
      "struct: bytes:HEX or bytes:FILE, and @BYTE:buffer:TYPE:COUNT for each pointer in it.");
  const auto add = [&](const char* name, std::string& value, const char* what, const char* type) {
    command.add_option(name, value, what)->type_name(type);
  };
  add("--kernel", options.launch.kernel,
      "The kernel, such as 'scan<int, 256>' [the only kernel of FILE]", "NAME");
  add("--grid", options.launch.grid, "Blocks", "X[,Y[,Z]]");
  add("--block", options.launch.block, "Threads of a block", "X[,Y[,Z]]");
  add("--shared", options.launch.shared, "Bytes of dynamic shared memory [0]", "BYTES");
  add("--launch", options.launch_file,
      "Launches one after another, from a file: {\"buffers\": {\"a\": \"f32:64=iota\"}, "
      "\"launches\": [{\"kernel\": \"f\", \"grid\": [2], \"block\": 32, \"arguments\": "
      "[\"buffer:a\", \"i32:64\"]}], \"save\": {\"a\": \"a.npy\"}}",
      "FILE.json");
  command
      .add_option(
          "--symbol", options.additions.symbols,
          "The initial contents of a __device__ or __constant__ variable: NAME=TYPE:COUNT=INITIAL, "
          "as for buffers; without =INITIAL, the contents that FILE gives it")
      ->type_name("NAME=f32:16=iota")
      ->allow_extra_args(false);
  command
      .add_option("--save", options.additions.saves,
                  "Write the buffer that is argument K (from 0), or the buffer or variable of that "
                  "name, to this file")
      ->type_name("K=FILE.npy")
      ->allow_extra_args(false);
  add_compiler(command, options.compiler);
}

}  // namespace

void add_kernel(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "kernel");
  const auto options = std::make_shared<KernelOptions>();
  add_what_runs(*command, *options);
  const auto add = [&](const char* name, std::string& value, const std::string& what,
                       const char* type) {
    command->add_option(name, value, what)->type_name(type);
  };
  add("--machine", options->machine,
      "hmm, of width 32, or the memories of a chip: " + chips_for_kernels() +
          " [hmm:w=32,l=1,L=400,d=16,p=1024]",
      "NAME[:l=L,...]");
  add("--threads", options->threads, "Threads of this program that run blocks [one for each core]",
      "N");
  add("--resident", options->resident, "Blocks that are resident at a time", "N");
  command->add_flag("--every-launch", options->every_launch, every_launch_text);
  add_compiling(*command, options->compiled, options->verbose);
  add("--max-instructions", options->additions.max_instructions,
      "Stop a launch, with a fault, if its threads together execute more than N instructions [no "
      "limit]",
      "N");
  add("--schedule", options->additions.schedule,
      "Run blocks and warps in a random order; the same N gives the same order [in order]", "N");
  add("--suppress", options->suppress,
      "A file of intended findings, one on each line: KIND FILE LINE or KIND FILE FUNCTION",
      "FILE");
  add("--baseline", options->baseline,
      "A report of --format json; its findings do not fail, and those that are gone are named",
      "FILE");
  add("--fail-on", options->limits.fail_on,
      "Faults that make the exit code 1, such as race,out_of_bounds; all or none [all]", "KINDS");
  add("--max-excess", options->limits.max_excess,
      "Fail if a line has more than N excess wavefronts in shared memory, or more than N excess "
      "sectors in global memory [no limit]",
      "N");
  add("--max-shared-excess", options->limits.max_shared_excess,
      "Fail if a line has more than N excess wavefronts in shared memory [--max-excess]", "N");
  add("--max-global-excess", options->limits.max_global_excess,
      "Fail if a line has more than N excess sectors in global memory [--max-excess]", "N");
  add("--trace", options->trace,
      "Write a trace to this file, as Chrome trace events for Perfetto: when each memory serves "
      "which warp; at most 2000000 events",
      "FILE");
  add("--html", options->html, "Write the annotated source with pictures to this file", "FILE");
  add("--proof", options->proof,
      "A report of prove --kernel --format json; the page of --html says beside each line what it "
      "has proved",
      "FILE");
  add("--sarif", options->sarif, "Write the report as SARIF to this file as well", "FILE");
  add("--junit", options->junit, "Write the report as JUnit to this file as well", "FILE");
  command->add_option("--format", options->format, "text, json, sarif or junit [text]")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit"}));
  command
      ->add_option("-o,--output", options->output,
                   "Write the report to this file; '-' is standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] {
    exit_code = within_memory(
        [&] { return run_kernel(*options); },
        [] { throw InputError("the kernel and its buffers need more memory than is available"); });
  });
}

}  // namespace bankproof::cli
