// Runs blocks in order, some of them at a time, on one or several threads of this program.
#include "launch.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "../memory/synchronization.hpp"
#include "../memory/worker_records.hpp"
#include "../syntax/error.hpp"
#include "default_floats.hpp"
#include "grid_tree.hpp"
#include "launch_checks.hpp"
#include "module_variables.hpp"
#include "run_blocks.hpp"

namespace bankproof::ptx {

namespace {

struct Runs {
  std::vector<std::unique_ptr<WorkerRun>> workers;
  bool any_fault() const {
    return std::any_of(workers.begin(), workers.end(),
                       [](const auto& run) { return run->stopped || !run->worker.faults.empty(); });
  }
  /// Whether all workers together are over the limit, even if no single worker is.
  bool over_limit(std::uint64_t most_instructions) const {
    std::uint64_t all = 0;
    for (const auto& run : workers) all += run->instructions();
    return most_instructions != 0 && all > most_instructions;
  }
};

// How many host threads should run the rest of a launch, which one thread has begun: one for each
// time `alone` that the rest will probably take on one thread. Blocks mostly take equally long.
class Helpers {
 public:
  Helpers(std::uint64_t blocks, std::uint64_t workers, std::chrono::nanoseconds alone)
      : blocks_(blocks), workers_(workers), alone_(alone) {}

  std::uint64_t workers(std::uint64_t blocks_left) const {
    if (blocks_left == 0) return 1;
    if (alone_.count() == 0) return workers_;
    const std::chrono::duration<double> taken = Clock::now() - began_;
    const auto begun = static_cast<double>(blocks_ - blocks_left);
    const double rest = taken.count() / begun * static_cast<double>(blocks_left);
    const double worth = rest / std::chrono::duration<double>(alone_).count();
    return worth < static_cast<double>(workers_) ? 1 + static_cast<std::uint64_t>(worth) : workers_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t blocks_;
  std::uint64_t workers_;
  std::chrono::nanoseconds alone_;
  Clock::time_point began_ = Clock::now();
};

// The first worker runs on this thread. `add(n)` prepares the launch for n workers. `make(k)` makes
// worker k and is called on its thread: the memory of different threads has no common cache lines.
template <class Add, class Make>
void run_all(Runs& runs, const Add& add, const Make& make, std::uint64_t workers,
             std::uint64_t blocks, std::chrono::nanoseconds alone) {
  BlockShares shares(blocks, workers);
  std::vector<std::exception_ptr> errors(workers);
  std::vector<std::thread> threads;
  const auto run = [&](std::size_t k, const auto& turned) {
    const DefaultFloats floats;
    try {
      runs.workers[k] = make(k);
      run_blocks(*runs.workers[k], shares, blocks, turned);
    } catch (...) {
      errors[k] = std::current_exception();
    }
  };
  const Helpers helpers(blocks, workers, alone);
  add(1);
  run(0, [&] {
    if (workers == 1 || !threads.empty()) return;
    const std::uint64_t worth = helpers.workers(shares.left());
    if (worth == 1) return;
    add(worth);
    for (std::size_t k = 1; k < worth; ++k) threads.emplace_back([&run, k] { run(k, [] {}); });
  });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

LaunchResult result_of(const Program& program, const Runs& runs, LaunchEvents events) {
  LaunchResult result;
  result.events = std::move(events);
  std::vector<BlockCount> counts(program.block_sites.size());
  for (const auto& run : runs.workers) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      counts[k].visits += run->counts[k].visits;
      counts[k].lanes += run->counts[k].lanes;
    }
    result.counts.add(run->worker.costs.counts());
    result.faults.join(run->worker.faults);
  }
  std::vector<const PrintedTexts*> printed;
  printed.reserve(runs.workers.size());
  for (const auto& run : runs.workers) printed.push_back(&run->printed);
  result.printed = in_order_of_blocks(printed);
  const std::size_t sites =
      program.family == nullptr ? program.sites.size() : program.family->sites.size();
  result.visits.reserve(sites);
  result.lanes.reserve(sites);
  for (const Site& site : program.sites) {
    result.visits.push_back(counts[site.block].visits);
    result.lanes.push_back(counts[site.block].lanes);
  }
  result.visits.resize(sites);
  result.lanes.resize(sites);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    result.thread_instructions += counts[k].lanes * program.block_sites[k];
  }
  return result;
}

}  // namespace

