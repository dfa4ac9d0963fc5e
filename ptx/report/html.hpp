// A report as one self-contained page of HTML. It shows the source with counts and faults at their
// lines and, for each line, pictures of the worst access to shared memory and of the worst access
// to global memory.
//
// The page needs neither scripts nor a network: <details> unfolds its parts. The page has colors
// for light and for dark screens.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report.hpp"
#include "verdict.hpp"

namespace bankproof::ptx {

/// The texts of source files, by their names in the report. If a file has no text here, the page
/// shows only its reported lines.
using SourceTexts = std::map<std::string, std::string>;

/// The whole page, in UTF-8.
std::string as_html(const KernelReport& report, const SourceTexts& sources,
                    const Limits& limits = {});

/// The names of the files that have lines or faults.
std::vector<std::string> reported_files(const KernelReport& report);

}  // namespace bankproof::ptx
