// Runs blocks in order, some of them at a time, on one or several threads of this program.
#include "launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

#include "../memory/synchronization.hpp"
#include "../memory/worker_records.hpp"
#include "../syntax/error.hpp"
#include "block_run.hpp"
#include "limits.hpp"
#include "module_variables.hpp"
#include "repetition.hpp"
#include "shares.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::uint64_t most_warps_of_launch = most_warps - 2;  // GlobalMemory::take_warps

void check(const Program& program, const LaunchShape& shape, std::size_t parameter_bytes) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
  if (parameter_bytes != program.parameter_bytes) {
    refuse("its parameters have " + std::to_string(program.parameter_bytes) + " bytes, not " +
           std::to_string(parameter_bytes));
  }
  check_shape(shape);
  // In a kernel with copies, each warp takes two numbers: its own and that of its copier.
  const std::uint64_t most_here = most_warps_of_launch / (program.copies ? 2 : 1);
  if (shape.blocks() > most_here / shape.warps()) {
    refuse("the machine runs at most " + std::to_string(most_here) +
           " warps a launch, and these are " + std::to_string(shape.blocks()) + " blocks of " +
           std::to_string(shape.warps()) + (shape.warps() == 1 ? " warp" : " warps") +
           "; a part of the grid shows the same");
  }
  if (!program.most_threads.empty()) {
    for (std::size_t k = 0; k < shape.block.size() && program.requires_shape; ++k) {
      const std::uint64_t extent = k < program.most_threads.size() ? program.most_threads[k] : 1;
      if (shape.block[k] == extent) continue;
      refuse("it is compiled for blocks of " + std::to_string(extent) + " threads in " + "xyz"[k] +
             ", not " + std::to_string(shape.block[k]));
    }
    std::uint64_t most = 1;
    for (const std::uint64_t extent : program.most_threads) {
      most *= std::min<std::uint64_t>(extent, most_threads_of_block);
    }
    if (volume(shape.block) > most) {
      refuse("it is compiled for blocks of at most " + std::to_string(most) + " threads, not " +
             std::to_string(volume(shape.block)));
    }
  }
  const std::uint64_t shared = shared_bytes(program, shape);
  if (shared > most_shared_bytes) {
    refuse(std::to_string(shared) + " bytes of shared memory, " +
           std::to_string(shared - shape.dynamic_shared_bytes) + " of the kernel's own and " +
           std::to_string(shape.dynamic_shared_bytes) + " of the launch; no chip has more than " +
           std::to_string(most_shared_bytes) + " a block");
  }
}

// Refuses a launch if the local memory and registers of the blocks that run at the same time exceed
// this computer's memory, as a hostile kernel could try.
void check_memory(const Program& program, const LaunchShape& shape, std::uint64_t blocks) {
  const std::uint64_t of_warp =
      warp_lanes * program.local_bytes + program.functions.front()->frame_bytes;
  const std::uint64_t all = blocks * shape.warps() * of_warp;
  const auto here = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                    static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  if (all <= here) return;
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  throw std::invalid_argument(
      "local memory and registers of " + std::to_string(blocks) + " blocks at a time need " +
      std::to_string(all / mebibyte) + " MiB, more than the " + std::to_string(here / mebibyte) +
      " MiB of this machine; let fewer run (--resident), or give the kernel a buffer instead");
}

// The order in which blocks begin; CUDA promises no order. It is the order of the block numbers or,
// with a schedule, a random order: a·k + b modulo the number of blocks.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t blocks, std::uint64_t schedule) : blocks_(blocks) {
    if (schedule == 0) return;
    std::mt19937_64 random(schedule);
    first_ = random() % blocks;
    do {
      step_ = 1 + random() % blocks;
    } while (std::gcd(step_, blocks) != 1);
  }
  std::uint64_t operator[](std::uint64_t k) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{k} * step_ + first_) % blocks_);
  }

 private:
  std::uint64_t blocks_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;
};

