// Measures how fast the machines run, in thread accesses per second, and how fast plain loops
// access the same words in the same run. Judge by the ratios, because host machines differ.
//
// Parameters: w = 32; l = 300 (on the HMM, L = 300 and l = 1); d = 16; p = 4096 threads.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../model/machine.hpp"
#include "../model/observers/statistics.hpp"

namespace bankproof {
namespace {

using Word = std::uint32_t;
constexpr Width width = 32;
constexpr Latency latency = 300;
constexpr std::uint64_t threads = 4096;
constexpr std::uint64_t accesses = 1 << 24;

const std::vector<Word>& random_words(std::uint64_t range) {
  static std::uint64_t made_for = 0;
  static std::vector<Word> words;
  if (made_for != range) {
    made_for = range;
    words.resize(accesses);
    std::mt19937_64 random(1);
    for (Word& word : words) word = static_cast<Word>(random() % range);
  }
  return words;
}

void count(benchmark::State& state, std::uint64_t per_iteration) {
  state.counters["accesses/s"] = benchmark::Counter(static_cast<double>(per_iteration),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}

// Plain loops to compare with.

void accumulate(benchmark::State& state) {
  const std::vector<Word> words(accesses, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::accumulate(words.begin(), words.end(), Word{0}));
  }
  count(state, accesses);
}

void gather(benchmark::State& state) {
  const auto range = static_cast<std::uint64_t>(state.range(0));
  const std::vector<Word> words(range, 1);
  const auto& index = random_words(range);
  for (auto _ : state) {
    Word sum = 0;
    for (const Word i : index) sum += words[i];
    benchmark::DoNotOptimize(sum);
  }
  count(state, accesses);
}

// One memory.

Program read_contiguous(Warp& warp, Array<Word>& a, Address n, Word& total) {
  Lanes<Word> sum = warp.all(Word{0});
  for (auto i : warp.each(n)) sum += co_await a.read(i);
  total = std::accumulate(sum.begin(), sum.end(), total);
}

Program read_random(Warp& warp, Array<Word>& a, const std::vector<Word>& index, Word& total) {
  Lanes<Word> sum = warp.all(Word{0});
  for (auto i : warp.each(index.size())) {
    const Word* const from = &index[i[0]];  // whole warps: the width divides the number of accesses
    sum += co_await a.read(make_lanes(width, [from](Width lane) { return Address{from[lane]}; }));
  }
  total = std::accumulate(sum.begin(), sum.end(), total);
}

template <class Machine>
void contiguous(benchmark::State& state, Mode mode, bool observed) {
  Machine machine({.width = width, .latency = latency}, {.mode = mode});
  Statistics statistics;
  if (observed) machine.attach(statistics);
  Array<Word> a(machine.memory(), std::vector<Word>(accesses, 1));
  Word total = 0;
  for (auto _ : state) {
    machine.launch({.threads = threads}, read_contiguous, a, accesses, total);
  }
  benchmark::DoNotOptimize(total);
  count(state, accesses);
}

template <class Machine>
void random_access(benchmark::State& state, Mode mode) {
  const auto range = static_cast<std::uint64_t>(state.range(0));
  Machine machine({.width = width, .latency = latency}, {.mode = mode});
  Array<Word> a(machine.memory(), std::vector<Word>(range, 1));
  const auto& index = random_words(range);
  Word total = 0;
  for (auto _ : state) machine.launch({.threads = threads}, read_random, a, index, total);
  benchmark::DoNotOptimize(total);
  count(state, accesses);
}

// The hierarchy: a transpose by w×w tiles in the diagonal arrangement (THS 5.3).

Program transpose(Warp& warp, Array<Word>& a, Array<Word>& b, Address side) {
  const Address tiles = side / width;
  const Address row = warp.block() / tiles;
  const Address column = warp.block() % tiles;
  const Address i = warp.index();
  const auto j = warp.lane();
  auto& tile = warp.shared<Word>(Address{width} * width, "tile");
  const auto diagonal = (i + j) % width;

  const auto x = co_await a.read((row * width + i) * side + column * width + j);
  co_await tile.write(i * width + diagonal, x);
  co_await barrier();
  const auto y = co_await tile.read(j * width + diagonal);
  co_await b.write((column * width + i) * side + row * width + j, y);
}

void tiled_transpose(benchmark::State& state, Mode mode, std::uint64_t resident_threads) {
  const Address side = 2048;
  Hmm machine({.dmms = 16,
               .width = width,
               .shared_latency = 1,
               .global_latency = latency,
               .resident_threads = resident_threads},
              {.mode = mode});
  Array<Word> a(machine.global(), std::vector<Word>(side * side, 1), "a");
  Array<Word> b(machine.global(), side * side, "b");
  const std::uint64_t tile = std::uint64_t{width} * width;
  const Launch launch{.blocks = side * side / tile, .threads = tile, .shared_words = tile};
  for (auto _ : state) machine.launch(launch, transpose, a, b, side);
  count(state, 4 * side * side);
}

template <class F>
auto* benchmark_of(const std::string& name, F function) {
  return benchmark::RegisterBenchmark(name.c_str(), function)->Unit(benchmark::kMillisecond);
}

void register_all() {
  benchmark_of("accumulate", accumulate);
  benchmark_of("gather", gather)->Arg(1 << 18)->Arg(1 << 24);
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    const std::string in = mode == Mode::overlapped ? "overlapped/" : "lockstep/";
    benchmark_of(in + "umm/contiguous", [=](auto& s) { contiguous<Umm>(s, mode, false); });
    benchmark_of(in + "dmm/contiguous", [=](auto& s) { contiguous<Dmm>(s, mode, false); });
    benchmark_of(in + "dmm/contiguous/statistics",
                 [=](auto& s) { contiguous<Dmm>(s, mode, true); });
    benchmark_of(in + "umm/random", [=](auto& s) { random_access<Umm>(s, mode); })
        ->Arg(1 << 18)
        ->Arg(1 << 24);
    benchmark_of(in + "dmm/random", [=](auto& s) { random_access<Dmm>(s, mode); })
        ->Arg(1 << 18)
        ->Arg(1 << 24);
    benchmark_of(in + "hmm/transpose/2048_threads_resident",
                 [=](auto& s) { tiled_transpose(s, mode, 2048); });
    benchmark_of(in + "hmm/transpose/all_resident",
                 [=](auto& s) { tiled_transpose(s, mode, unlimited); });
  }
}

}  // namespace
}  // namespace bankproof

int main(int argc, char** argv) {
  bankproof::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
