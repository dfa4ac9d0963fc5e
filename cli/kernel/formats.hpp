// The formats of `kernel --format` beside text, which is ptx/report/text.hpp. Each is the
// whole output, with a newline at its end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../../ptx/report/report.hpp"
#include "../../ptx/report/verdict.hpp"

namespace bankproof::cli {

/// One object. The first fields of each part are fixed; more follow them.
std::string kernel_as_json(const ptx::KernelReport& report, const ptx::Limits& limits,
                           const std::vector<std::string>& notes);

/// SARIF 2.1.0: a result for each fault, and for each line with excess in shared or in global
/// memory, most severe first.
std::string kernel_as_sarif(const ptx::KernelReport& report, const ptx::Limits& limits,
                            const std::vector<std::string>& notes);

/// JUnit: a case for faults, one for each memory's excess.
std::string kernel_as_junit(const ptx::KernelReport& report, const ptx::Limits& limits,
                            const std::vector<std::string>& notes);

/// How many launches and accesses of warps were looked at: what a script may want to be more than
/// nothing.
nlohmann::ordered_json checked_json(const ptx::KernelReport& report);

}  // namespace bankproof::cli
