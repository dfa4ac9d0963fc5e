// The formats of tables: a line for each cell, and a line for each x of a chart. SVG draws the
// chart.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace bankproof::cli {

std::string as_text(const std::vector<SourceTable>& tables);
std::string as_json(const std::vector<SourceTable>& tables);

/// The cells of the tables. A point of a chart is a cell without a printed value: its row is x, its
/// column the line.
std::string as_csv(const std::vector<SourceTable>& tables);

/// The chart of a table that has one.
std::string as_svg(const SourceTable& table);

/// A number of a chart: whole numbers in full, others with six digits.
std::string number_text(double number);

/// Whether some cell differs from the printed one and no erratum explains it.
bool has_unexplained(const std::vector<SourceTable>& tables);

}  // namespace bankproof::cli
