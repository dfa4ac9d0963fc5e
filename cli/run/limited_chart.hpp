// The chart of a run, for --chart, limited to a size that people can look at.
#pragma once

#include <cstdint>
#include <string>

#include "../../model/observers/pipeline_chart.hpp"
#include "entry.hpp"

namespace bankproof::cli {

class LimitedChart : public PipelineChart {
 public:
  /// Limits width and height. A time unit is at least 11 pixels wide, a register at least 10 high;
  /// shrunk to half to fit a screen, each still takes 5 pixels.
  static constexpr std::uint64_t most_pixels = 4000;

  /// Messages name the algorithm and the machine.
  LimitedChart(std::string title, const AlgorithmEntry& algorithm,
               const MachineParameters& machine);

  /// Throws UsageError when the chart grows larger than `most_pixels`.
  void accessed(const AccessEvent& event) override;

  /// The SVG text.
  std::string text() const;

 private:
  const AlgorithmEntry& algorithm_;
  const MachineParameters& machine_;
};

}  // namespace bankproof::cli
