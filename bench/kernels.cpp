// Measures how fast kernels run with all checks on: thread instructions and thread memory accesses
// per second of processor time. One run of the program runs all rows, one after another; judge by
// the ratios of rows.
//
//   KERNEL/portable   the rows compiled at this level; earlier launches have used the buffers
//   KERNEL/avx2       the same, compiled at the level avx2
//   KERNEL/compiled   the same, compiled by LLVM before the first launch
//   KERNEL/cold       the first launch on new buffers
//   KERNEL/threads:2  blocks on two threads, in wall-clock seconds
//   KERNEL/session    the first launch of the C++ API, with the machine's time
//   KERNEL/timed      a later launch of the C++ API on the same buffers, with the machine's time
//   KERNEL/identical  a later launch of the C++ API that is not executed, since it repeats another
//   KERNEL/known      a later launch of the C++ API on other values; the launches of an oblivious
//                     kernel are judged once
//   KERNEL/plain      a plain loop on arrays of the host, which checks nothing
//   KERNEL/prototype  the prototype, if it is built in
//
//   launch/warm       one warp that writes a word a thread: what a launch costs
//   large launch/warm the same by a kernel that has 40,000 other instructions
//   warps/warm        warps that have nothing to do: what the start of a warp costs
//   launch/chip       one warp whose accesses a chip's rules price
//   launch/timed, warps/timed   the same by the C++ API, with the machine's time
//   arithmetic/decode           from a parsed kernel to its program
//
// All but portable and plain run at the best level of this processor.
//
// Targets (one core, portable): 1 G instructions/s of arithmetic, 4 G with AVX2; 80 M accesses/s
// coalesced and shared, 25 M random; the transpose of 2048² words in 0.3 s. `memory` is all memory
// of the process, buffers included, as a multiple of the buffers' bytes: at most 6.
//
// bench/kernels/table runs this program and writes the table of docs/benchmarks.md.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../cuda/session/session.hpp"
#include "../ptx/exec/compiled_code.hpp"
#include "../ptx/exec/launch.hpp"
#include "../ptx/syntax/parser.hpp"
#include "kernels/peak.hpp"
#include "kernels/plain.hpp"
#include "kernels/prototype.hpp"
#include "kernels/workloads.hpp"

namespace bench {
namespace {

using namespace bankproof;

std::span<const std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
  return std::as_bytes(std::span(words));
}

ptx::LaunchShape shape_of(const Workload& work) {
  ptx::LaunchShape shape;
  shape.grid = {work.grid_x, work.grid_y, 1};
  shape.block = {work.block_x, work.block_y, 1};
  return shape;
}

const ptx::Module& module() {
  static const ptx::Module parsed = ptx::parse(kernels_text(), "kernels.ptx");
  return parsed;
}

bool has_values(const Workload& work, std::size_t buffer) { return buffer != 0 || work.in_place; }

/// The buffers of a workload on a new machine, and the parameters. The first buffer is undefined.
struct Device {
  explicit Device(const Workload& work) {
    const auto put = [this](std::uint64_t value, std::size_t bytes) {
      const std::size_t at = (parameters.size() + bytes - 1) / bytes * bytes;
      parameters.resize(at + bytes);
      std::memcpy(parameters.data() + at, &value, bytes);
    };
    for (std::size_t k = 0; k < work.buffers.size(); ++k) {
      const auto from = bytes_of(work.buffers[k]);
      const std::uint32_t buffer =
          memory.add_buffer("buffer " + std::to_string(k), from.size(), has_values(work, k));
      if (has_values(work, k)) std::memcpy(memory.data(buffer).data(), from.data(), from.size());
      put(ptx::buffer_address(buffer), sizeof(std::uint64_t));
    }
    for (const std::uint64_t number : work.numbers) put(number, sizeof(std::uint32_t));
  }

