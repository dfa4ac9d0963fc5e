// Draws a chart as SVG: lines over a grid, a dashed vertical line for each mark, and the names
// beside it. See as_svg in table_formats.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../../model/observers/pipeline_chart/xml.hpp"
#include "table_formats.hpp"

namespace bankproof::cli {
namespace {

constexpr double left = 110;
constexpr double top = 50;
constexpr double chart_width = 520;
constexpr double height = 330;
constexpr double names = 330;  // space on the right for the names of the lines

/// The colors of the lines in order; they also differ in lightness (Okabe and Ito's palette).
constexpr std::array<std::string_view, 7> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#000000"};

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped_for_xml(text));
}

std::string line_between(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" style=\"{}\"/>\n", x1, y1, x2,
      y2, style);
}

/// Maps the values of an axis to 0 … 1.
class Scale {
 public:
  explicit Scale(bool logarithmic) : logarithmic_(logarithmic) {}

  void include(double value) {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
  /// Makes a linear scale start at 0 or below.
  void begin_with_zero() {
    if (!logarithmic_) least_ = std::min(least_, 0.0);
  }
  double operator()(double value) const {
    if (most_ == least_) return 0.5;
    if (!logarithmic_) return (value - least_) / (most_ - least_);
    return std::log(value / least_) / std::log(most_ / least_);
  }
  /// The values at which grid lines stand: at powers of two or of ten, or at round steps; about ten
  /// lines at most.
  std::vector<double> ticks(bool octaves) const {
    std::vector<double> all;
    if (logarithmic_) {
      double factor = octaves || most_ / least_ < 50 ? 2 : 10;
      while (std::log(most_ / least_) / std::log(factor) > 10) factor *= factor;
      const double first = std::pow(factor, std::ceil(std::log(least_) / std::log(factor) - 1e-9));
      for (double tick = first; tick <= most_ * (1 + 1e-9); tick *= factor) all.push_back(tick);
      return all;
    }
    double step = std::pow(10, std::floor(std::log10(std::max(most_ - least_, 1e-9))));
    if ((most_ - least_) / step < 4) step /= 2;
    for (double tick = std::ceil(least_ / step) * step; tick <= most_; tick += step) {
      all.push_back(tick);
    }
    return all;
  }

 private:
  bool logarithmic_;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

/// The label of a tick, short enough to stand beside others: large powers of two as "2^20".
std::string tick_text(double tick) {
  int exponent = 0;
  if (tick > 100000 && std::frexp(tick, &exponent) == 0.5) return fmt::format("2^{}", exponent - 1);
  return number_text(tick);
}

}  // namespace

std::string as_svg(const SourceTable& table) {
  const Chart& chart = table.chart;
  Scale x_scale(chart.x.logarithmic);
  Scale y_scale(chart.y.logarithmic);
  for (const Series& line : chart.lines) {
    for (const Point& point : line.points) {
      x_scale.include(point.x);
      y_scale.include(point.y);
    }
  }
  y_scale.begin_with_zero();
  const auto x_of = [&](double x) { return left + chart_width * x_scale(x); };
  const auto y_of = [&](double y) { return top + height * (1 - y_scale(y)); };
  const double bottom = top + height;

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      left + chart_width + names, bottom + 60, escaped_for_xml(table.id + ": " + table.title));
  svg += text_at(left, 24, "start", table.id + ": " + table.title);
  svg += text_at(left, top - 10, "start", chart.y.name);
  svg += text_at(left + chart_width / 2, bottom + 42, "middle", chart.x.name);
  constexpr std::string_view grid = "stroke:#ddd";
  for (const double tick : x_scale.ticks(true)) {
    svg += line_between(x_of(tick), top, x_of(tick), bottom, grid);
    svg += text_at(x_of(tick), bottom + 18, "middle", tick_text(tick));
  }
  for (const double tick : y_scale.ticks(false)) {
    svg += line_between(left, y_of(tick), left + chart_width, y_of(tick), grid);
    svg += text_at(left - 8, y_of(tick) + 4, "end", number_text(tick));
  }
  const double beside = left + chart_width + 14;
  double name_y = top + 12;
  for (std::size_t k = 0; k < chart.lines.size(); ++k) {
    const Series& line = chart.lines[k];
    const std::string_view color = colors[k % colors.size()];
    // Lines beyond the palette are dashed.
    const std::string style = fmt::format("stroke:{};stroke-width:2;fill:none{}", color,
                                          k < colors.size() ? "" : ";stroke-dasharray:6 3");
    std::string points;
    for (const Point& point : line.points) {
      points +=
          fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x_of(point.x), y_of(point.y));
    }
    svg += fmt::format("<polyline points=\"{}\" style=\"{}\"/>\n", points, style);
    for (const Point& point : line.points) {
      svg += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"><title>{}: {}</title>"
          "</circle>\n",
          x_of(point.x), y_of(point.y), color, number_text(point.x), number_text(point.y));
    }
    svg += line_between(beside, name_y - 4, beside + 22, name_y - 4, style);
    svg += text_at(beside + 28, name_y, "start", line.name);
    name_y += 20;
  }
  for (const Mark& mark : chart.marks) {
    const double x = x_of(mark.x);
    svg += line_between(x, top, x, bottom, "stroke:#555;stroke-dasharray:3 3");
    svg += text_at(beside, name_y + 8, "start",
                   chart.x.name + " = " + number_text(mark.x) + ": " + mark.name);
    name_y += 20;
  }
  return svg + "</svg>\n";
}

}  // namespace bankproof::cli
