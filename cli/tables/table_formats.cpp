// See table_formats.hpp.
#include "table_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

namespace bankproof::cli {
namespace {

std::string text_of(const SourceTable& table) {
  std::size_t row = 3;
  std::size_t column = 6;
  std::size_t printed = 7;
  std::size_t here = 4;
  for (const TableCell& cell : table.cells) {
    row = std::max(row, cell.row.size());
    column = std::max(column, cell.column.size());
    printed = std::max(printed, cell.printed.size());
    here = std::max(here, cell.here.size());
  }
  std::string text = fmt::format("{}  {}\n{}\n\n", table.id, table.title, table.how);
  const auto line = [&](std::string_view a, std::string_view b, std::string_view c,
                        std::string_view d, std::string_view mark) {
    const std::string whole = fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}", a, row, b, column,
                                          c, printed, d, here, mark);
    text += whole.substr(0, whole.find_last_not_of(' ') + 1) + "\n";
  };
  line("row", "column", "printed", "here", "");
  std::size_t different = 0;
  for (const TableCell& cell : table.cells) {
    if (cell.differs()) ++different;
    line(cell.row, cell.column, cell.printed, cell.here,
         !cell.differs()        ? "="
         : cell.erratum.empty() ? "≠"
                                : "≠ docs/errata.md: " + cell.erratum);
  }
  text += different == 0 ? fmt::format("\nAll {} cells are as printed.\n", table.cells.size())
                         : fmt::format("\n{} of {} cells differ.\n", different, table.cells.size());
  return text;
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
    cells.push_back(json);
  }
  return {{"id", table.id}, {"title", table.title}, {"how", table.how}, {"cells", cells}};
}

}  // namespace

std::string as_text(const std::vector<SourceTable>& tables) {
  std::string text;
  for (const SourceTable& table : tables) text += (text.empty() ? "" : "\n\n") + text_of(table);
  return text;
}

std::string as_json(const std::vector<SourceTable>& tables) {
  auto all = nlohmann::ordered_json::array();
  std::transform(tables.begin(), tables.end(), std::back_inserter(all), json_of);
  return nlohmann::ordered_json{{"tables", all}}.dump(2) + "\n";
}

bool has_unexplained(const std::vector<SourceTable>& tables) {
  return std::any_of(tables.begin(), tables.end(), [](const SourceTable& table) {
    return std::any_of(table.cells.begin(), table.cells.end(), [](const TableCell& cell) {
      return cell.differs() && cell.erratum.empty();
    });
  });
}

}  // namespace bankproof::cli
