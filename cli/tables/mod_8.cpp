// MOD figure 8 (row P3): the sum, and the simple and the optimal prefix sums, on shared and on
// global memory. The times come from the closed forms, which random machines in lockstep meet
// exactly.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../algorithms/prefix_sums.hpp"
#include "../../algorithms/sum.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

/// One of the figure's two halves, with n/2 threads as in the figure, but at most `most_threads`.
struct Half {
  MachineKind machine;
  std::uint64_t latency;
  std::uint64_t most_threads;
  std::uint64_t first;
  std::uint64_t last;

  template <class A>
  double time(std::string_view variant, std::uint64_t n, std::uint64_t threads) const {
    Task task{
        variant, Sizes(A::size_keys), {.machine = machine, .w = 32, .l = latency, .p = threads}};
    task.sizes.set("n", n);
    return static_cast<double>(lockstep_time(A::cost(task), task.machine));
  }
  std::uint64_t threads(std::uint64_t n) const { return std::min(n / 2, most_threads); }
  double sum(std::uint64_t n) const { return time<Sum>("pairwise", n, threads(n)); }
  double simple(std::uint64_t n) const { return time<PrefixSums>("simple", n, threads(n)); }
  double optimal(std::uint64_t n) const { return time<PrefixSums>("optimal", n, threads(n)); }
  /// The time of the simple prefix sums divided by the time of the sum, both with a thread for each
  /// number.
  double ratio_of_n_threads(std::uint64_t n) const {
    return time<PrefixSums>("simple", n, n) / time<Sum>("pairwise", n, n);
  }
};

/// The least power of two for which the simple prefix sums are slower than the optimal ones.
std::uint64_t crossing(const Half& half) {
  std::uint64_t n = half.first;
  while (n < half.last && half.simple(n) <= half.optimal(n)) n *= 2;
  return n;
}

SourceTable table(const Half& half, const std::string& id, const std::string& title) {
  Chart chart{{"n"},
              {"time units"},
              {{"sum", {}}, {"simple prefix sums", {}}, {"optimal prefix sums", {}}}};
  for (std::uint64_t n = half.first; n <= half.last; n *= 2) {
    const auto x = static_cast<double>(n);
    chart.lines[0].points.push_back({x, half.sum(n)});
    chart.lines[1].points.push_back({x, half.simple(n)});
    chart.lines[2].points.push_back({x, half.optimal(n)});
  }
  const std::uint64_t cross = crossing(half);
  chart.marks.push_back({"simple slower than optimal", static_cast<double>(cross)});

  const auto row = [](std::uint64_t n) { return fmt::format("n = {}", n); };
  const std::uint64_t least = half.first;
  const auto latency = static_cast<double>(half.latency * ceil_log2(least));
  const std::uint64_t most = half.last;
  const std::vector<TableCell> cells = {
      {row(least), "simple / sum", "1.0",
       fmt::format("{:.1f}", half.simple(least) / half.sum(least)), "MOD 8"},
      {"n = 32, n threads", "simple / sum", "1.0",
       fmt::format("{:.1f}", half.ratio_of_n_threads(32)), ""},
      {row(least), "optimal > 2 l log n", "yes", yes_or_no(half.optimal(least) > 2 * latency), ""},
      {row(least), "optimal > 2 sum", "yes", yes_or_no(half.optimal(least) > 2 * half.sum(least)),
       ""},
      {row(most), "simple > sum", "yes", yes_or_no(half.simple(most) > half.sum(most)), ""},
      {row(most), "simple > optimal", "yes", yes_or_no(half.simple(most) > half.optimal(most)),
       ""}};
  return {id, title,
          fmt::format(
              "exact times in lockstep on the {}, w = 32, l = {}, n/2 threads{}; yes/no: "
              "what MOD 8 says of the figure",
              half.machine == MachineKind::dmm ? "DMM" : "UMM", half.latency,
              half.most_threads == unlimited ? "" : fmt::format(", at most {}", half.most_threads)),
          cells, chart};
}

}  // namespace

SourceTable table_mod_8_shared() {
  return table({MachineKind::dmm, 20, 1024, 32, 4096}, "MOD:8-shared",
               "Sum and prefix sums on shared memory, as in figure 8");
}

SourceTable table_mod_8_global() {
  return table({MachineKind::umm, 400, unlimited, 1024, std::uint64_t{1} << 27}, "MOD:8-global",
               "Sum and prefix sums on global memory, as in figure 8");
}

}  // namespace bankproof::cli
