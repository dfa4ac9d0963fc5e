// OPT figures 3 to 6 (rows I4, X4) as sweeps over d, p, v and m. The figures show times of a GPU;
// these times come from the closed forms, which random machines in lockstep meet exactly. OPT IV
// and VI say which part of the time is the greatest; the cells compare that with the counted parts.
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "opt.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

constexpr std::string_view how_drawn =
    "exact times in lockstep for n = 1024, w = 32, l = 20, L = 400. Cells: ";
constexpr std::string_view how_latency =
    "printed, the latency of global memory is hidden if wL <= dp; here, if the L - 1 of its rounds "
    "add up to at most its stages. There are cells only where wL and dp differ by a factor of 2 or "
    "more, since OPT leaves out constants";
constexpr std::string_view how_bandwidth =
    "whether bandwidth or computation takes longer; here, whether global or shared memory has more "
    "stages. There are cells only where d and its boundary in OPT differ by a factor of 8 or more, "
    "since OPT leaves out constants";

/// Lines over d, one for each value of a letter; `last` is the greatest d.
struct Sweep {
  Task task;
  char letter;
  std::vector<std::uint64_t> values;
  std::uint64_t last;

  template <class Visit>
  Chart chart(Visit visit) const {
    Chart chart{{"d"}, {"time units"}, {}};
    for (const std::uint64_t value : values) {
      Series line{fmt::format("{} = {}", letter, value), {}};
      for (std::uint64_t d = 1; d <= last; d *= 2) {
        const Task one = with(task, {{'d', d}, {letter, value}});
        line.points.push_back({static_cast<double>(d), opt_time(one)});
        // The table has cells only for every second d, which is enough to read.
        if (std::countr_zero(d) % 2 == 0) visit(one, line.name, fmt::format("d = {}", d));
      }
      chart.lines.push_back(line);
    }
    return chart;
  }
};

Task on_the_gpu(const Task& task) {
  return with(task, {{'n', 1024}, {'w', 32}, {'l', 20}, {'L', 400}, {'p', 1024}});
}

/// Figures 3 and 5, which vary p.
SourceTable threads(const std::string& id, const std::string& title, const Task& task) {
  SourceTable table{id, title, fmt::format("{}{}", how_drawn, how_latency), {}};
  const Sweep sweep{task, 'p', {64, 128, 256, 512, 1024}, 1024};
  table.chart =
      sweep.chart([&](const Task& one, const std::string& row, const std::string& column) {
        const std::uint64_t pipeline = one.machine.w * one.machine.L;
        const std::uint64_t threads = one.machine.d * one.machine.p;
        if (pipeline < 2 * threads && threads < 2 * pipeline) return;
        const OptTime time(one);
        table.cells.push_back({row, column, pipeline <= threads ? "hidden" : "waits",
                               time.latency <= time.bandwidth ? "hidden" : "waits", ""});
      });
  return table;
}

/// Figures 4 and 6, which vary the letter that decides between bandwidth and computation.
SourceTable regimes(const std::string& id, const std::string& title, const Sweep& sweep,
                    const Growth& boundary) {
  SourceTable table{id, title, fmt::format("{}{}", how_drawn, how_bandwidth), {}};
  table.chart = sweep.chart([&](const Task& one, const std::string& row,
                                const std::string& column) {
    const double side = boundary.value(one);
    const auto d = static_cast<double>(one.machine.d);
    if (side < 8 * d && d < 8 * side) return;
    const OptTime time(one);
    table.cells.push_back({row, column, side <= d ? "bandwidth" : "computation",
                           time.bandwidth >= time.computation ? "bandwidth" : "computation", ""});
  });
  return table;
}

}  // namespace

SourceTable table_opt_3() {
  return threads("OPT:3", "Image convolution with v = 3, as in figure 3",
                 with(on_the_gpu(conv_hmm()), {{'v', 3}}));
}

SourceTable table_opt_4() {
  return regimes("OPT:4", "Image convolution with p = 1024, as in figure 4",
                 {on_the_gpu(conv_hmm()), 'v', {1, 2, 3, 5, 7, 10, 15}, 1024}, Growth("v²"));
}

SourceTable table_opt_5() {
  return threads("OPT:5", "Matrix product with m = 32, as in figure 5",
                 with(on_the_gpu(mul_hmm()), {{'m', 32}}));
}

SourceTable table_opt_6() {
  return regimes("OPT:6", "Matrix product with p = 1024, as in figure 6",
                 {on_the_gpu(mul_hmm()), 'm', {16, 32, 64}, 256}, Growth("m"));
}

}  // namespace bankproof::cli
