// The report for people: what was checked, a table, a histogram, a drawing of the worst warp, and a
// verdict.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "formats.hpp"

namespace bankproof::cli {
namespace {

std::string heading(const CheckReport& report) {
  const std::size_t size = report.permutation.size();
  const Width width = report.memory.width();
  return fmt::format("{}: {} in {} of {}, on {}\n", report.permutation.name,
                     counted(size, "element"), counted(ceil_div(size, width), "warp"), width,
                     report.memory.description());
}

std::string table_row(std::string_view name, std::string_view what, const ConflictReport& row) {
  return fmt::format("  {:<11}  {:<16} {:>11} {:>11} {:>11} {:>5} {:>7.2f}\n", name, what,
                     row.stages, row.ideal, row.excess(), row.max, row.mean());
}

std::string table(const CheckReport& report) {
  std::string text = fmt::format("  {:<29} {:>11} {:>11} {:>11} {:>5} {:>7}\n", "",
                                 report.memory.unit() + "s", "ideal", "excess", "max", "mean");
  for (const AccessResult& access : report.accesses) {
    text += table_row(access.name(), access.formula(), access.report);
    if (access.sectors) text += table_row("", "32-byte sectors", *access.sectors);
  }
  const auto& distribution = report.accesses.front().distribution;
  if (distribution) {
    text += fmt::format("\n  D_{0}(P) = {1}: distinct pairs of the groups of i and of P(i)\n",
                        report.memory.width(), *distribution);
  }
  return text;
}

// ---- histogram --------------------------------------------------------------------------------

constexpr std::size_t most_rows = 16;

/// The stage counts first … last, which share one row.
struct Range {
  std::size_t first;
  std::size_t last;
};

/// One row for each stage count that occurs. If that makes too many rows, the rows are equal ranges
/// of counts.
std::vector<Range> ranges_of(const CheckReport& report) {
  std::vector<Range> each;
  for (const AccessResult& access : report.accesses) {
    const auto& histogram = access.report.histogram;
    for (std::size_t k = 0; k < histogram.size(); ++k) {
      if (histogram[k] > 0) each.push_back({k, k});
    }
  }
  const auto is_less = [](Range a, Range b) { return a.first < b.first; };
  const auto is_equal = [](Range a, Range b) { return a.first == b.first; };
  std::sort(each.begin(), each.end(), is_less);
  each.erase(std::unique(each.begin(), each.end(), is_equal), each.end());
  if (each.size() <= most_rows) return each;

  const std::size_t least = each.front().first;
  const std::size_t most = each.back().first;
  const std::size_t step = (most - least) / most_rows + 1;
  std::vector<Range> ranges;
  for (std::size_t first = least; first <= most; first += step) {
    ranges.push_back({first, std::min(first + step - 1, most)});
  }
  return ranges;
}

std::uint64_t warps_in(const AccessResult& access, Range range) {
  std::uint64_t warps = 0;
  for (std::size_t k = range.first; k <= range.last && k < access.report.histogram.size(); ++k) {
    warps += access.report.histogram[k];
  }
  return warps;
}

/// A bar of at most `cells` characters, in steps of an eighth; empty only if the value is 0.
std::string bar(std::uint64_t value, std::uint64_t most, std::size_t cells) {
  constexpr std::array<std::string_view, 8> parts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double share = static_cast<double>(value) / static_cast<double>(most);
  auto eighths = static_cast<std::size_t>(std::lround(8 * static_cast<double>(cells) * share));
  if (value > 0) eighths = std::max<std::size_t>(eighths, 1);
  std::string text;
  for (std::size_t k = 0; k < eighths / 8; ++k) text += "█";
  return text += parts[eighths % 8];
}

std::string histogram(const CheckReport& report) {
  const std::vector<Range> ranges = ranges_of(report);
  const std::size_t cells = report.accesses.size() == 1 ? 48 : 20;
  std::uint64_t most = 1;
  for (const AccessResult& access : report.accesses) {
    for (const Range range : ranges) most = std::max(most, warps_in(access, range));
  }
  const std::size_t digits = std::max<std::size_t>(std::to_string(most).size(), 5);

  std::string text = fmt::format("  {:>9}", report.memory.unit() + "s");
  for (const AccessResult& access : report.accesses) {
    const bool is_last = &access == &report.accesses.back();
    const std::string title = fmt::format("warps, {}", access.name());
    text += fmt::format("   {:<{}}", title, is_last ? 0 : digits + 1 + cells);
  }
  text += "\n";
  for (const Range range : ranges) {
    const bool is_empty =
        std::all_of(report.accesses.begin(), report.accesses.end(),
                    [&](const auto& access) { return warps_in(access, range) == 0; });
    if (is_empty) continue;
    std::string line = fmt::format("  {:>9}", range.first == range.last
                                                  ? std::to_string(range.first)
                                                  : fmt::format("{}–{}", range.first, range.last));
    for (const AccessResult& access : report.accesses) {
      const bool is_last = &access == &report.accesses.back();
      const std::uint64_t warps = warps_in(access, range);
      line += fmt::format("   {:>{}} {:<{}}", warps, digits, bar(warps, most, cells),
                          is_last ? 0 : cells);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// ---- the worst warp, the verdict ----------------------------------------------------------------

/// Breaks the text into lines of at most 80 characters.
std::string wrapped(std::string_view text) {
  constexpr std::size_t widest = 80;
  std::string lines;
  while (text.size() > widest) {
    const std::size_t cut = text.rfind(' ', widest);
    if (cut == std::string_view::npos) break;
    lines += std::string(text.substr(0, cut)) + "\n";
    text.remove_prefix(cut + 1);
  }
  return lines + std::string(text) + "\n";
}

std::string worst_warp(const CheckReport& report) {
  const AccessResult& worst = *std::max_element(
      report.accesses.begin(), report.accesses.end(),
      [](const AccessResult& a, const AccessResult& b) { return a.report.max < b.report.max; });
  const auto lanes = static_cast<Width>(worst.worst.size());
  if (worst.report.max <= ideal_of_distinct(report.memory.rule, lanes)) {
    return fmt::format("No warp takes more than the ideal {}.\n",
                       counted(worst.report.max, report.memory.unit()));
  }
  const std::string headline =
      fmt::format("Worst warp: {}, warp {}, threads {} to {}, takes {}:\n", worst.name(),
                  worst.report.worst_warp, worst.worst.front().index, worst.worst.back().index,
                  counted(worst.report.max, report.memory.unit()));
  const std::string explanation =
      fmt::format("{}. Numbers are the threads' {}s.", reason(report.memory, worst.worst),
                  report.memory.unit());
  return headline + wrapped(explanation) + "\n" +
         picture_of(worst.worst, worst.report.max, worst.element_name(), report.memory);
}

std::string verdict(const CheckReport& report) {
  const std::string limit = counted(report.max_stages, report.memory.unit());
  if (report.within_limit()) {
    return fmt::format("Within the limit: no warp takes more than {}.\n", limit);
  }
  std::string text = fmt::format("Over the limit of {}:", limit);
  std::uint32_t most = 0;
  for (const AccessResult& access : report.accesses) {
    const bool is_first = &access == &report.accesses.front();
    most = std::max(most, access.report.max);
    text += fmt::format("{} {} of {}{} ({})", is_first ? "" : ",", access.over_limit,
                        access.report.warps, is_first ? " warps" : "", access.name());
  }
  return text + fmt::format(
                    ".\nTo accept it: --max-stages {}. For scripts: --format json, sarif or "
                    "junit.\n",
                    most);
}

}  // namespace

std::string as_text(const CheckReport& report) {
  std::string text = heading(report) + "\n" + table(report) + "\n" + histogram(report) + "\n" +
                     worst_warp(report) + "\n";
  for (const std::string& note : report.memory.notes) {
    text += wrapped(fmt::format("Note: {}.", note));
  }
  return text + verdict(report);
}

}  // namespace bankproof::cli
