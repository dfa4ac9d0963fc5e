// See sat_counts.hpp.
#include "sat_counts.hpp"

#include <algorithm>
#include <cstdint>

#include "../../algorithms/machines.hpp"
#include "../../algorithms/summed_area_table/summed_area_table.hpp"

namespace bankproof::cli {
namespace {

/// What recursion costs 2R1W. Its tiles have m × m sums, of which `sums` are not always zero.
/// Returns the accesses that make the table of these sums by recursion, minus the accesses that
/// would make it within one tile.
SatAccesses recursion(std::uint64_t m, std::uint64_t sums, std::uint64_t w) {
  if (m <= w) return {};
  return table_of_sums(m, sums, w) -= sums_in_a_tile(sums, w);
}

}  // namespace

SatAccesses recursion_of_sat(std::string_view variant, const TileSizes& sizes) {
  const auto [T, w, t] = sizes;
  if (variant == "2R1W") return recursion(T - 1, (T - 1) * (T - 1), w);
  SatAccesses all;
  if (variant == "hybrid" && t > 0) {
    all += recursion(t - 1, (t - 1) * (t - 2) / 2, w);
    all += recursion(t, (t - 1) * (t - 2) / 2 + 2 * t - 1, w);
  }
  return all;
}

SatAccesses count_sat(std::string_view variant, const TileSizes& sizes) {
  const std::uint64_t side = sizes.T * sizes.w;
  Task task{variant,
            Sizes(SummedAreaTable::size_keys),
            {.w = sizes.w, .l = 1, .L = 1, .d = 1, .p = sizes.w * sizes.w}};
  task.sizes.set("rows", side);
  task.sizes.set("columns", side);
  task.sizes.set("t", sizes.t);
  SatAccessCounter counter;
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
                    std::uint64_t SatAccesses::*count) {
  std::vector<Sample> samples;
  samples.reserve(sizes.size());
  for (const TileSizes& one : sizes)
    samples.push_back({one, static_cast<double>(count_sat(variant, one).*count)});
  return polynomial_of(samples);
}

}  // namespace bankproof::cli
