// Sessions decode each kernel once; see session.hpp.
#include "session.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "../../ptx/exec/compiled_code.hpp"
#include "../../ptx/exec/launch.hpp"
#include "../../ptx/exec/limits.hpp"
#include "../../ptx/exec/module_variables.hpp"
#include "../../ptx/flow/oblivious.hpp"
#include "../../ptx/report/function_names.hpp"
#include "../../ptx/report/text.hpp"
#include "../../ptx/syntax/layout.hpp"
#include "../../ptx/syntax/parser.hpp"
#include "../../ptx/timing/replay.hpp"
#include "launch_state.hpp"
#include "repeats.hpp"

namespace bankproof::cuda {

namespace {

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw CompileError(path + ": is a folder");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw CompileError(path + ": cannot be read");
  return text;
}

/// Decodes a kernel. If an instruction is unsupported, the error names its source line, if it has
/// one.
ptx::Program decoded(const KernelFile& file, const std::string& kernel) {
  try {
    return ptx::decode(file.module, kernel);
  } catch (const ptx::UnsupportedInstruction& error) {
    const ptx::SiteStatement site{error.site().function, error.site().statement};
    const ptx::Origin origin = ptx::origins_of(file.module, {&site, 1}, file.source).front();
    const std::string& ptx = ptx::file_of(file.module, file.module.functions[site.function]);
    if (origin.at.line == 0 || origin.at.file == ptx) throw;
    throw ptx::Error(
        ptx::chain_text(origin.at, origin.chain) + ": unsupported: " + error.instruction(), ptx,
        error.place());
  }
}

}  // namespace

KernelFile load_kernels(const std::string& path, const CompileOptions& options) {
  if (path.ends_with(".ptx")) return {ptx::parse(read_text(path), path), ""};
  const PtxText compiled = compile(path, options);
  return {ptx::parse(compiled.text, path + ", as PTX"), path};
}

void require_shape(const ptx::LaunchShape& shape) {
  try {
    ptx::check_shape(shape);
  } catch (const std::invalid_argument& error) {
    throw ArgumentError(error.what());
  }
}

namespace {

/// The file's name in messages.
const std::string& name_of(const KernelFile& file) {
  return file.source.empty() ? file.module.file : file.source;
}

}  // namespace

// A decoded kernel, its name in reports, and the origins of its instructions.
struct Session::Ready {
  Ready(const KernelFile& file, const ptx::Function& kernel)
      : program(decoded(file, kernel.name)), name(ptx::demangled(kernel.name)) {
    std::vector<ptx::SiteStatement> sites;
    sites.reserve(program.sites.size());
    for (const ptx::Site& site : program.sites) sites.push_back({site.function, site.statement});
    origins = ptx::origins_of(file.module, sites, file.source);
    reported = std::make_unique<ptx::ReportBuilder::Kernel>(name, origins);
    is_oblivious = !program.precise && !program.copies && !ptx::data_dependence(kernel);
  }

  ptx::Program program;
  std::string name;
  std::vector<ptx::Origin> origins;
  std::unique_ptr<ptx::ReportBuilder::Kernel> reported;  // in the session's report
  bool is_oblivious = false;                             // Repeats::known()
};

struct Session::State {
  explicit State(const SessionOptions& given)
      : options(given), rules(ptx::MachineRules::of(given.machine)), builder(shown(given)) {}

  static std::string shown(const SessionOptions& given) {
    return given.shown_machine.empty() ? given.machine : given.shown_machine;
  }
  ptx::KernelReport report(const ptx::ReportBuilder& of) const {
    return of.report([this](std::uint32_t buffer) { return memory[buffer].name; });
  }
  std::uint32_t module(const SharedKernelFile& file) {
    return modules.try_emplace(file, static_cast<std::uint32_t>(modules.size())).first->second;
  }
  ptx::RunOptions run_options(const SharedKernelFile& file) {
    ptx::RunOptions run;
    run.rules = rules;
    run.threads =
        options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
    run.alone = 100'000;  // about 1 ms; starting a thread takes less than 0.1 ms
    if (options.resident_blocks != 0) {
      run.resident = static_cast<std::uint32_t>(options.resident_blocks);
    }
    run.launch = launches++;
    run.most_instructions = options.max_instructions;
    run.schedule = options.schedule;
    run.module = module(file);
    run.record_events = true;
    run.compile = options.compile;
    return run;
  }
  /// The decoded kernel, for all launches.
  const Ready& kernel(const SharedKernelFile& file, const ptx::Function& function) {
    auto found = ready.find({file, function.name});
    if (found == ready.end()) {
      found = ready.emplace(std::pair(file, function.name), Ready(*file, function)).first;
    }
    return found->second;
  }

