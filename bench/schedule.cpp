// Measures how fast the graph of rows, which every schedule needs, is colored: an m × m matrix, one
// edge per element, one thread. Times are nanoseconds per edge, and multiples of a plain copy (read
// P, write two arrays of n indices), timed alternately within one run. Each iteration has a new
// permutation.
//
// All families except the random permutations are meant to be hard: rows whose elements go to only
// a few rows, or to only two or three, bands, blocks, and permutations that leave almost all
// elements in place.
#include "../algorithms/permutation/schedule.hpp"

#include <benchmark/benchmark.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../algorithms/permutation/coloring.hpp"
#include "../algorithms/permutation/named.hpp"
#include "timing.hpp"

namespace {

using namespace bankproof;
using Permutation = std::vector<std::uint32_t>;
using Random = std::mt19937_64;

/// A permutation of m × m elements that moves element k of row u to row to(u, k); each target row
/// must get m elements in all. Each call renumbers the rows and reorders their elements at random.
Permutation by_rows(std::uint32_t m, Random& random,
                    const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& to) {
  std::vector<std::uint32_t> from_row(m);
  std::iota(from_row.begin(), from_row.end(), 0U);
  std::vector<std::uint32_t> to_row = from_row;
  std::shuffle(from_row.begin(), from_row.end(), random);
  std::shuffle(to_row.begin(), to_row.end(), random);
  std::vector<std::uint32_t> filled(m);
  std::vector<std::uint32_t> targets(m);
  Permutation permutation(std::size_t{m} * m);
  for (std::uint32_t u = 0; u < m; ++u) {
    for (std::uint32_t k = 0; k < m; ++k) targets[k] = to(u, k);
    std::shuffle(targets.begin(), targets.end(), random);
    for (std::uint32_t k = 0; k < m; ++k) {
      permutation[std::size_t{from_row[u]} * m + k] = to_row[targets[k]] * m + filled[targets[k]]++;
    }
  }
  return permutation;
}

/// A permutation of m × m elements.
using Family = std::function<Permutation(std::uint32_t m, Random& random)>;

Permutation named(const std::string& specification) {
  return parse_named(specification).generate<std::uint32_t>();
}

const std::vector<std::pair<std::string, Family>> families = {
    {"random",
     [](std::uint32_t m, Random& random) {
       return named("random:" + std::to_string(m * m) + ",seed=" + std::to_string(random()));
     }},
    {"transpose",
     [](std::uint32_t m, Random&) {
       return named("transpose:" + std::to_string(m) + "x" + std::to_string(m));
     }},
    {"shuffle", [](std::uint32_t m, Random&) { return named("shuffle:" + std::to_string(m * m)); }},
    {"near-identity",
     [](std::uint32_t m, Random& random) {
       Permutation p = named("identity:" + std::to_string(m * m));
       for (std::size_t k = 0; k < p.size() / 100; ++k) {
         std::swap(p[random() % p.size()], p[random() % p.size()]);
       }
       return p;
     }},
    {"two-neighbors",
     [](std::uint32_t m, Random& random) {
       return by_rows(m, random, [m](auto u, auto k) { return (u + k % 2) % m; });
     }},
    {"three-neighbors",
     [](std::uint32_t m, Random& random) {
       return by_rows(m, random, [m](auto u, auto k) {
         return (u + (k < m / 3 ? 0 : k < m / 3 * 2 ? 1 : m / 2)) % m;
       });
     }},
    {"band",
     [](std::uint32_t m, Random& random) {
       return by_rows(m, random, [m](auto u, auto k) { return (u + k * 64 / m) % m; });
     }},
    {"blocks", [](std::uint32_t m, Random& random) {
       return by_rows(m, random, [m](auto u, auto k) {
         const std::uint32_t first = u / 64 * 64;
         const std::uint32_t size = std::min<std::uint32_t>(64, m - first);
         return first + (u - first + k) % size;
       });
     }}};

void color_rows(benchmark::State& state, const Family& family, std::uint32_t m) {
  const std::size_t n = std::size_t{m} * m;
  std::vector<std::uint32_t> s(n);
  std::vector<std::uint32_t> d(n);
  std::vector<detail::Edge<std::uint16_t>> edges(n);
  std::vector<std::uint16_t> slots(n);
  std::vector<double> ratios;
  std::vector<double> times;
  std::vector<double> copies;
  Random random(m);
  tbb::task_arena arena(1);
  detail::EdgeColoring<std::uint16_t> coloring;
  for (auto _ : state) {
    const Permutation p = family(m, random);
    const double copy = seconds_of([&] {
      for (std::size_t i = 0; i < n; ++i) s[i] = d[i] = p[i];
      benchmark::DoNotOptimize(s.data());
      benchmark::DoNotOptimize(d.data());
      benchmark::ClobberMemory();
    });
    const double time = seconds_of([&] {
      arena.execute([&] {
        for (std::size_t row = 0, i = 0; row < m; ++row) {
          for (std::size_t column = 0; column < m; ++column, ++i) {
            edges[i] = {static_cast<std::uint16_t>(p[i] / m), static_cast<std::uint16_t>(column)};
          }
        }
        coloring.color(m, m, edges, slots);
      });
    });
    state.SetIterationTime(time);
    ratios.push_back(time / copy);
    times.push_back(1e9 * time / static_cast<double>(n));
    copies.push_back(1e9 * copy / static_cast<double>(n));
  }
  state.counters["x_copy"] = median(ratios);
  state.counters["copy_ns"] = median(copies);
  state.counters["ns"] = median(times);
}

const bool registered = [] {
  for (const std::uint32_t m : {512U, 1000U, 1024U, 2048U, 4096U}) {
    for (const auto& [name, family] : families) {
      benchmark::RegisterBenchmark(
          ("rows/" + name + "/" + std::to_string(m)).c_str(),
          [family = family, m](benchmark::State& state) { color_rows(state, family, m); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
