// Launches of a session: executed and judged, executed for their results alone, or not executed.
#include "../../ptx/exec/limits.hpp"
#include "../../ptx/report/function_names.hpp"
#include "../../ptx/report/text.hpp"
#include "session_state.hpp"

namespace bankproof::cuda {

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
  last.first = run.launch;
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
                        .objects = state_->memory.images().version(),
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
  state_->launches += static_cast<std::uint32_t>(last.did->result.grids.size());
  Time time = last.did->time;
  for (const ptx::ChildCounts& child : last.did->result.children) time += child.time;
  last.outcome = {last.did->result.printed, time, last.did->result.faults.empty(), last.is_repeated,
                  is_known};
  if (is_reported) {
    ptx::ReportBuilder& builder = state_->builder;
    last.add_to(builder, *ready.reported, [&](std::size_t k, const ptx::LaunchCounts& counts) {
      builder.add(*ready.children[k], counts);
    });
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
  memory.images().take_used();
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
  state_->tell_compiling(kernel, did->result);
  did->result.events = {};
  did->number = state_->builder.launches();
  did->objects = memory.images().take_used();
  if (may_repeat) {
    repeats.end(memory, did);
  } else {
    repeats.forget(memory);
  }
  // Launches that touched what this launch has freed must not repeat.
  if (kernel.program.uses_heap) memory.keep();
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
  if (last.did != nullptr) {
    const Ready& ready = *last.kernel;
    ptx::ReportBuilder::Kernel its(ready.name, ready.origins);
    last.add_to(alone, its, [&](std::size_t k, const ptx::LaunchCounts& counts) {
      alone.add(ready.child_names[k], ready.origins, counts);
    });
  }
  return state_->report(alone);
}

ptx::KernelReport Session::faults_of_last_launch() const {
  ptx::ReportBuilder alone(State::shown(state_->options));
  const State::Last& last = state_->last;
  if (last.did != nullptr) alone.add_faults(*last.kernel->reported, last.counts());
  return state_->report(alone);
}

const std::vector<std::uint64_t>& Session::objects_of_last_launch() const {
  return state_->last.did->objects;
}

ptx::ImageObjects& Session::images() { return state_->memory.images(); }

void Session::set_pending_launches(std::uint64_t most) { state_->most_pending = most; }
void Session::set_device(std::uint32_t device) { state_->device = device; }

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

}  // namespace bankproof::cuda
