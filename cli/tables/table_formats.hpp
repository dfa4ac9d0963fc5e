// How tables are printed, a line for each cell.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace bankproof::cli {

std::string as_text(const std::vector<SourceTable>& tables);
std::string as_json(const std::vector<SourceTable>& tables);

/// Whether some cell differs from the printed one and no erratum says why.
bool has_unexplained(const std::vector<SourceTable>& tables);

}  // namespace bankproof::cli
