// Children depth first; see grid_tree.hpp.
#include "grid_tree.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "../syntax/cpp_names.hpp"
#include "default_floats.hpp"
#include "launch_checks.hpp"
#include "module_variables.hpp"
#include "run_blocks.hpp"

namespace bankproof::ptx {

namespace {

std::string error_name(DeviceError error) {
  switch (error) {
    case DeviceError::success:
      return "cudaSuccess";
    case DeviceError::invalid_value:
      return "cudaErrorInvalidValue";
    case DeviceError::memory_allocation:
      return "cudaErrorMemoryAllocation";
    case DeviceError::invalid_configuration:
      return "cudaErrorInvalidConfiguration";
    case DeviceError::invalid_device_function:
      return "cudaErrorInvalidDeviceFunction";
    case DeviceError::launch_too_deep:
      return "cudaErrorLaunchMaxDepthExceeded";
    case DeviceError::too_many_pending:
      return "cudaErrorLaunchPendingCountExceeded";
    case DeviceError::invalid_resource:
      return "cudaErrorInvalidResourceHandle";
  }
  return "an error";
}

}  // namespace

GridTree::GridTree(const Family& family, LaunchMemory& launch, const RunOptions& options)
    : family_(family), launch_(launch), options_(options) {
  ModuleMemory& module = launch.global->module(options.module);
  for (const Family::Kernel& kernel : family.kernels) {
    Ready& made = ready_.emplace_back();
    if (kernel.program == nullptr) continue;
    made.globals = place_globals(*kernel.program, *launch.global, module);
    made.constants = constants_of(*kernel.program, made.globals, module);
    if (options.compile.when != CompileOptions::When::never) {
      kernel.program->compiled->consider(*kernel.program, options.compile, 0);
    }
  }
}

DeviceQueue GridTree::begin() {
  pending_ = 0;
  instructions_ = 0;
  stopped_ = false;
  random_.seed(options_.schedule);
  children_.assign(family_.kernels.size(), {});
  grids_.clear();
  faults_ = {};
  printed_.clear();
  DeviceQueue queue;
  queue.family = &family_;
  queue.pending = &pending_;
  queue.most_pending = options_.most_pending;
  return queue;
}

void GridTree::run(DeviceQueue& queue, std::uint64_t instructions) {
  instructions_ = instructions;
  perform({&queue, launch_.first_of_launch, {}});
}

void GridTree::perform(const Ended& grid) {
  tell_failures(*grid.queue);
  std::map<DeviceStream, Clock> streams;
  std::map<std::uint64_t, Clock> events;
  for (const DeviceWork* const work : order_of(*grid.queue)) {
    if (stopped_) return;
    Clock& stream = streams[work->stream];
    switch (work->kind) {
      case DeviceWork::Kind::record:
        events[work->event] = stream;
        break;
      case DeviceWork::Kind::wait:
        stream = stream.joined(events[work->event]);
        break;
      case DeviceWork::Kind::launch:
        const bool follows = work->stream.kind != DeviceStream::Kind::fire_and_forget;
        const Clock known = follows ? work->known.joined(stream) : work->known;
        stream = run_child(*work, known, grid.queue->depth + 1);
        break;
    }
  }
  for (const DeviceWork& work : grid.queue->tail) {
    if (stopped_) return;
    const Clock all = Clock::of_warps(grid.first, launch_.global->next_warp());
    run_child(work, grid.known.joined(all).joined(work.known), grid.queue->depth + 1);
  }
}

std::vector<const DeviceWork*> GridTree::order_of(const DeviceQueue& queue) {
  std::vector<const DeviceWork*> order;
  order.reserve(queue.work.size());
  if (options_.schedule == 0) {
    for (const DeviceWork& work : queue.work) order.push_back(&work);
    return order;
  }
  // Each launch that follows nothing has a lane of its own. A wait comes after the record that it
  // waits for, and a record before the waits for earlier records of its event.
  std::map<std::pair<DeviceStream, std::size_t>, std::deque<const DeviceWork*>> lanes;
  std::map<std::uint64_t, std::deque<const DeviceWork*>> of_events;
  for (std::size_t k = 0; k < queue.work.size(); ++k) {
    const DeviceWork& work = queue.work[k];
    const bool alone = work.stream.kind == DeviceStream::Kind::fire_and_forget;
    lanes[{work.stream, alone ? k : 0}].push_back(&work);
    if (work.kind != DeviceWork::Kind::launch) of_events[work.event].push_back(&work);
  }
  const auto may_begin = [&](const DeviceWork* work) {
    return work->kind == DeviceWork::Kind::launch || of_events[work->event].front() == work;
  };
  while (!lanes.empty()) {
    std::vector<decltype(lanes)::iterator> ready;
    for (auto lane = lanes.begin(); lane != lanes.end(); ++lane) {
      if (may_begin(lane->second.front())) ready.push_back(lane);
    }
    const auto lane = ready[random_() % ready.size()];
    const DeviceWork* const work = lane->second.front();
    order.push_back(work);
    if (work->kind != DeviceWork::Kind::launch) of_events[work->event].pop_front();
    lane->second.pop_front();
    if (lane->second.empty()) lanes.erase(lane);
  }
  return order;
}

Clock GridTree::run_child(const DeviceWork& work, const Clock& known, std::uint32_t depth) {
  const Family::Kernel& kernel = *work.kernel;
  --pending_;
  grids_.push_back({index_of(kernel), work.by, work.site, work.shape.grid, work.shape.block});
  const auto number = options_.launch + static_cast<std::uint32_t>(grids_.size());
  start_grid(launch_, {kernel.name, number, work.shape.grid, work.shape.block, 0, 0}, known);
  const WarpNumber first = launch_.first_warp;
  DeviceQueue queue;
  queue.family = &family_;
  queue.depth = depth;
  queue.pending = &pending_;
  queue.most_pending = options_.most_pending;
  run_blocks_of(work, number, queue);
  if (!stopped_) perform({&queue, first, known});
  return known.joined(Clock::of_warps(first, launch_.global->next_warp()));
}

void GridTree::run_blocks_of(const DeviceWork& work, std::uint32_t number, DeviceQueue& queue) {
  const DefaultFloats floats;
  const Program& program = *work.kernel->program;
  const Ready& ready = ready_[index_of(*work.kernel)];
  launch_.parameters = work.parameters;
  launch_.constants = ready.constants;
  const FrameImages images(program, work.shape, number, work.parameters, ready.globals);
  WorkerRun run(program, work.shape, images, launch_, options_.rules);
  if (program.launches) run.device = &queue;
  run.resident = program.communicates ? std::max(1U, options_.resident) : 1;
  check_memory(program, work.shape, std::min(work.shape.blocks(), run.resident));
  run.schedule = options_.schedule;
  if (options_.most_instructions != 0) {
    const std::uint64_t used = std::min(instructions_, options_.most_instructions - 1);
    run.most_instructions = options_.most_instructions - used;
  }
  run.compile = options_.compile;
  run.mixed.seed(options_.compile.mixed + number);
  LaunchEvents events{
      work.shape.blocks(), work.shape.threads(), shared_bytes(program, work.shape), {}, {}};
  if (options_.time_of) {
    events.warps.resize(work.shape.blocks() * work.shape.warps());
    run.lists = std::make_shared<EventStore>();
    events.stores.push_back(run.lists);
    run.events = &events;
  }
  BlockShares shares(work.shape.blocks(), 1);
  run_blocks(run, shares, work.shape.blocks(), [] {});
  if (options_.compile.when == CompileOptions::When::earned) run.consider_compiling();
  collect(*work.kernel, run);
  if (options_.time_of) children_[index_of(*work.kernel)].time += options_.time_of(events);
}

void GridTree::collect(const Family::Kernel& kernel, WorkerRun& run) {
  ChildCounts& counts = children_[index_of(kernel)];
  const std::vector<Site>& sites = run.program.sites;
  counts.counts.add(run.worker.costs.counts());
  counts.visits.resize(family_.sites.size());
  counts.lanes.resize(family_.sites.size());
  for (std::size_t k = run.program.first_site; k < sites.size(); ++k) {
    counts.visits[k] += run.counts[sites[k].block].visits;
    counts.lanes[k] += run.counts[sites[k].block].lanes;
  }
  const std::uint64_t instructions = run.instructions();
  counts.thread_instructions += instructions;
  instructions_ += instructions;
  ++counts.launches;
  faults_.join(run.worker.faults);
  const PrintedTexts* const printed = &run.printed;
  printed_ += in_order_of_blocks({&printed, 1});
  stopped_ = stopped_ || run.stopped;
}

void GridTree::tell_failures(const DeviceQueue& queue) {
  for (const auto& entry : queue.threads) {
    const DeviceThread& thread = entry.second;
    if (thread.failed_at == no_site) continue;
    faults_.add(FaultKind::unchecked_error, thread.failed_at, no_site, thread.name, [&] {
      return thread.why + ": " + error_name(thread.last) +
             ", and the thread has not asked for its last error";
    });
  }
}

std::size_t GridTree::index_of(const Family::Kernel& kernel) const {
  return static_cast<std::size_t>(&kernel - family_.kernels.data());
}

void GridTree::add_to(LaunchResult& result) {
  result.faults.join(faults_);
  result.printed += printed_;
  result.grids = std::move(grids_);
  for (std::size_t k = 0; k < children_.size(); ++k) {
    children_[k].kernel = family_.kernels[k].name;
  }
  result.children = std::move(children_);
}

}  // namespace bankproof::ptx