LaunchResult launch(const Program& program, const LaunchShape& shape,
                    std::span<const std::byte> parameters, GlobalMemory& memory,
                    const RunOptions& options) {
  check_launch(program, shape, parameters.size());
  ModuleMemory& module = memory.module(options.module);
  const std::vector<std::uint64_t> globals = place_globals(program, memory, module);
  const FrameImages images(program, shape, options.launch, parameters, globals);
  LaunchMemory shared;
  shared.global = &memory;
  const std::vector<std::byte> constants = constants_of(program, globals, module);
  shared.short_ways = options.short_ways;
  shared.records = options.records;
  if (shared.records == RaceRecording::merged && *program.merging_misleads) {
    shared.records = RaceRecording::sectors;
  }
  shared.precise = program.precise;
  shared.copies = program.copies;
  shared.kernel = program.entry;
  shared.device = options.device;
  const std::uint32_t resident = program.communicates ? std::max(1U, options.resident) : 1;
  std::uint64_t workers = std::clamp<std::uint64_t>(options.threads, 1, shape.blocks());
  // Whether an allocation succeeds, and where it lies, depends on those before it. One worker makes
  // them in the same order in every run.
  bool uses_heap = program.uses_heap;
  std::optional<GridTree> tree;
  if (program.family != nullptr) {
    shared.launches = true;
    for (const Family::Kernel& kernel : program.family->kernels) {
      if (kernel.program == nullptr) continue;
      shared.copies = shared.copies || kernel.program->copies;
      uses_heap = uses_heap || kernel.program->uses_heap;
    }
    tree.emplace(*program.family, shared, options);
  }
  if (program.communicates || uses_heap || tree) workers = 1;
  if (uses_heap) memory.heap().is_used = true;
  check_memory(program, shape, std::min(shape.blocks(), resident * workers));
  shared.several = workers > 1;
  DeviceQueue queue;
  for (;;) {
    shared.number = options.launch;
    shared.grid = shape.grid;
    shared.block = shape.block;
    shared.constants = constants;
    shared.parameters.assign(parameters.begin(), parameters.end());
    if (tree) queue = tree->begin();
    start_launch(shared, shape.blocks(), shape.threads());
    Runs runs;
    LaunchEvents events{shape.blocks(), shape.threads(), shared_bytes(program, shape), {}, {}};
    if (options.record_events) events.warps.resize(shape.blocks() * shape.warps());
    const auto add = [&](std::size_t count) {
      runs.workers.resize(count);
      events.stores.resize(options.record_events ? count : 0);
      shared.workers = static_cast<std::uint32_t>(count);
      make_records(memory, count);
    };
    const auto make = [&](std::size_t k) {
      auto run = std::make_unique<WorkerRun>(program, shape, images, shared, options.rules);
      run->worker.number = static_cast<std::uint32_t>(k);
      run->resident = resident;
      run->schedule = options.schedule;
      if (tree) run->device = &queue;
      run->most_instructions = options.most_instructions;
      if (options.record_events) {
        run->events = &events;
        run->lists = std::make_shared<EventStore>();
        events.stores[k] = run->lists;
      }
      run->compile = options.compile;
      run->mixed.seed(options.compile.mixed + k + 1);
      return run;
    };
    if (options.compile.when != CompileOptions::When::never) {
      program.compiled->consider(program, options.compile, 0);
    }
    try {
      run_all(runs, add, make, workers, shape.blocks(), options.alone);
      if (tree && !runs.workers.front()->stopped) {
        tree->run(queue, runs.workers.front()->instructions());
      }
    } catch (const std::length_error& error) {  // more children than there are numbers of warps
      throw Error(std::string("unsupported: ") + error.what(), program.file,
                  program.sites.empty() ? Place{} : program.sites.front().place);
    } catch (const TimeIsOver& error) {
      throw Error(std::string("unsupported: ") + error.what(), program.file,
                  program.sites.empty() ? Place{} : program.sites.front().place);
    }
    for (const auto& run : runs.workers) {
      if (options.compile.when == CompileOptions::When::earned) run->consider_compiling();
    }
    // If there are faults, or accesses of two workers conflict, one worker repeats the launch,
    // takes the blocks in order and reports the faults.
    const bool again =
        shared.workers > 1 && (runs.any_fault() || runs.over_limit(options.most_instructions) ||
                               workers_conflict(shared));
    if (!again && !undecided(shared)) {
      LaunchResult result = result_of(program, runs, std::move(events));
      if (tree) tree->add_to(result);
      return result;
    }
    if (!again && shared.workers == 1 && shared.records == RaceRecording::merged) {
      *program.merging_misleads = true;
    }
    repeat_launch(shared);
    workers = 1;
  }
}

}  // namespace bankproof::ptx
