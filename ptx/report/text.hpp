// A report for people at a terminal: a table with a row for each line of the source, then faults.
#pragma once

#include <ostream>
#include <string>

#include "report.hpp"
#include "verdict.hpp"

namespace bankproof::ptx {

/// UTF-8 without colors. Unprintable characters in names from outside are escaped.
std::string as_text(const KernelReport& report, const Limits& limits = {});

/// "passes", "passes; excess is not limited: 124 wavefronts on 1 line" or "fails: 1 fault". If the
/// report fails, the text names the reasons. If it passes, the text names the excess to which no
/// limit applies.
std::string verdict_text(const KernelReport& report, const Limits& limits);

/// "tile.cu:12"; only the file if the line is 0.
std::string place_text(const SourceLine& at);

/// "tile.cu:12 (from block_scan.cuh:88, tile.cu:12)": where the code is, and through which calls.
std::string chain_text(const SourceLine& at, const std::vector<SourceLine>& chain);

/// A line for each kernel that kernels launched: how often, and which kernel launched it.
std::vector<std::string> child_texts(const KernelReport& report);

/// Which launches took their counts from other launches: a line for each launch from which they
/// were taken. A last line counts the lines that are left out.
std::vector<std::string> taken_texts(const KernelReport& report);

/// Which calls of CUDA's libraries were checked: one line, or none.
std::vector<std::string> library_texts(const KernelReport& report);

/// "1 launch", "2 launches"; `ending` makes the plural.
std::string counted(std::uint64_t number, const char* thing, const char* ending = "s");

/// " (suppressed)", " (known)" or nothing: why the fault does not count.
const char* waiver_text(const FaultReport& fault);

/// A line for each fault: "tile.cu:12: race: …".
std::string faults_text(const KernelReport& report);

/// For GoogleTest's messages.
inline void PrintTo(const KernelReport& report, std::ostream* out) { *out << as_text(report); }

}  // namespace bankproof::ptx