  /// The latest launch.
  struct Last {
    const Ready* kernel = nullptr;
    ptx::LaunchShape shape;
    std::shared_ptr<const KeptLaunch> did;
    bool is_repeated = false;                       // it was not executed
    std::shared_ptr<const TouchedBuffers> touched;  // null: not computed
    LaunchOutcome outcome;
    ptx::LaunchCounts counts() const {
      return {.visits = did->result.visits,
              .lanes = did->result.lanes,
              .accesses = did->result.counts,
              .faults = did->result.faults,
              .thread_instructions = did->result.thread_instructions,
              .time = did->time,
              .grid = shape.grid,
              .block = shape.block,
              .printed = did->result.printed};
    }
  };
  /// Says how the kernel runs from now on, if that has changed.
  void tell_compiling(const Ready& kernel) {
    if (!options.verbose) return;
    const std::string status = kernel.program.compiled->status(options.compile);
    if (std::exchange(told[&kernel], status) == status) return;
    fmt::print(stderr, "bankproof: {}: {}\n", kernel.name, status);
  }

  SessionOptions options;
  std::map<const Ready*, std::string> told;
  ptx::MachineRules rules;
  ptx::GlobalMemory memory;
  std::map<SharedKernelFile, std::uint32_t> modules;
  ptx::ReportBuilder builder;
  std::map<std::pair<SharedKernelFile, std::string>, Ready> ready;
  std::uint32_t launches = 0;
  ptx::WarpNumber first_of_launch = 0;  // the first warp of the latest launch
  Last last;
  Repeats repeats;
  bool needs_touched = false;
};

