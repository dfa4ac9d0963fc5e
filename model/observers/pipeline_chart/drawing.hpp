// How a chart of pipelines is drawn as SVG: a column for each time unit, a band for each memory
// with a row for each register, and a band with a row for each warp. See ../pipeline_chart.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../memory.hpp"
#include "../../units.hpp"
#include "xml.hpp"

namespace bankproof::chart {

/// Registers of wider memories are drawn without their addresses.
inline constexpr Width widest_written = 8;

/// A memory.
struct Pipeline {
  std::string name;
  Width width;
  Latency latency;
};

/// Block, and warp in it.
using WarpName = std::pair<std::uint64_t, std::uint64_t>;

/// What enters a pipeline in one time unit.
struct Stage {
  std::size_t pipeline;
  WarpName warp;
  Time time;
  std::string what;  ///< for example "reads a[7, 5, 0]"
  std::vector<Address> addresses;
};

/// An access of a warp.
struct Bar {
  WarpName warp;
  Time begin;
  Time end;
  std::string what;
};

struct Chart {
  const std::string& title;
  const std::vector<Pipeline>& pipelines;
  const std::vector<Stage>& stages;
  const std::vector<Bar>& bars;
  const std::vector<Time>& launch_ends;
  Time end;
};

class Drawing {
 public:
  Drawing(std::ostream& out, const Chart& chart) : out_(out), chart_(chart) {
    bool several_blocks = false;
    for (const Bar& bar : chart.bars) {
      warps_.try_emplace(bar.warp, 0);
      several_blocks |= bar.warp.first != chart.bars.front().warp.first;
    }
    std::size_t row = 0;
    for (auto& [name, its_row] : warps_) {
      its_row = row++;
      labels_.push_back((several_blocks ? "block " + std::to_string(name.first) + ", " : "") +
                        "W(" + std::to_string(name.second) + ")");
    }
    std::uint64_t y = 46;
    for (const Pipeline& pipeline : chart.pipelines) {
      tops_.push_back(y);
      y += pipeline.latency * row_height(pipeline) + band_gap;
    }
    tops_.push_back(y);
    bottom_ = y + warps_.size() * bar_height;
    unit_ = chart.end > 100 ? 11 : 22;
    for (const Stage& stage : chart.stages) {
      if (!is_written(chart.pipelines[stage.pipeline])) continue;
      for (const Address address : stage.addresses) {
        unit_ = std::max<std::uint64_t>(unit_, 8 + 7 * std::to_string(address).size());
      }
    }
  }

  void draw() {
    const std::uint64_t width = std::max(x_of(chart_.end) + 30, 24 + 7 * chart_.title.size());
    const std::uint64_t height = bottom_ + 40;
    out_
        << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width << ' ' << height
        << "' width='" << width << "' height='" << height << "' role='img'>\n"
        << "<title>" << escaped_for_xml(chart_.title) << "</title>\n"
        << "<desc>Time goes to the right. Each memory has a row for each register of its pipeline: "
           "a stage enters the first and goes down one each time unit. Each warp has a row with a "
           "bar for each access, from its first stage to its completion. Complete after "
        << chart_.end << " time units.</desc>\n"
        << style << "<rect class='paper' width='100%' height='100%'/>\n";
    text(12, 20, "heading", chart_.title);
    axis();
    for (std::size_t k = 0; k < chart_.pipelines.size(); ++k) registers(k);
    for (const Stage& stage : chart_.stages) draw(stage);
    text(12, tops_.back() - 6, "band", "warps");
    for (std::size_t row = 0; row < labels_.size(); ++row) {
      text(left - 6, tops_.back() + row * bar_height + 13, "label", labels_[row]);
    }
    for (const Bar& bar : chart_.bars) draw(bar);
    out_ << "</svg>\n";
  }

 private:
  static constexpr std::uint64_t left = 120;
  static constexpr std::uint64_t band_gap = 26;
  static constexpr std::uint64_t bar_height = 18;
  static constexpr std::uint64_t line_height = 12;
  static constexpr std::string_view style =
      "<style>text{font:11px sans-serif;fill:#1f2328}.heading{font-size:13px}"
      ".band{font-weight:bold}.label{text-anchor:end}"
      ".tick,.word{text-anchor:middle}.word{font:10px monospace;fill:#000}"
      ".paper{fill:#fff}.grid{stroke:#d0d7de}.launch{stroke:#1f2328;stroke-dasharray:3 3}"
      "rect{stroke-width:1}.box{stroke:#57606a}"
      ".w0{fill:#9ecbff}.w1{fill:#ffd8a8}.w2{fill:#b2f2bb}.w3{fill:#ffc9c9}"
      ".w4{fill:#d0bfff}.w5{fill:#ffec99}.w6{fill:#99e9f2}.w7{fill:#dee2e6}"
      "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.word{fill:#000}.paper{fill:#0d1117}"
      ".grid{stroke:#30363d}.launch{stroke:#e6edf3}}</style>\n";

