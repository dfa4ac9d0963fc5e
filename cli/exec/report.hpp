// What `exec` says about a program: its report, and what the reader has to know beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../ptx/report/verdict.hpp"
#include "folder.hpp"
#include "program.hpp"

namespace bankproof::cli {

/// "1 launch", "2 launches".
std::string shown_count(std::uint64_t count, const char* what);

/// How processes ended, calls that failed, and launches that were not checked.
std::vector<std::string> notes_of(const Gathered& run, const Ended& ended);

/// Throws InputError if nothing was checked, so that the run must not pass. A run without launches
/// may have findings, about its calls; that nobody looked at an error is none of these.
void require_launches(const Gathered& run, const Ended& ended, bool has_findings);

/// The report in a format of --format.
std::string report_text(const std::string& format, const Gathered& run, const ptx::Limits& limits,
                        const std::vector<std::string>& notes);

}  // namespace bankproof::cli