  ptx::GlobalMemory memory;
  std::vector<std::byte> parameters;
};

struct Totals {
  double instructions = 0;
  double accesses = 0;
  double of_warps = 0;  // the accesses by warps
  double warps = 0;
};

Totals totals_of(const ptx::LaunchResult& result, const ptx::LaunchShape& shape) {
  Totals totals;
  totals.instructions = static_cast<double>(result.thread_instructions);
  for (const auto& [site, counts] : result.counts) {
    totals.accesses += static_cast<double>(counts.lanes);
    totals.of_warps += static_cast<double>(counts.accesses);
  }
  totals.warps = static_cast<double>(shape.blocks() * shape.warps());
  return totals;
}

void count(benchmark::State& state, const Totals& totals) {
  using benchmark::Counter;
  state.counters["instructions/s"] =
      Counter(totals.instructions, Counter::kIsIterationInvariantRate);
  state.counters["accesses/s"] = Counter(totals.accesses, Counter::kIsIterationInvariantRate);
  state.counters["warp accesses"] = totals.of_warps;
  state.counters["warps"] = totals.warps;
}

bool can_run(benchmark::State& state, ptx::Level level) {
  const bool can = level == ptx::Level::portable || ptx::best_level() == level;
  if (!can) state.SkipWithError("this processor has no AVX2");
  return can;
}

Totals launch(benchmark::State& state, const ptx::Program& program, const Workload& work,
              Device& device, const ptx::RunOptions& options) {
  const ptx::LaunchResult result =
      ptx::launch(program, shape_of(work), device.parameters, device.memory, options);
  if (!result.faults.empty()) state.SkipWithError("a fault");
  return totals_of(result, shape_of(work));
}

ptx::RunOptions interpreted(std::uint32_t threads = 1, std::string_view machine = "hmm") {
  ptx::RunOptions options;
  options.compile.when = ptx::CompileOptions::When::never;
  options.rules = ptx::MachineRules::of(machine);
  options.threads = threads;
  options.alone = ptx::worth_a_thread;
  return options;
}

void warm(benchmark::State& state, const Workload& work, ptx::Level level, std::uint32_t threads) {
  if (!can_run(state, level)) return;
  const ptx::Program program = ptx::decode(module(), work.kernel, level);
  Device device(work);
  launch(state, program, work, device, interpreted());
  Totals totals;
  for (auto _ : state) totals = launch(state, program, work, device, interpreted(threads));
  count(state, totals);
}

void compiled(benchmark::State& state, const Workload& work) {
  ptx::RunOptions always;
  always.compile.when = ptx::CompileOptions::When::always;
  const ptx::Program program = ptx::decode(module(), work.kernel);
  Device device(work);
  launch(state, program, work, device, always);
  if (program.compiled->pieces() == nullptr) {
    state.SkipWithError(program.compiled->why_not().c_str());
    return;
  }
  Totals totals;
  for (auto _ : state) totals = launch(state, program, work, device, always);
  count(state, totals);
}

void cold(benchmark::State& state, const Workload& work, ptx::Level level) {
  if (!can_run(state, level)) return;
  const ptx::Program program = ptx::decode(module(), work.kernel, level);
  Totals totals;
  for (auto _ : state) {
    state.PauseTiming();
    auto device = std::make_unique<Device>(work);
    state.ResumeTiming();
    totals = launch(state, program, work, *device, interpreted());
    state.PauseTiming();
    device.reset();
    state.ResumeTiming();
  }
  count(state, totals);
}

/// A session with the buffers of a workload, and the arguments.
struct OnSession {
  explicit OnSession(const Workload& work, bool every_launch = true) : on(options(every_launch)) {
    const auto pass = [this](const auto& value) {
      const auto as_bytes = std::as_bytes(std::span(&value, 1));
      arguments.push_back({{as_bytes.begin(), as_bytes.end()}, "an argument"});
    };
    for (std::size_t k = 0; k < work.buffers.size(); ++k) {
      const auto from = bytes_of(work.buffers[k]);
      bytes += from.size();
      const std::string name = "buffer " + std::to_string(k);
      pass(on.address(has_values(work, k) ? on.add_buffer(name, from)
                                          : on.add_buffer(name, from.size())));
    }
    for (const std::uint64_t number : work.numbers) pass(static_cast<std::uint32_t>(number));
  }

  static cuda::SessionOptions options(bool every_launch) {
    cuda::SessionOptions options;
    options.threads = 1;
    options.every_launch = every_launch;
    return options;
  }

  void launch(benchmark::State& state, const Workload& work) {
    static const auto file =
        std::make_shared<const cuda::KernelFile>(cuda::KernelFile{module(), ""});
    if (!on.run(file, work.kernel, shape_of(work), arguments).is_clean)
      state.SkipWithError("a fault");
  }

  cuda::Session on;
  std::vector<cuda::ArgumentBytes> arguments;
  std::size_t bytes = 0;
};

void session(benchmark::State& state, const Workload& work) {
  double memory = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const Peak peak;
    auto session = std::make_unique<OnSession>(work);
    const auto bytes = static_cast<double>(session->bytes);
    state.ResumeTiming();
    session->launch(state, work);
    state.PauseTiming();
    session.reset();
    memory = static_cast<double>(peak.bytes()) / bytes;
    state.ResumeTiming();
  }
  state.counters["memory"] = memory;
}

