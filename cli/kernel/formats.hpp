// The formats of `kernel --format` except text, which is in ptx/report/text.hpp. Each function
// returns the whole output, which ends with a newline.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../../ptx/report/html.hpp"
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

/// JUnit: one case for all faults, and one for the excess in each memory.
std::string kernel_as_junit(const ptx::KernelReport& report, const ptx::Limits& limits,
                            const std::vector<std::string>& notes);

/// The sources of the report that can be read. Of other sources, a page shows the reported lines.
ptx::SourceTexts sources_of(const ptx::KernelReport& report);

/// The numbers of launches and of warps' accesses that were judged; scripts can require that they
/// are not 0.
nlohmann::ordered_json checked_json(const ptx::KernelReport& report);

/// The launches that were not executed, as ranges [first, last], each with the kernel and the
/// launch that they would have repeated.
nlohmann::ordered_json taken_json(const ptx::KernelReport& report);
nlohmann::ordered_json children_json(const ptx::KernelReport& report);

}  // namespace bankproof::cli
