// See limited_chart.hpp.
#include "limited_chart.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "../support/errors.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {

LimitedChart::LimitedChart(std::string title, const AlgorithmEntry& algorithm,
                           const MachineParameters& machine)
    : PipelineChart(std::move(title)), algorithm_(algorithm), machine_(machine) {}

void LimitedChart::accessed(const AccessEvent& event) {
  PipelineChart::accessed(event);
  const chart::Layout layout(chart());
  const bool hierarchical = is_hierarchical(machine_.machine);
  const std::string_view latencies = machine_.machine == MachineKind::pram ? ""
                                     : hierarchical ? "lower latencies l and L"
                                                    : "a lower latency l";
  if (layout.width > most_pixels) {
    std::string sizes;
    for (const SizeKey& key : algorithm_.size_keys) {
      sizes += (sizes.empty() ? "" : ", ") + std::string(key.name);
    }
    throw UsageError(fmt::format(
        "--chart: the run takes {} time units or more, for which a chart is wider than {} pixels; "
        "choose smaller sizes ({}), {}{}more threads p, or --trace, which takes longer runs",
        chart().end, most_pixels, sizes, latencies, latencies.empty() ? "" : ", "));
  }
  if (layout.height > most_pixels) {
    const std::size_t count = chart().pipelines.size();
    const std::string memories = count == 1 ? "1 memory" : fmt::format("{} memories", count);
    throw UsageError(
        fmt::format("--chart: {} and {} with a row for each register are higher than {} pixels; "
                    "choose {}{}fewer threads p{}, or --trace, which takes larger machines",
                    counted(chart().warps.size(), "warp"), memories, most_pixels, latencies,
                    latencies.empty() ? "" : ", ", hierarchical ? " or DMMs d" : ""));
  }
}

std::string LimitedChart::text() const {
  std::ostringstream text;
  text << *this;
  return text.str();
}

}  // namespace bankproof::cli
