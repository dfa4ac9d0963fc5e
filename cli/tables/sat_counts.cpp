// See sat_counts.hpp.
#include "sat_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "../../algorithms/machines.hpp"
#include "../../algorithms/summed_area_table.hpp"

namespace bankproof::cli {
namespace {

class Counter : public Observer {
 public:
  void launch_begins(const LaunchEvent&) override { ++launches_; }

  void accessed(const AccessEvent& event) override {
    const auto threads = static_cast<unsigned>(std::popcount(event.access.mask.bits()));
    const bool reads = event.access.operation == Operation::read;
    if (event.memory().kind() == MemoryKind::banks) {
      (reads ? counts_.shared_reads : counts_.shared_writes) += threads;
      return;
    }
    (reads ? counts_.reads : counts_.writes) += threads;
    if (event.stages == threads) {
      (reads ? counts_.stride_reads : counts_.stride_writes) += threads;
    }
  }

  SatCounts counts() const {
    SatCounts all = counts_;
    all.barriers = static_cast<double>(launches_ - 1);
    return all;
  }

 private:
  SatCounts counts_;
  std::uint64_t launches_ = 0;
};

/// The table of m × m sums of tiles, of which so many are not zeros, by 2R1W rather than in a tile.
void add_recursion(SatCounts& counts, std::uint64_t m, std::uint64_t sums, std::uint64_t w) {
  if (m <= w) return;
  const std::uint64_t tiles = (m + w - 1) / w;
  const std::uint64_t inner = tiles - 1;
  const auto add = [](double& count, std::uint64_t more) { count += static_cast<double>(more); };
  add(counts.reads, sums + 4 * inner * m + 2 * inner * inner);
  add(counts.writes, (4 * inner - 2) * m + 2 * inner * inner);
  add(counts.shared_reads,
      tiles * tiles * (5 * w * w + 2 * w - 2) + 2 * inner * m + 2 * inner * inner);
  add(counts.shared_writes,
      tiles * tiles * (4 * w * w + 2 * w - 1) + 2 * inner * m + inner * inner);
  add(counts.barriers, 2);
  add_recursion(counts, inner, inner * inner, w);
}

}  // namespace

SatCounts recursion_of_sat(std::string_view variant, const TileSizes& sizes) {
  SatCounts counts;
  const auto [T, w, t] = sizes;
  if (variant == "2R1W") add_recursion(counts, T - 1, (T - 1) * (T - 1), w);
  if (variant == "hybrid" && t > 0) {
    add_recursion(counts, t - 1, (t - 1) * (t - 2) / 2, w);
    add_recursion(counts, t, (t - 1) * (t - 2) / 2 + 2 * t - 1, w);
  }
  return counts;
}

SatCounts count_sat(std::string_view variant, const TileSizes& sizes) {
  const std::uint64_t side = sizes.T * sizes.w;
  Task task{variant,
            Sizes(SummedAreaTable::size_keys),
            {.w = sizes.w, .l = 1, .L = 1, .d = 1, .p = sizes.w * sizes.w}};
  task.sizes.set("rows", side);
  task.sizes.set("columns", side);
  task.sizes.set("t", sizes.t);
  Counter counter;
  with_machine(task.machine, {{.mode = Mode::lockstep}}, [&](auto& machine) {
    machine.attach(counter);
    SummedAreaTable::run<std::uint64_t>(task, machine, {std::vector<std::uint64_t>(side * side)});
    return 0;
  });
  return counter.counts();
}

std::vector<TileSizes> sat_samples(std::string_view variant, std::uint64_t part) {
  std::vector<TileSizes> all;
  for (const std::uint64_t w : {4U, 5U, 6U, 8U}) {
    if (variant != "hybrid") {
      for (std::uint64_t T = 2; T <= 5; ++T) all.push_back({T, w});
    } else if (part > 0) {
      for (std::uint64_t t = 2; t <= std::min<std::uint64_t>(w, 5); ++t) {
        all.push_back({part * t, w, t});
      }
    } else {
      for (const std::uint64_t T : {4U, 6U, 8U, 9U}) {
        for (std::uint64_t t = 2; t <= std::min(w, T - 1); ++t) all.push_back({T, w, t});
      }
    }
  }
  return all;
}

std::vector<TileSizes> sat_samples_with_recursion(std::string_view variant) {
  std::vector<TileSizes> all;
  for (const std::uint64_t w : {2U, 3U, 4U}) {
    for (std::uint64_t t = w + 2; t <= w + 4; ++t) {
      if (variant == "2R1W") all.push_back({t, w});
      if (variant != "hybrid") continue;
      for (std::uint64_t T = t + 1; T <= t + 3; ++T) all.push_back({T, w, t});
    }
  }
  return all;
}

Polynomial sat_form(std::string_view variant, const std::vector<TileSizes>& sizes,
                    double SatCounts::*count) {
  std::vector<Sample> samples;
  samples.reserve(sizes.size());
  for (const TileSizes& one : sizes) samples.push_back({one, count_sat(variant, one).*count});
  return polynomial_of(samples);
}

}  // namespace bankproof::cli
