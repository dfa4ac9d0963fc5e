// A report as one self-contained page of HTML: the annotated source, faults at their lines, and for
// each line the worst access of shared and of global memory as a picture.
//
// The page needs neither scripts nor a network: <details> unfolds its parts. Colors are chosen for
// light and dark.
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
