// Draws a chart of pipelines as SVG. See ../pipeline_chart.hpp and layout.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "layout.hpp"
#include "xml.hpp"

namespace bankproof::chart {

class Drawing {
 public:
  Drawing(std::ostream& out, const Chart& chart) : out_(out), chart_(chart), layout_(chart) {
    const bool several_blocks =
        !chart.warps.empty() && chart.warps.begin()->first != chart.warps.rbegin()->first;
    for (const WarpName& name : chart.warps) {
      warps_.emplace(name, labels_.size());
      labels_.push_back((several_blocks ? "block " + std::to_string(name.first) + ", " : "") +
                        "W(" + std::to_string(name.second) + ")");
    }
  }

  void draw() {
    out_
        << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << layout_.width << ' '
        << layout_.height << "' width='" << layout_.width << "' height='" << layout_.height
        << "' role='img'>\n"
        << "<title>" << escaped_for_xml(chart_.title) << "</title>\n"
        << "<desc>Time goes to the right. Each memory has a row for each register of its pipeline: "
           "a stage enters the first and goes down one each time unit. Each warp has a row with a "
           "bar for each access, from its first stage to its completion. Complete after "
        << chart_.end << " time units.</desc>\n"
        << style << "<rect class='paper' width='100%' height='100%'/>\n";
    text(12, 20, "heading", chart_.title);
    legend();
    axis();
    for (std::size_t k = 0; k < chart_.pipelines.size(); ++k) registers(k);
    for (const Stage& stage : chart_.stages) draw(stage);
    const std::uint64_t top = layout_.tops.back();
    text(12, top - 6, "band", "warps");
    for (std::size_t row = 0; row < labels_.size(); ++row) {
      text(Layout::left - 6, top + row * Layout::bar_height + 13, "label", labels_[row]);
    }
    for (const Bar& bar : chart_.bars) draw(bar);
    out_ << "</svg>\n";
  }

 private:
  static constexpr std::string_view style =
      "<style>text{font:11px sans-serif;fill:#1f2328}.heading{font-size:13px}"
      ".band{font-weight:bold}.label{text-anchor:end}"
      ".tick,.word{text-anchor:middle}.word{font:10px monospace;fill:#000}"
      ".paper{fill:#fff}.grid{stroke:#d0d7de}.launch{stroke:#1f2328;stroke-dasharray:3 3}"
      ".box{stroke:#57606a}.write{stroke:#000;stroke-width:2.5}"
      ".w0{fill:#9ecbff}.w1{fill:#ffd8a8}.w2{fill:#b2f2bb}.w3{fill:#ffc9c9}"
      ".w4{fill:#d0bfff}.w5{fill:#ffec99}.w6{fill:#99e9f2}.w7{fill:#dee2e6}"
      "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.word{fill:#000}.paper{fill:#0d1117}"
      ".grid{stroke:#30363d}.launch{stroke:#e6edf3}}</style>\n";

  void text(std::uint64_t x, std::uint64_t y, std::string_view kind, std::string_view content) {
    out_ << "<text class='" << kind << "' x='" << x << "' y='" << y << "'>"
         << escaped_for_xml(content) << "</text>\n";
  }
  void line(std::string_view kind, std::uint64_t x, std::uint64_t from, std::uint64_t to) {
    out_ << "<path class='" << kind << "' d='M" << x << ' ' << from << 'V' << to << "'/>\n";
  }

  /// The distance between numbers of the axis: the least of 1, 2, 5, 10, … that keeps them
  /// readable.
  Time step() const {
    const std::uint64_t of_number = 8 + 7 * std::to_string(chart_.end).size();
    for (Time decade = 1;; decade *= 10) {
      for (const Time factor : {1U, 2U, 5U}) {
        if (factor * decade * layout_.unit >= of_number) return factor * decade;
      }
    }
  }

  void swatch(std::string_view kind, std::uint64_t x, std::uint64_t y) {
    out_ << "<rect class='legend " << kind << " w0' x='" << x << "' y='" << y
         << "' width='14' height='10'/>\n";
  }

