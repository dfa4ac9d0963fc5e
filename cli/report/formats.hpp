// The formats of `check --format`. Each returns the whole output, with a newline at its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check_report.hpp"

namespace bankproof::cli {

/// For people at a terminal, 80 columns; UTF-8, no color.
std::string as_text(const CheckReport& report);

/// One object. Fixed fields, and where those cannot tell it (chips, wide elements) a few more.
std::string as_json(const CheckReport& report);

/// SARIF 2.1.0: a result for each warp over the limit, most severe first, at most 1,000 results of
/// which the last says how many more there are.
std::string as_sarif(const CheckReport& report);

/// JUnit's XML: a test case for each access.
std::string as_junit(const CheckReport& report);

/// The lanes of one warp as a table of lanes × banks (or groups): a mark is the stage that serves
/// the lane, from 1, of at most `stages`. What does not fit is left out, the least crowded first,
/// and said to be. Elements are labelled by the name.
std::string picture_of(const std::vector<LaneReport>& lanes, std::uint64_t stages,
                       std::string_view element_name, const MemoryChoice& memory);

}  // namespace bankproof::cli
