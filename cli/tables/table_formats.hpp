// The formats of tables: a line for each cell, and a line for each x of a chart. SVG draws the
// chart.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace bankproof::cli {

std::string as_text(const std::vector<SourceTable>& tables);
std::string as_json(const std::vector<SourceTable>& tables);

/// Cells; the points of charts are cells without a printed value, with x as the row and the line as
/// the column.
std::string as_csv(const std::vector<SourceTable>& tables);

/// The chart of a table that has one.
std::string as_svg(const SourceTable& table);

/// A number of a chart: whole numbers in full, others with six digits.
std::string number_text(double number);

/// Whether some cell differs from the printed one and no erratum explains it.
bool has_unexplained(const std::vector<SourceTable>& tables);

}  // namespace bankproof::cli
