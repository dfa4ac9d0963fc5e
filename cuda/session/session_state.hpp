// What a session keeps: decoded kernels, memory, launches that may repeat, and the report. Only for
// the sources of session.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../ptx/exec/compiled_code.hpp"
#include "../../ptx/exec/family.hpp"
#include "../../ptx/exec/launch.hpp"
#include "../../ptx/timing/replay.hpp"
#include "repeats.hpp"
#include "session.hpp"

namespace bankproof::cuda {

/// The file's name in messages.
inline const std::string& name_of(const KernelFile& file) {
  return file.source.empty() ? file.module.file : file.source;
}

// A decoded kernel, its name in reports, and the origins of its instructions.
struct Session::Ready {
  Ready(const KernelFile& file, const ptx::Function& kernel);

  ptx::Program program;
  std::string name;
  std::vector<ptx::Origin> origins;
  std::unique_ptr<ptx::ReportBuilder::Kernel> reported;  // in the session's report
  bool is_oblivious = false;                             // Repeats::known()
  // The kernels that kernels may launch then, by Family::kernels.
  std::vector<std::string> child_names;
  std::vector<std::unique_ptr<ptx::ReportBuilder::Kernel>> children;
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
    // The system reads a file to count its processors.
    static const std::uint32_t processors = std::max(1U, std::thread::hardware_concurrency());
    run.threads = options.threads != 0 ? options.threads : processors;
    run.alone = ptx::worth_a_thread;
    if (options.resident_blocks != 0) {
      run.resident = static_cast<std::uint32_t>(options.resident_blocks);
    }
    run.launch = launches++;
    run.most_instructions = options.max_instructions;
    run.schedule = options.schedule;
    run.module = module(file);
    run.record_events = true;
    run.most_pending = most_pending;
    run.device = device;
    run.time_of = [this](const ptx::LaunchEvents& events) {
      return ptx::time_on(options.timed, Mode::overlapped, events);
    };
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
    std::uint32_t first = 0;                        // ptx::RunOptions::launch
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
              .printed = did->result.printed,
              .first = first,
              .grids = did->result.grids,
              .kernels = kernel->child_names};
    }
    /// Those of all grids of a kernel that kernels launched.
    static ptx::LaunchCounts counts(const ptx::ChildCounts& child) {
      static const ptx::FaultLog none;  // the faults are those of the launch
      return {.visits = child.visits,
              .lanes = child.lanes,
              .accesses = child.counts,
              .faults = none,
              .thread_instructions = child.thread_instructions,
              .time = child.time,
              .launches = child.launches};
    }
    /// Adds the launch, and those of its children; `add_child(k, counts)` adds the children of
    /// kernel k.
    template <class AddChild>
    void add_to(ptx::ReportBuilder& to, ptx::ReportBuilder::Kernel& its,
                const AddChild& add_child) const {
      to.add(its, counts());
      to.add_parents(kernel->name, counts());
      const std::vector<ptx::ChildCounts>& children = did->result.children;
      for (std::size_t k = 0; k < children.size(); ++k) {
        if (children[k].launches != 0) add_child(k, counts(children[k]));
      }
    }
  };

  /// Says how the kernel, and those that its kernels launched, run from now on, if that has
  /// changed.
  void tell_compiling(const Ready& kernel, const ptx::LaunchResult& result) {
    if (!options.verbose) return;
    tell_compiling(kernel.program, kernel.name);
    for (std::size_t k = 0; k < result.children.size(); ++k) {
      if (result.children[k].launches == 0) continue;
      tell_compiling(*kernel.program.family->kernels[k].program,
                     fmt::format("{}, child of {}", kernel.child_names[k], kernel.name));
    }
  }
  void tell_compiling(const ptx::Program& program, const std::string& name) {
    const std::string status = program.compiled->status(options.compile);
    if (std::exchange(told[&program], status) == status) return;
    fmt::print(stderr, "bankproof: {}: {}\n", name, status);
  }

  SessionOptions options;
  std::map<const ptx::Program*, std::string> told;
  ptx::MachineRules rules;
  ptx::GlobalMemory memory;
  std::map<SharedKernelFile, std::uint32_t> modules;
  ptx::ReportBuilder builder;
  std::map<std::pair<SharedKernelFile, std::string>, Ready> ready;
  std::uint32_t launches = 0;
  std::uint64_t most_pending = 2048;    // ptx::RunOptions::most_pending
  std::uint32_t device = 0;             // ptx::RunOptions::device
  ptx::WarpNumber first_of_launch = 0;  // the first warp of the latest launch
  Last last;
  Repeats repeats;
  bool needs_touched = false;
};

}  // namespace bankproof::cuda
