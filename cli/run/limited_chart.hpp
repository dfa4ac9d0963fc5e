// A chart of a run, for --chart: up to a size that can be looked at.
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>

#include "../../model/observers/pipeline_chart.hpp"
#include "../errors.hpp"

namespace bankproof::cli {

class LimitedChart : public PipelineChart {
 public:
  /// About 3 MiB of SVG.
  static constexpr std::uint64_t most_boxes = 30'000;

  using PipelineChart::PipelineChart;

  /// Throws UsageError for more than that.
  void accessed(const AccessEvent& event) override {
    PipelineChart::accessed(event);
    if (boxes() <= most_boxes) return;
    throw UsageError(
        fmt::format("--chart: more than {} boxes and numbers, of which a stage has one "
                    "in each of its memory's l registers; choose smaller sizes or "
                    "latencies, or --trace",
                    most_boxes));
  }

  std::string text() const {
    std::ostringstream text;
    text << *this;
    return text.str();
  }
};

}  // namespace bankproof::cli
