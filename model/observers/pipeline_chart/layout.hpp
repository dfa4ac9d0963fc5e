// The elements of a chart of pipelines, and their positions. The chart has a column for each time
// unit, a band for each memory, in which each register has a row, and a band in which each warp has
// a row. See ../pipeline_chart.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../access.hpp"
#include "../../units.hpp"

namespace bankproof::chart {

/// If the width of a memory is larger than this, its registers are drawn without addresses.
inline constexpr Width widest_written = 8;
/// All registers are drawn without addresses if addresses would make the chart larger than this, in
/// pixels.
inline constexpr std::uint64_t longest_written = 2500;

/// The number of colors; warps take them in turn.
inline constexpr std::size_t colors = 8;

/// A memory and its latency.
struct Pipeline {
  std::string name;
  Width width;
  Latency latency;
};

/// Block, and warp in it.
using WarpName = std::pair<std::uint64_t, std::uint64_t>;

/// A stage that enters a pipeline in one time unit.
struct Stage {
  std::size_t pipeline;
  WarpName warp;
  Time time;
  Operation operation;
  std::string what;  ///< for example "reads a[7, 5, 0]"
  std::vector<Address> addresses;
};

/// An access of a warp.
struct Bar {
  WarpName warp;
  Time begin;
  Time end;
  Operation operation;
  std::string what;
};

struct Chart {
  std::string title;
  std::vector<Pipeline> pipelines = {};
  std::vector<Stage> stages = {};
  std::vector<Bar> bars = {};
  std::set<WarpName> warps = {};
  std::vector<Time> launch_ends = {};
  Time end = 0;
  Address highest = 0;  ///< the highest address in memories that show addresses
};

/// Positions and sizes, in pixels.
struct Layout {
  static constexpr std::uint64_t left = 120;
  static constexpr std::uint64_t band_gap = 26;
  static constexpr std::uint64_t bar_height = 18;
  static constexpr std::uint64_t line_height = 12;    ///< of an address
  static constexpr std::uint64_t low = 10;            ///< a register without addresses
  static constexpr std::uint64_t legend_height = 16;  ///< of each line of the legend
  static constexpr std::uint64_t legend_top = 30;
  static constexpr std::uint64_t legend_width = 390;
  static constexpr std::uint64_t title_letter = 8;  ///< about the widest letter

  explicit Layout(const Chart& chart) {
    const std::uint64_t of_address = 8 + 7 * std::to_string(chart.highest).size();
    unit = std::max<std::uint64_t>(22, of_address);
    std::uint64_t of_registers = 0;
    for (const Pipeline& pipeline : chart.pipelines) {
      of_registers += pipeline.latency * written_height(pipeline);
    }
    writes_addresses = std::max(chart.end * unit, of_registers) <= longest_written;
    if (!writes_addresses) unit = chart.end > 100 ? 11 : 22;
    bool any_written = false;
    for (const Pipeline& pipeline : chart.pipelines) any_written |= is_written(pipeline);
    legend = {"a bar: an access, from its first stage to its completion",
              std::string("a color: a warp, as in its row at the bottom") +
                  (chart.warps.size() > colors ? "; they repeat" : ""),
              "a dashed line: a launch ends"};
    if (!chart.pipelines.empty()) {
      legend.insert(legend.begin(), std::string("a box: a stage, one time unit in a register") +
                                        (any_written ? ", with its addresses" : ""));
    }
    axis = legend_top + (1 + legend.size()) * legend_height + 20;
    std::uint64_t y = axis + band_gap;
    for (const Pipeline& pipeline : chart.pipelines) {
      tops.push_back(y);
      y += pipeline.latency * row_height(pipeline) + band_gap;
    }
    tops.push_back(y);
    bottom = y + chart.warps.size() * bar_height;
    height = bottom + 24;
    width = std::max({x_of(chart.end) + 30, 24 + title_letter * chart.title.size(), legend_width});
  }

  std::uint64_t x_of(Time time) const { return left + time * unit; }
  /// The height of a register with its addresses: a line for each bank.
  static std::uint64_t written_height(const Pipeline& pipeline) {
    return pipeline.width <= widest_written ? pipeline.width * line_height + 2 : low;
  }
  bool is_written(const Pipeline& pipeline) const {
    return writes_addresses && pipeline.width <= widest_written;
  }
  std::uint64_t row_height(const Pipeline& pipeline) const {
    return writes_addresses ? written_height(pipeline) : low;
  }

  std::uint64_t unit;               ///< the width of a time unit
  bool writes_addresses;            ///< whether registers show addresses, unless too wide
  std::vector<std::string> legend;  ///< what boxes, colors and lines mean
  std::uint64_t axis;               ///< the y of the upper axis's numbers
  std::vector<std::uint64_t> tops;  ///< the y of each pipeline, then of the warps
  std::uint64_t bottom;
  std::uint64_t width;
  std::uint64_t height;
};

}  // namespace bankproof::chart