  static bool is_written(const Pipeline& pipeline) { return pipeline.width <= widest_written; }
  /// A line for each bank where addresses are written.
  static std::uint64_t row_height(const Pipeline& pipeline) {
    return is_written(pipeline) ? pipeline.width * line_height + 2 : 10;
  }
  std::uint64_t x_of(Time time) const { return left + time * unit_; }

  void text(std::uint64_t x, std::uint64_t y, std::string_view kind, std::string_view content) {
    out_ << "<text class='" << kind << "' x='" << x << "' y='" << y << "'>"
         << escaped_for_xml(content) << "</text>\n";
  }
  void line(std::string_view kind, std::uint64_t x, std::uint64_t from, std::uint64_t to) {
    out_ << "<path class='" << kind << "' d='M" << x << ' ' << from << 'V' << to << "'/>\n";
  }

  /// Between numbers of the axis: 1, 2, 5, 10, …, so far apart that they can be read.
  Time step() const {
    for (Time decade = 1;; decade *= 10) {
      for (const Time factor : {1U, 2U, 5U}) {
        if (factor * decade * unit_ >= 22 && chart_.end / (factor * decade) <= 400) {
          return factor * decade;
        }
      }
    }
  }

  void axis() {
    const std::uint64_t top = 40;
    for (Time time = 0; time <= chart_.end; time += step()) {
      line("grid", x_of(time), top, bottom_);
      text(x_of(time), bottom_ + 14, "tick", std::to_string(time));
    }
    for (const Time time : chart_.launch_ends) line("launch", x_of(time), top, bottom_);
    text(left, bottom_ + 30, "axis", "time units");
  }

  void registers(std::size_t number) {
    const Pipeline& pipeline = chart_.pipelines[number];
    const std::uint64_t height = row_height(pipeline);
    text(12, tops_[number] - 6, "band",
         pipeline.name + ", latency " + std::to_string(pipeline.latency));
    const std::uint64_t step = height < 14 ? 10 : 1;
    for (std::uint64_t k = 1; k <= pipeline.latency; ++k) {
      if (k != 1 && k % step != 0) continue;
      text(left - 6, tops_[number] + (k - 1) * height + height / 2 + 4, "label",
           "register " + std::to_string(k));
    }
  }

  void box(const WarpName& warp, std::uint64_t x, std::uint64_t y, std::uint64_t width,
           std::uint64_t height) {
    out_ << "<rect class='box w" << warps_.at(warp) % 8 << "' x='" << x << "' y='" << y
         << "' width='" << width << "' height='" << height << "'/>";
  }
  void title(const WarpName& warp, Time time, const std::string& what) {
    out_ << "<g><title>" << labels_[warps_.at(warp)] << ' ' << escaped_for_xml(what) << ", time "
         << time << "</title>";
  }

  void draw(const Stage& stage) {
    const Pipeline& pipeline = chart_.pipelines[stage.pipeline];
    const std::uint64_t height = row_height(pipeline);
    title(stage.warp, stage.time, stage.what);
    for (std::uint64_t k = 0; k < pipeline.latency; ++k) {
      const std::uint64_t x = x_of(stage.time + k);
      const std::uint64_t y = tops_[stage.pipeline] + k * height;
      box(stage.warp, x, y, unit_, height);
      if (!is_written(pipeline)) continue;
      for (const Address address : stage.addresses) {
        out_ << "<text class='word' x='" << x + unit_ / 2 << "' y='"
             << y + (address % pipeline.width + 1) * line_height - 1 << "'>" << address
             << "</text>";
      }
    }
    out_ << "</g>\n";
  }

  void draw(const Bar& bar) {
    title(bar.warp, bar.begin, bar.what);
    box(bar.warp, x_of(bar.begin), tops_.back() + warps_.at(bar.warp) * bar_height + 2,
        (bar.end - bar.begin) * unit_, bar_height - 4);
    out_ << "</g>\n";
  }

  std::ostream& out_;
  const Chart& chart_;
  std::map<WarpName, std::size_t> warps_;  ///< their rows
  std::vector<std::string> labels_;
  std::vector<std::uint64_t> tops_;  ///< of the pipelines, and then of the warps
  std::uint64_t bottom_ = 0;
  std::uint64_t unit_ = 0;  ///< of time, in pixels
};

inline void draw(std::ostream& out, const Chart& chart) { Drawing(out, chart).draw(); }

}  // namespace bankproof::chart
