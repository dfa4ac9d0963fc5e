// How tables are printed: a line for each cell, and of a chart a line for each x. SVG draws charts.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace bankproof::cli {

std::string as_text(const std::vector<SourceTable>& tables);
std::string as_json(const std::vector<SourceTable>& tables);

/// Cells, and points of charts as cells that have no printed value: x is the row, the line the
/// column.
std::string as_csv(const std::vector<SourceTable>& tables);

/// The chart of a table that has one.
std::string as_svg(const SourceTable& table);

/// A number of a chart: whole ones in full, others with six digits.
std::string number_text(double number);

/// Whether some cell differs from the printed one and no erratum says why.
bool has_unexplained(const std::vector<SourceTable>& tables);

}  // namespace bankproof::cli