  void legend() {
    std::uint64_t y = Layout::legend_top + 10;
    swatch("box", 12, y - 9);
    text(32, y, "key", "reads");
    swatch("box write", 82, y - 9);
    text(102, y, "key", "writes");
    for (const std::string& line : layout_.legend)
      text(12, y += Layout::legend_height, "key", line);
  }

  void axis() {
    const std::uint64_t bottom = layout_.bottom;
    for (const std::uint64_t y : {layout_.axis, bottom + 14}) {
      text(Layout::left - 12, y, "label", "time units");
      for (Time time = 0; time <= chart_.end; time += step()) {
        text(layout_.x_of(time), y, "tick", std::to_string(time));
      }
    }
    const std::uint64_t top = layout_.axis + 6;
    for (Time time = 0; time <= chart_.end; time += step()) {
      line("grid", layout_.x_of(time), top, bottom);
    }
    for (const Time time : chart_.launch_ends) line("launch", layout_.x_of(time), top, bottom);
  }

  void registers(std::size_t number) {
    const Pipeline& pipeline = chart_.pipelines[number];
    const std::uint64_t top = layout_.tops[number];
    const std::uint64_t height = layout_.row_height(pipeline);
    text(12, top - 6, "band", pipeline.name + ", latency " + std::to_string(pipeline.latency));
    const std::uint64_t step = height < 14 ? 10 : 1;
    for (std::uint64_t k = 1; k <= pipeline.latency; ++k) {
      if (k != 1 && k % step != 0) continue;
      text(Layout::left - 6, top + (k - 1) * height + height / 2 + 4, "label",
           "register " + std::to_string(k));
    }
  }

  /// The box of a read or a write; the thick border of a write stays inside.
  void box(const WarpName& warp, Operation operation, std::uint64_t x, std::uint64_t y,
           std::uint64_t width, std::uint64_t height) {
    const bool writes = operation == Operation::write;
    const std::uint64_t inset = writes ? 1 : 0;
    out_ << "<rect class='box" << (writes ? " write" : "") << " w" << warps_.at(warp) % colors
         << "' x='" << x + inset << "' y='" << y + inset << "' width='" << width - 2 * inset
         << "' height='" << height - 2 * inset << "'/>";
  }
  void title(const WarpName& warp, Time time, const std::string& what) {
    out_ << "<g><title>" << labels_[warps_.at(warp)] << ' ' << escaped_for_xml(what) << ", time "
         << time << "</title>";
  }

  void draw(const Stage& stage) {
    const Pipeline& pipeline = chart_.pipelines[stage.pipeline];
    const std::uint64_t height = layout_.row_height(pipeline);
    title(stage.warp, stage.time, stage.what);
    for (std::uint64_t k = 0; k < pipeline.latency; ++k) {
      const std::uint64_t x = layout_.x_of(stage.time + k);
      const std::uint64_t y = layout_.tops[stage.pipeline] + k * height;
      box(stage.warp, stage.operation, x, y, layout_.unit, height);
      if (!layout_.is_written(pipeline)) continue;
      for (const Address address : stage.addresses) {
        out_ << "<text class='word' x='" << x + layout_.unit / 2 << "' y='"
             << y + (address % pipeline.width + 1) * Layout::line_height - 1 << "'>" << address
             << "</text>";
      }
    }
    out_ << "</g>\n";
  }

  void draw(const Bar& bar) {
    title(bar.warp, bar.begin, bar.what);
    box(bar.warp, bar.operation, layout_.x_of(bar.begin),
        layout_.tops.back() + warps_.at(bar.warp) * Layout::bar_height + 2,
        (bar.end - bar.begin) * layout_.unit, Layout::bar_height - 4);
    out_ << "</g>\n";
  }

  std::ostream& out_;
  const Chart& chart_;
  Layout layout_;
  std::map<WarpName, std::size_t> warps_;  ///< each warp's row
  std::vector<std::string> labels_;
};

inline void draw(std::ostream& out, const Chart& chart) { Drawing(out, chart).draw(); }

}  // namespace bankproof::chart