Session::Session(const SessionOptions& options) : state_(std::make_unique<State>(options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::uint32_t Session::add_buffer(const std::string& name, std::uint64_t bytes) {
  if (bytes == 0 || bytes > ptx::most_buffer_bytes) {
    throw ArgumentError(fmt::format("{} has {} bytes; a buffer has 1 to 2^36", name, bytes));
  }
  return state_->memory.add_buffer(name, bytes, false);
}

std::uint32_t Session::add_buffer(const std::string& name, std::span<const std::byte> contents) {
  const std::uint32_t buffer = add_buffer(name, contents.size());
  state_->memory.write(buffer, 0, contents);
  return buffer;
}

std::uint32_t Session::next_buffer() const {
  return static_cast<std::uint32_t>(state_->memory.size());
}

std::uint32_t Session::add_mapped_buffer(const std::string& name, std::span<std::byte> mapped) {
  return state_->memory.add_buffer(name, mapped.size(), mapped.data());
}

std::span<std::byte> Session::data(std::uint32_t buffer) { return state_->memory.data(buffer); }
std::span<const std::byte> Session::data(std::uint32_t buffer) const {
  return std::as_const(state_->memory).data(buffer);
}
void Session::define(std::uint32_t buffer) { state_->memory.define(buffer); }

void Session::write(std::uint32_t buffer, std::uint64_t offset, std::span<const std::byte> bytes) {
  state_->memory.write(buffer, offset, bytes);
}

void Session::copy(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
                   std::uint64_t from_offset, std::uint64_t bytes) {
  state_->memory.copy(to, to_offset, from, from_offset, bytes);
}

void Session::release(std::uint32_t buffer) {
  state_->repeats.release(state_->memory, buffer);
  state_->memory.release(buffer);
}

std::optional<std::pair<std::uint32_t, std::uint64_t>> Session::place(std::uint64_t address) {
  const std::uint64_t block = address >> ptx::buffer_shift;
  if (block == 0 || block > std::uint64_t{1} << 27) return {};
  return std::pair(static_cast<std::uint32_t>(block - 1),
                   address & ((std::uint64_t{1} << ptx::buffer_shift) - 1));
}

std::uint64_t Session::address(std::uint32_t buffer, std::uint64_t offset) {
  return ptx::buffer_address(buffer) + offset;
}

std::uint64_t Session::symbol_bytes(const SharedKernelFile& file, const std::string& name) const {
  return ptx::bytes_of(ptx::find_variable(file->module, name, name_of(*file)));
}

std::vector<std::byte> Session::symbol(const SharedKernelFile& file, const std::string& name) {
  ptx::GlobalMemory& memory = state_->memory;
  return ptx::read_variable(file->module, ptx::find_variable(file->module, name, name_of(*file)),
                            memory, memory.module(state_->module(file)));
}

void Session::set_symbol(const SharedKernelFile& file, const std::string& name,
                         std::span<const std::byte> bytes) {
  const ptx::Variable& variable = ptx::find_variable(file->module, name, name_of(*file));
  if (const std::uint64_t size = ptx::bytes_of(variable); size != bytes.size()) {
    throw ArgumentError(fmt::format("variable {} has {} bytes, not {}",
                                    ptx::demangled(variable.name), size, bytes.size()));
  }
  ptx::GlobalMemory& memory = state_->memory;
  ptx::write_variable(file->module, variable, memory, memory.module(state_->module(file)), bytes);
}

ptx::KernelReport Session::launch(const SharedKernelFile& file, const std::string& kernel,
                                  const ptx::LaunchShape& shape,
                                  std::span<const ArgumentBytes> arguments, bool is_reported) {
  run(file, kernel, shape, arguments, is_reported);
  return report_of_last_launch();
}

const LaunchOutcome& Session::run(const SharedKernelFile& file, const std::string& kernel,
                                  const ptx::LaunchShape& shape,
                                  std::span<const ArgumentBytes> arguments, bool is_reported) {
  require_shape(shape);
  const ptx::Function& function = ptx::find_kernel(file->module, kernel, name_of(*file));
  const Ready& ready = state_->kernel(file, function);
  const std::vector<std::byte> block =
      parameter_block(ptx::demangled(function.name), parameters_of(function), arguments);
  State::Last& last = state_->last;
  last = {};
  last.kernel = &ready;
  last.shape = shape;
  const ptx::RunOptions run = state_->run_options(file);
  const SessionOptions& options = state_->options;
  const bool may_repeat = !options.every_launch && options.observer == nullptr &&
                          options.schedule == 0 && !ready.program.differs_by_launch;
  if (may_repeat) {
    const LaunchKey key{.kernel = &ready,
                        .grid = shape.grid,
                        .block = shape.block,
                        .dynamic_shared_bytes = shape.dynamic_shared_bytes,
                        .parameters = block,
                        .variables = state_->memory.module(run.module).version,
                        .resident = run.resident,
                        .is_reported = is_reported};
    last.did = state_->repeats.find(key, state_->memory, state_->needs_touched);
    last.is_repeated = last.did != nullptr;
    if (last.is_repeated) last.touched = last.did->touched;
  }
  bool is_known = false;
  if (!last.is_repeated && may_repeat && ready.is_oblivious) {
    last.did = execute_known(ready, shape, block, run);
    is_known = last.did != nullptr;
    if (is_known) last.touched = last.did->touched;
  }
  if (last.did == nullptr) last.did = execute(ready, shape, block, run, may_repeat);
  last.outcome = {last.did->result.printed, last.did->time, last.did->result.faults.empty(),
                  last.is_repeated, is_known};
  if (is_reported) {
    state_->builder.add(*ready.reported, last.counts());
    if (last.is_repeated || is_known) {
      state_->builder.add_taken(ready.name, last.did->number, is_known);
    }
  }
  return last.outcome;
}

std::shared_ptr<const KeptLaunch> Session::execute(const Ready& kernel,
                                                   const ptx::LaunchShape& shape,
                                                   std::span<const std::byte> parameters,
                                                   const ptx::RunOptions& run, bool may_repeat) {
  ptx::GlobalMemory& memory = state_->memory;
  Repeats& repeats = state_->repeats;
  const auto did = std::make_shared<KeptLaunch>();
  memory.watch({});
  state_->first_of_launch = memory.next_warp();
  if (may_repeat) repeats.begin(memory, false);
  try {
    did->result = ptx::launch(kernel.program, shape, parameters, memory, run);
    did->time = ptx::time_on(state_->options.timed, Mode::overlapped, did->result.events,
                             state_->options.observer);
  } catch (const std::invalid_argument& error) {
    repeats.forget(memory);
    throw ArgumentError("launch of " + kernel.name + ": " + error.what());
  } catch (const Fault& fault) {
    repeats.forget(memory);
    throw ArgumentError(std::string("the machine: ") + fault.what());
  } catch (...) {
    repeats.forget(memory);
    throw;
  }
  state_->tell_compiling(kernel);
  did->result.events = {};
  did->number = state_->builder.launches();
  if (may_repeat) {
    repeats.end(memory, did);
  } else {
    repeats.forget(memory);
  }
  return did;
}

std::shared_ptr<const KeptLaunch> Session::execute_known(const Ready& kernel,
                                                         const ptx::LaunchShape& shape,
                                                         std::span<const std::byte> parameters,
                                                         ptx::RunOptions run) {
  ptx::GlobalMemory& memory = state_->memory;
  Repeats& repeats = state_->repeats;
  std::shared_ptr<const KeptLaunch> known = repeats.known(memory, state_->needs_touched);
  if (known == nullptr) return nullptr;
  memory.watch({});
  repeats.begin(memory, true);
  run.records = ptx::RaceRecording::none;
  run.record_events = false;
  ptx::LaunchResult result;
  bool has_ended = false;
  try {
    result = ptx::launch(kernel.program, shape, parameters, memory, run);
    has_ended = true;
  } catch (const std::exception&) {
    // The launch with records below throws again.
  }
  const bool is_same = has_ended && result.faults.empty() &&
                       result.visits == known->result.visits && result.lanes == known->result.lanes;
  if (!is_same) {
    memory.undo();
    return nullptr;
  }
  repeats.end(memory, known);
  return known;
}

ptx::KernelReport Session::report_of_last_launch() const {
  ptx::ReportBuilder alone(State::shown(state_->options));
  const State::Last& last = state_->last;
  if (last.did != nullptr) alone.add(last.kernel->name, last.kernel->origins, last.counts());
  return state_->report(alone);
}

void Session::place_symbol(const SharedKernelFile& file, const std::string& name,
                           std::uint32_t buffer) {
  const ptx::Variable& variable = ptx::find_variable(file->module, name, name_of(*file));
  ptx::ModuleMemory& variables = state_->memory.module(state_->module(file));
  variables.globals[variable.name] = buffer;
  ++variables.version;
}

std::uint32_t Session::buffer_of_symbol(const SharedKernelFile& file, const std::string& name) {
  const ptx::Variable& variable = ptx::find_variable(file->module, name, name_of(*file));
  symbol(file, name);  // gives the variable its buffer
  const auto& globals = state_->memory.module(state_->module(file)).globals;
  const auto found = globals.find(variable.name);
  if (found == globals.end()) {
    throw ArgumentError(ptx::demangled(variable.name) +
                        " is in constant memory, which has no address of its own");
  }
  return found->second;
}

LaunchState Session::state_before_launch(const SharedKernelFile& file, const std::string& kernel) {
  const ptx::Function& function = ptx::find_kernel(file->module, kernel, name_of(*file));
  ptx::GlobalMemory& memory = state_->memory;
  ptx::ModuleMemory& variables = memory.module(state_->module(file));
  ptx::place_globals(state_->kernel(file, function).program, memory, variables);
  LaunchState before;
  for (std::uint32_t number = 0; number < memory.size(); ++number) {
    const auto bytes = data(number);
    std::string name = memory[number].name;
    if (bytes.empty()) name.resize(name.size() - ptx::GlobalMemory::freed_ending.size());
    before.buffers.push_back({name, {bytes.begin(), bytes.end()}, memory.undefined(number)});
  }
  before.globals = variables.globals;
  before.constants = variables.constants;
  return before;
}

void Session::undefine(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes) {
  state_->memory.undefine(buffer, offset, bytes);
}

void Session::keep_touched(bool keeps) { state_->needs_touched = keeps; }

const TouchedBuffers& Session::touched_by_last_launch() {
  State::Last& last = state_->last;
  if (last.touched != nullptr) return *last.touched;
  // The numbers of warps may have begun again.
  if (state_->memory.next_warp() < state_->first_of_launch) state_->first_of_launch = 1;
  const auto all = std::make_shared<TouchedBuffers>();
  for (const std::uint32_t number : state_->memory.live()) {
    auto touched = ptx::touched_since(state_->memory[number], state_->first_of_launch);
    if (!touched.empty()) all->emplace(number, std::move(touched));
  }
  last.touched = all;
  if (!last.is_repeated) state_->repeats.set_touched(all);
  return *last.touched;
}

void Session::set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule) {
  state_->options.resident_blocks = resident_blocks;
  state_->options.schedule = schedule;
}

ptx::KernelReport Session::report() const { return state_->report(state_->builder); }

}  // namespace bankproof::cuda
