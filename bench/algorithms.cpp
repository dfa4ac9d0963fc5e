// Measures how fast the catalog's algorithms run on the machines, every variant in both modes, in
// thread accesses per second. The closed forms give the number of accesses.
//
// w = 32. The DMM and the UMM have l = 300 and p = 4096 threads. The HMM has l = 1, L = 300, d = 16
// and p = 1024, unless a row says otherwise. Inputs are 64-bit integers. Targets: at least 50 M
// accesses/s for each variant; a summed area table of 1024 × 1024 below 1 s and a product of 512 ×
// 512 below 3 s.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../algorithms/catalog/catalog.hpp"
#include "../algorithms/machines.hpp"

namespace bankproof {
namespace {

using SizeList = std::vector<std::pair<std::string_view, std::uint64_t>>;

MachineParameters parameters_of(MachineKind kind) {
  if (kind == MachineKind::pram) return MachineParameters::pram(4096);
  if (!is_hierarchical(kind)) return {.machine = kind, .l = 300, .p = 4096};
  return {.machine = kind, .L = 300, .d = 16, .p = 1024};
}

/// Sizes that give each variant some millions of accesses.
SizeList sizes_of(std::string_view algorithm) {
  if (algorithm == "sum" || algorithm == "prefix-sums" || algorithm == "permutation") {
    return {{"n", 1 << 20}};
  }
  if (algorithm == "convolution") {
    return {{"n", 1 << 16}, {"m", 32}};
  }
  if (algorithm == "image-convolution") {
    return {{"rows", 512}, {"columns", 512}, {"v", 2}};
  }
  if (algorithm == "tiled-convolution") {
    return {{"rows", 512}, {"columns", 512}, {"v", 2}, {"t", 32}};
  }
  if (algorithm == "matrix-product") {
    return {{"rows", 256}, {"inner", 256}, {"columns", 256}, {"m", 32}};
  }
  return {{"rows", 1024}, {"columns", 1024}};
}

template <class A>
void run(benchmark::State& state, Task task, Mode mode) {
  if constexpr (requires { &A::complete; }) A::complete(task, 1);
  Inputs<std::uint64_t> inputs;
  for (const Shape& shape : A::inputs(task)) inputs.emplace_back(shape.size(), 1);
  for (auto _ : state) {
    const auto outcome = with_machine(task.machine, {{.mode = mode}}, [&](auto& machine) {
      return A::template run<std::uint64_t>(task, machine, inputs);
    });
    benchmark::DoNotOptimize(outcome.values.data());
  }
  const Cost<std::uint64_t> cost = A::cost(task);
  state.counters["accesses/s"] = benchmark::Counter(
      static_cast<double>(cost.global.requests + cost.shared.requests + cost.constant.requests),
      benchmark::Counter::kIsIterationInvariantRate);
}

template <class A>
void register_task(const Task& task, const std::string& machine) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    const std::string name = std::string(mode == Mode::overlapped ? "overlapped/" : "lockstep/") +
                             std::string(A::name) + "/" + std::string(task.variant) + "/" + machine;
    benchmark::RegisterBenchmark(name.c_str(), run<A>, task, mode)->Unit(benchmark::kMillisecond);
  }
}

void register_all() {
  for_each_algorithm([]<class A>(A) {
    for (const Variant& variant : A::variants) {
      Task task{variant.name, Sizes(A::size_keys), parameters_of(variant.machines.front())};
      for (const auto& [name, value] : sizes_of(A::name)) task.sizes.set(name, value);
      if (task.variant.starts_with("1d")) task.sizes.set("columns", 1 << 20);
      if (task.variant.starts_with("1d")) task.sizes.set("t", 1024);
      register_task<A>(task, task.machine.machine == MachineKind::hmm ? "hmm" : "one memory");
    }
  });
  Task product{"MUL-HMM", Sizes(MatrixProduct::size_keys), parameters_of(MachineKind::hmm)};
  for (const std::string_view side : {"rows", "inner", "columns"}) product.sizes.set(side, 512);
  register_task<MatrixProduct>(product, "hmm, 512 x 512");
}

}  // namespace
}  // namespace bankproof

int main(int argc, char** argv) {
  bankproof::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