void timed(benchmark::State& state, const Workload& work) {
  OnSession session(work);
  session.launch(state, work);
  for (auto _ : state) session.launch(state, work);
}

void on_chip(benchmark::State& state, const Workload& work) {
  const ptx::Program program = ptx::decode(module(), work.kernel);
  Device device(work);
  Totals totals;
  for (auto _ : state)
    totals = launch(state, program, work, device, interpreted(1, chips.back().name));
  count(state, totals);
}

void identical(benchmark::State& state, const Workload& work) {
  OnSession session(work, false);
  for (int k = 0; k < 3; ++k) session.launch(state, work);
  for (auto _ : state) session.launch(state, work);
  state.counters["pages"] = static_cast<double>(session.bytes) / 4096;
}

void known(benchmark::State& state, const Workload& work) {
  OnSession session(work, false);
  session.launch(state, work);
  std::byte changed{};
  for (auto _ : state) {
    state.PauseTiming();
    changed = ~changed;
    session.on.write(0, 0, {&changed, 1});
    state.ResumeTiming();
    session.launch(state, work);
  }
}

void decode(benchmark::State& state) {
  for (auto _ : state) {
    const ptx::Program program = ptx::decode(module(), "arithmetic", ptx::best_level());
    benchmark::DoNotOptimize(program.sites.data());
  }
}

void plain(benchmark::State& state, const Workload& work) {
  Workload copy = work;
  Totals totals;
  for (auto _ : state) {
    totals.accesses = run_plain(copy);
    benchmark::ClobberMemory();
  }
  count(state, totals);
}

void by_prototype(benchmark::State& state, const Workload& work) {
  std::vector<const std::vector<std::uint32_t>*> buffers;
  buffers.reserve(work.buffers.size());
  for (const auto& words : work.buffers) buffers.push_back(&words);
  prototype::Counts counts;
  for (auto _ : state) {
    state.PauseTiming();
    // The prototype numbers barrier intervals over all launches. These numbers run out, so each
    // launch gets a new prototype.
    auto launch = std::make_unique<prototype::Launch>(
        kernels_text(), work.kernel,
        prototype::Launch::Shape{static_cast<int>(work.grid_x), static_cast<int>(work.grid_y),
                                 static_cast<int>(work.block_x), static_cast<int>(work.block_y)},
        buffers, work.numbers);
    state.ResumeTiming();
    counts = launch->run();
    state.PauseTiming();
    launch.reset();
    state.ResumeTiming();
  }
  count(state, {counts.instructions, counts.accesses, 0, 0});
}

template <class F>
auto* add(const std::string& name, F function) {
  return benchmark::RegisterBenchmark(name.c_str(), function)->Unit(benchmark::kMillisecond);
}

// Each run makes its workload and then frees it. So the memory of the process never includes a
// second workload.
template <class Run>
auto with(const std::string& name, const Run& run) {
  return [name, run](benchmark::State& state) { run(state, workload(name)); };
}

auto warm_at(ptx::Level level, std::uint32_t threads) {
  return [level, threads](auto& state, const Workload& work) { warm(state, work, level, threads); };
}

void add_workload(const std::string& name) {
  const ptx::Level best = ptx::best_level();
  add(name + "/portable", with(name, warm_at(ptx::Level::portable, 1)));
  add(name + "/avx2", with(name, warm_at(ptx::Level::avx2, 1)));
  add(name + "/compiled", with(name, compiled));
  add(name + "/cold",
      with(name, [best](auto& state, const Workload& work) { cold(state, work, best); }));
  add(name + "/threads:2", with(name, warm_at(best, 2)))->UseRealTime()->MeasureProcessCPUTime();
  add(name + "/session", with(name, session));
  add(name + "/timed", with(name, timed));
  if (name != "in place") add(name + "/identical", with(name, identical));
  add(name + "/known", with(name, known));
  add(name + "/plain", with(name, plain));
  if (prototype::is_built_in()) add(name + "/prototype", with(name, by_prototype));
}

void add_fixed_costs() {
  for (const std::string name : {"launch", "large launch", "warps"}) {
    add(name + "/warm", with(name, warm_at(ptx::best_level(), 1)))->Unit(benchmark::kMicrosecond);
    add(name + "/timed", with(name, timed))->Unit(benchmark::kMicrosecond);
  }
  add("launch/chip", with("launch", on_chip))->Unit(benchmark::kMicrosecond);
  add("arithmetic/decode", decode)->Unit(benchmark::kMicrosecond);
}

void add_all() {
  for (const std::string& name : workload_names()) add_workload(name);
  add_fixed_costs();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
