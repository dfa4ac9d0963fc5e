// A report as one self-contained page of HTML. It shows the source with counts and faults at their
// lines and, for each line, pictures of the worst access to shared memory and of the worst access
// to global memory.
//
// Where somebody has proved claims about the kernel, a column says what is known of each line.
//
// The page needs neither scripts nor a network: <details> unfolds its parts. The page has colors
// for light and for dark screens.
#pragma once

#include <string>

#include "line_proofs.hpp"
#include "report.hpp"
#include "sources.hpp"
#include "verdict.hpp"

namespace bankproof::ptx {

/// The whole page, in UTF-8. If a file has no text, the page shows only its reported lines, and
/// those of the proofs.
std::string as_html(const KernelReport& report, const SourceTexts& sources,
                    const Limits& limits = {}, const LineProofs& proofs = {});

}  // namespace bankproof::ptx
