// A chart of a run, for --chart: up to a size that can be looked at.
#pragma once

#include <cstdint>
#include <string>

#include "../../model/observers/pipeline_chart.hpp"
#include "entry.hpp"

namespace bankproof::cli {

class LimitedChart : public PipelineChart {
 public:
  /// Width and height. A time unit is at least 11 pixels wide, a register at least 10 high; shrunk
  /// to half, the size of a screen, they are still 5.
  static constexpr std::uint64_t most_pixels = 4000;

  /// The title, and what runs, for messages.
  LimitedChart(std::string title, const AlgorithmEntry& algorithm, const Letters& machine);

  /// Throws UsageError where the chart becomes larger than that.
  void accessed(const AccessEvent& event) override;

  /// The SVG text.
  std::string text() const;

 private:
  const AlgorithmEntry& algorithm_;
  const Letters& machine_;
};

}  // namespace bankproof::cli
