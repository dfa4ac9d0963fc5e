// Whether a report passes: the faults that matter, and lines whose accesses exceed a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "report.hpp"

namespace bankproof::ptx {

struct Limits {
  std::optional<std::vector<FaultKind>> fail_on;  // empty: all kinds
  // The most excess that a line may have: wavefronts in shared memory, sectors in global memory.
  // Empty: no limit.
  std::optional<std::uint64_t> max_shared_excess;
  std::optional<std::uint64_t> max_global_excess;
};

/// The excess to which no limit applies.
struct UnlimitedExcess {
  std::uint64_t amount = 0;  // shared wavefronts or global sectors
  std::uint64_t lines = 0;
};

/// The findings that make the report fail. Suppressed findings and those that the baseline has are
/// neither among them nor in the unlimited excess. The pointers are into the report.
struct Verdict {
  std::vector<const FaultReport*> faults;
  std::vector<const LineReport*> shared;  // lines over the limit
  std::vector<const LineReport*> global;
  UnlimitedExcess unlimited_shared;
  UnlimitedExcess unlimited_global;

  bool passes() const { return faults.empty() && shared.empty() && global.empty(); }
  bool limits_all() const { return unlimited_shared.lines == 0 && unlimited_global.lines == 0; }
};

inline Verdict judge(const KernelReport& report, const Limits& limits) {
  Verdict verdict;
  for (const FaultReport& fault : report.faults) {
    const bool counts = !limits.fail_on || std::find(limits.fail_on->begin(), limits.fail_on->end(),
                                                     fault.kind) != limits.fail_on->end();
    if (counts && !fault.suppressed && !fault.known) verdict.faults.push_back(&fault);
  }
  const auto judge_line = [](const LineReport& line, std::uint64_t excess,
                             const std::optional<std::uint64_t>& limit,
                             std::vector<const LineReport*>& over, UnlimitedExcess& unlimited) {
    if (excess == 0) return;
    if (!limit) {
      unlimited.amount += excess;
      ++unlimited.lines;
    } else if (excess > *limit) {
      over.push_back(&line);
    }
  };
  for (const LineReport& line : report.lines) {
    if (!line.shared_suppressed && !line.shared_known) {
      judge_line(line, line.shared_excess(), limits.max_shared_excess, verdict.shared,
                 verdict.unlimited_shared);
    }
    if (!line.global_suppressed && !line.global_known) {
      judge_line(line, line.global_excess(), limits.max_global_excess, verdict.global,
                 verdict.unlimited_global);
    }
  }
  return verdict;
}

}  // namespace bankproof::ptx
