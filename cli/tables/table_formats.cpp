// See table_formats.hpp.
#include "table_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

namespace bankproof::cli {
namespace {

/// The number of columns that a UTF-8 text takes.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}
std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - characters(text), ' ');
}

/// The x of all points, in ascending order.
std::set<double> places(const Chart& chart) {
  std::set<double> all;
  for (const Series& line : chart.lines) {
    for (const Point& point : line.points) all.insert(point.x);
  }
  return all;
}

/// A column for x and one for each line.
std::string text_of(const Chart& chart) {
  if (chart.lines.empty()) return {};
  std::vector<std::vector<std::string>> columns = {{chart.x.name}};
  const std::set<double> xs = places(chart);
  for (const double x : xs) columns[0].push_back(number_text(x));
  for (const Series& line : chart.lines) {
    std::vector<std::string> column = {line.name};
    for (const double x : xs) {
      const auto found = std::ranges::find(line.points, x, &Point::x);
      column.push_back(found == line.points.end() ? "" : number_text(found->y));
    }
    columns.push_back(column);
  }
  std::string text = "\n  " + chart.y.name + ":\n\n";
  for (std::size_t row = 0; row <= xs.size(); ++row) {
    std::string line;
    for (const std::vector<std::string>& column : columns) {
      std::size_t width = 0;
      for (const std::string& entry : column) width = std::max(width, characters(entry));
      line += "  " + std::string(width - characters(column[row]), ' ') + column[row];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  if (!chart.marks.empty()) text += "\n";
  for (const Mark& mark : chart.marks) {
    text += fmt::format("  {} = {}: {}\n", chart.x.name, number_text(mark.x), mark.name);
  }
  return text;
}

std::string text_of(const SourceTable& table) {
  std::size_t row = 3;
  std::size_t column = 6;
  std::size_t printed = characters(table.reference);
  std::size_t here = 4;
  for (const TableCell& cell : table.cells) {
    row = std::max(row, characters(cell.row));
    column = std::max(column, characters(cell.column));
    printed = std::max(printed, characters(cell.printed));
    here = std::max(here, characters(cell.here));
  }
  std::string text = fmt::format("{}  {}\n{}\n\n", table.id, table.title, table.how);
  const auto line = [&](std::string_view a, std::string_view b, std::string_view c,
                        std::string_view d, std::string_view mark) {
    const std::string whole = fmt::format("  {}  {}  {}  {}  {}", padded(a, row), padded(b, column),
                                          padded(c, printed), padded(d, here), mark);
    text += whole.substr(0, whole.find_last_not_of(' ') + 1) + "\n";
  };
  line("row", "column", table.reference, "here", "");
  std::size_t different = 0;
  for (const TableCell& cell : table.cells) {
    if (cell.differs()) ++different;
    const std::string mark = !cell.differs()        ? "="
                             : cell.erratum.empty() ? "≠"
                                                    : "≠ docs/errata.md: " + cell.erratum;
    line(cell.row, cell.column, cell.printed, cell.here,
         mark + (cell.note.empty() ? "" : "  " + cell.note));
  }
  text += different == 0
              ? fmt::format("\nAll {} cells are as {}.\n", table.cells.size(), table.reference)
              : fmt::format("\n{} of {} cells differ.\n", different, table.cells.size());
  return text + text_of(table.chart);
}

nlohmann::ordered_json json_of(const Chart& chart) {
  auto lines = nlohmann::ordered_json::array();
  for (const Series& line : chart.lines) {
    auto points = nlohmann::ordered_json::array();
    for (const Point& point : line.points) points.push_back({point.x, point.y});
    lines.push_back({{"name", line.name}, {"points", points}});
  }
  auto marks = nlohmann::ordered_json::array();
  for (const Mark& mark : chart.marks) marks.push_back({{"name", mark.name}, {"x", mark.x}});
  return {{"x", chart.x.name}, {"y", chart.y.name}, {"lines", lines}, {"marks", marks}};
}

nlohmann::ordered_json json_of(const SourceTable& table) {
  auto cells = nlohmann::ordered_json::array();
  for (const TableCell& cell : table.cells) {
    nlohmann::ordered_json json = {{"row", cell.row},
                                   {"column", cell.column},
                                   {"printed", cell.printed},
                                   {"here", cell.here},
                                   {"differs", cell.differs()}};
    if (!cell.erratum.empty()) json["erratum"] = cell.erratum;
    if (!cell.note.empty()) json["note"] = cell.note;
    cells.push_back(json);
  }
  nlohmann::ordered_json json = {
      {"id", table.id}, {"title", table.title}, {"how", table.how}, {"cells", cells}};
  if (!table.chart.lines.empty()) json["chart"] = json_of(table.chart);
  return json;
}

/// The text as a field of RFC 4180.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}
std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : ",") + csv_field(field);
  return line + "\n";
}

}  // namespace

std::string as_text(const std::vector<SourceTable>& tables) {
  std::string text;
  for (const SourceTable& table : tables) text += (text.empty() ? "" : "\n\n") + text_of(table);
  return text;
}

std::string as_json(const std::vector<SourceTable>& tables) {
  auto all = nlohmann::ordered_json::array();
  for (const SourceTable& table : tables) all.push_back(json_of(table));
  return nlohmann::ordered_json{{"tables", all}}.dump(2) + "\n";
}

std::string as_csv(const std::vector<SourceTable>& tables) {
  std::string csv = "table,row,column,printed,here,erratum,note\n";
  for (const SourceTable& table : tables) {
    for (const TableCell& cell : table.cells) {
      csv += csv_line(
          {table.id, cell.row, cell.column, cell.printed, cell.here, cell.erratum, cell.note});
    }
    for (const Series& line : table.chart.lines) {
      for (const Point& point : line.points) {
        csv +=
            csv_line({table.id, number_text(point.x), line.name, "", number_text(point.y), "", ""});
      }
    }
  }
  return csv;
}

std::string number_text(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15) return fmt::format("{:.0f}", number);
  return fmt::format("{:.6g}", number);
}

bool has_unexplained(const std::vector<SourceTable>& tables) {
  return std::any_of(tables.begin(), tables.end(), [](const SourceTable& table) {
    return std::any_of(table.cells.begin(), table.cells.end(), [](const TableCell& cell) {
      return cell.differs() && cell.erratum.empty();
    });
  });
}

}  // namespace bankproof::cli
