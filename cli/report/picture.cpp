// Draws the worst warp: lanes down, banks (or the groups touched) across, and in each row the stage
// that serves the lane. A conflict shows as a column with several marks.
//
// Example, 4×4 transpose on the dmm of width 4:
//
//     bank
//  i  P(i)  0 1 2 3
//  0     0  1 · · ·
//  1     4  2 · · ·
//  2     8  3 · · ·
//  3    12  4 · · ·
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "formats.hpp"

namespace bankproof::cli {
namespace {

constexpr std::size_t widest_columns = 64;  // the part of 80 characters that the columns may take
constexpr std::size_t most_drawn_rows = 40;

std::size_t digits_of(std::uint64_t number) { return std::to_string(number).size(); }

/// The columns of a picture, ascending: numbers of banks or groups.
using Columns = std::vector<std::uint64_t>;

/// The column of a lane.
std::uint64_t column_of(const LaneReport& lane, bool groups) {
  return groups ? lane.place.group : lane.place.bank;
}

std::uint32_t banks_per_element(const MemoryChoice& memory) {
  return std::visit([](const auto& rule) { return rule.banks_per_element(); }, memory.rule);
}

/// All banks, or all touched groups, if the picture has room for them; otherwise as many as it has
/// room for, the most crowded first.
Columns choose_columns(const std::vector<LaneReport>& lanes, const MemoryChoice& memory,
                       std::size_t most) {
  const bool groups = conflicts_in_groups(memory.rule);
  Columns columns;
  if (!groups && memory.width() <= most) {
    for (Bank bank = 0; bank < memory.width(); ++bank) columns.push_back(bank);
    return columns;
  }
  std::map<std::uint64_t, std::size_t> load;
  for (const LaneReport& lane : lanes) ++load[column_of(lane, groups)];
  std::vector<std::pair<std::uint64_t, std::size_t>> order(load.begin(), load.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::size_t rows = 0;
  for (const auto& [column, threads] : order) {
    rows += threads;
    if (columns.size() == most || (rows > most_drawn_rows && !columns.empty())) break;
    columns.push_back(column);
  }
  std::sort(columns.begin(), columns.end());
  return columns;
}

/// The column numbers, with their digits one below the other. If the columns are consecutive, a
/// higher digit appears only where it changes.
std::vector<std::string> header_lines(const Columns& columns, std::size_t cell) {
  const bool in_a_row = columns.back() - columns.front() + 1 == columns.size();
  std::vector<std::string> lines;
  std::uint64_t power = 1;
  for (std::size_t digit = 1; digit < digits_of(columns.back()); ++digit) power *= 10;
  for (; power > 0; power /= 10) {
    std::string line;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::uint64_t prefix = columns[k] / power;
      const bool is_new = k == 0 || columns[k - 1] / power != prefix || !in_a_row;
      const bool shown = power == 1 || (prefix > 0 && is_new);
      line += fmt::format("{:>{}}", shown ? std::to_string(prefix % 10) : "", cell);
    }
    lines.push_back(line);
  }
  return lines;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// The widths of the two label columns of a lane.
struct Labels {
  std::size_t index = 1;
  std::size_t element = 4;
  std::string_view element_name;

  std::string operator()(const auto& i, const auto& touched) const {
    return fmt::format("  {:>{}}  {:>{}} ", i, index, touched, element);
  }
};

Labels labels_of(const std::vector<LaneReport>& lanes, std::string_view element_name) {
  Labels labels;
  labels.element_name = element_name;
  // Counts characters, not bytes: the element's name may have non-ASCII characters.
  labels.element = static_cast<std::size_t>(std::count_if(
      element_name.begin(), element_name.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  for (const LaneReport& lane : lanes) {
    labels.index = std::max(labels.index, digits_of(lane.index));
    labels.element = std::max(labels.element, digits_of(lane.element));
  }
  return labels;
}

/// The row of one lane; empty when its column is not shown.
std::string row_of(const LaneReport& lane, const Columns& columns, const MemoryChoice& memory,
                   const Labels& labels, std::size_t cell) {
  const bool groups = conflicts_in_groups(memory.rule);
  const std::uint64_t first = column_of(lane, groups);
  if (!std::binary_search(columns.begin(), columns.end(), first)) return "";
  const std::uint64_t last = first + (groups ? 0 : banks_per_element(memory) - 1);
  std::string row = labels(lane.index, lane.element);
  for (const std::uint64_t column : columns) {
    // The further banks of a wide element continue its mark.
    const std::string_view empty = column > first && column <= last ? "─" : "·";
    row += column == first ? fmt::format("{:>{}}", lane.place.stage + 1, cell)
                           : fmt::format("{:>{}}", empty, cell);
  }
  return row + "\n";
}

}  // namespace

std::string picture_of(const std::vector<LaneReport>& lanes, std::uint64_t stages,
                       std::string_view element_name, const MemoryChoice& memory) {
  const bool groups = conflicts_in_groups(memory.rule);
  const std::size_t cell = stages > 99 ? digits_of(stages) + 1 : std::size_t{2};
  const Columns columns = choose_columns(lanes, memory, widest_columns / cell);
  const Labels labels = labels_of(lanes, element_name);

  std::string picture;
  std::vector<std::string> header = header_lines(columns, cell);
  if (header.size() == 1) header.insert(header.begin(), "");  // a line for the name of the columns
  const std::string_view name = groups ? (memory.is_chip() ? "line" : "group") : "bank";
  for (std::size_t k = 0; k < header.size(); ++k) {
    const std::string left = k == 0                   ? labels("", name)
                             : k + 1 == header.size() ? labels("i", labels.element_name)
                                                      : labels("", "");
    picture += without_trailing_blanks(left + header[k]) + "\n";
  }
  std::size_t rows = 0;
  for (const LaneReport& lane : lanes) {
    const std::string row = row_of(lane, columns, memory, labels, cell);
    if (!row.empty() && ++rows <= most_drawn_rows) picture += row;
  }
  if (rows > most_drawn_rows) {
    picture += fmt::format("  … and {} in these {}s\n",
                           counted(rows - most_drawn_rows, "more thread"), name);
  }
  if (rows < lanes.size()) {
    picture +=
        fmt::format("  … and {} in other {}s\n", counted(lanes.size() - rows, "thread"), name);
  }
  return picture;
}

}  // namespace bankproof::cli
