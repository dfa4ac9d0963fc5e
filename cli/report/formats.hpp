// The formats of `check --format`. Each function returns the whole output, which ends with a
// newline.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check_report.hpp"

namespace bankproof::cli {

/// For people at a terminal of 80 columns; UTF-8, no color.
std::string as_text(const CheckReport& report);

/// One object with fixed fields, and a few more for chips and wide elements.
std::string as_json(const CheckReport& report);

/// SARIF 2.1.0: a result for each warp over the limit, most severe first. A report has at most
/// 1,000 results. If that is too few, the last result says how many more warps are over the limit.
std::string as_sarif(const CheckReport& report);

/// JUnit's XML: a test case for each access.
std::string as_junit(const CheckReport& report);

/// Draws the lanes of one warp as a table of lanes × banks (or groups). A mark is the stage that
/// serves the lane, from 1 to at most `stages`. If the table is too large, the least crowded
/// columns are left out and a line says so. `element_name` labels the elements.
std::string picture_of(const std::vector<LaneReport>& lanes, std::uint64_t stages,
                       std::string_view element_name, const MemoryChoice& memory);

}  // namespace bankproof::cli