// Runs blocks, up to `run.resident` at a time, until no block is left to take and all blocks taken
// have ended. Calls `turned` each time that all running blocks have had a turn.
template <class Turned>
void run_blocks(WorkerRun& run, BlockShares& shares, std::uint64_t blocks, const Turned& turned) {
  const BlockOrder order(blocks, run.schedule);
  std::vector<std::unique_ptr<BlockRun>> places;
  std::vector<BlockRun*> active;
  const auto start_next = [&](BlockRun& block) {
    const std::optional<std::uint64_t> number = shares.take(run.worker.number);
    if (number) block.start(order[*number]);
    return number.has_value();
  };
  while (places.size() < run.resident) {
    places.push_back(std::make_unique<BlockRun>(run));
    if (!start_next(*places.back())) break;
    active.push_back(places.back().get());
  }
  constexpr std::uint32_t turns_between = 64;  // of blocks, from one look at the counts to the next
  std::uint32_t turns_left = turns_between;
  Repetition repetition;
  std::mt19937_64 random(run.schedule);
  std::vector<BlockRun*> turns;
  while (!active.empty() && !run.stopped) {
    turns = active;
    if (run.schedule != 0) std::shuffle(turns.begin(), turns.end(), random);
    for (BlockRun* const block : turns) {
      const bool goes_on = block->take_turns();
      if (run.compile.when == CompileOptions::When::earned && --turns_left == 0) {
        turns_left = turns_between;
        run.consider_compiling();
      }
      if (run.stopped) break;
      if (run.over_limit()) {
        block->tell_over_limit();
        run.stopped = true;
      } else if (!goes_on && !block->ended()) {
        block->tell_deadlock();
        run.stopped = true;
      } else if (!goes_on && !start_next(*block)) {
        std::erase(active, block);
      }
      if (run.stopped) break;
    }
    if (run.stopped) break;
    turned();
    if (!repetition.found(active, run.worker.changes)) continue;
    bool any = false;
    for (BlockRun* const block : active) any = block->let_go_on_alone() || any;
    if (any) continue;
    for (BlockRun* const block : active) block->tell_deadlock(shares.left());
    run.stopped = true;
  }
  for (const auto& block : places) block->keep_events();
}

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
  result.counts.resize(program.sites.size());
  for (const auto& run : runs.workers) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      counts[k].visits += run->counts[k].visits;
      counts[k].lanes += run->counts[k].lanes;
    }
    const std::vector<AccessCounts>& accesses = run->worker.costs.counts();
    for (std::size_t k = 0; k < accesses.size(); ++k) result.counts[k].add(accesses[k]);
    result.faults.join(run->worker.faults);
  }
  std::vector<const PrintedTexts*> printed;
  printed.reserve(runs.workers.size());
  for (const auto& run : runs.workers) printed.push_back(&run->printed);
  result.printed = in_order_of_blocks(printed);
  for (const Site& site : program.sites) {
    result.visits.push_back(counts[site.block].visits);
    result.lanes.push_back(counts[site.block].lanes);
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    result.thread_instructions += counts[k].lanes * program.block_sites[k];
  }
  return result;
}

}  // namespace

LaunchResult launch(const Program& program, const LaunchShape& shape,
                    std::span<const std::byte> parameters, GlobalMemory& memory,
                    const RunOptions& options) {
  check(program, shape, parameters.size());
  ModuleMemory& module = memory.module(options.module);
  const std::vector<std::uint64_t> globals = place_globals(program, memory, module);
  const FrameImages images(program, shape, options.launch, parameters, globals);
  LaunchMemory shared;
  shared.global = &memory;
  shared.constants = constants_of(program, globals, module);
  shared.parameters.assign(parameters.begin(), parameters.end());
  shared.short_ways = options.short_ways;
  shared.records = options.records;
  if (shared.records == RaceRecording::merged && *program.merging_misleads) {
    shared.records = RaceRecording::sectors;
  }
  shared.precise = program.precise;
  shared.copies = program.copies;
  shared.number = options.launch;
  shared.grid = shape.grid;
  shared.block = shape.block;
  const std::uint32_t resident = program.communicates ? std::max(1U, options.resident) : 1;
  std::uint64_t workers = std::clamp<std::uint64_t>(options.threads, 1, shape.blocks());
  // Whether an allocation succeeds, and where it lies, depends on those before it. One worker makes
  // them in the same order in every run.
  if (program.communicates || program.uses_heap) workers = 1;
  if (program.uses_heap) memory.heap().is_used = true;
  check_memory(program, shape, std::min(shape.blocks(), resident * workers));
  shared.several = workers > 1;
  for (;;) {
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
    if (!again && !undecided(shared)) return result_of(program, runs, std::move(events));
    if (!again && shared.workers == 1 && shared.records == RaceRecording::merged) {
      *program.merging_misleads = true;
    }
    repeat_launch(shared);
    workers = 1;
  }
}

}  // namespace bankproof::ptx
