// Whether a report passes: the faults that matter, and lines whose accesses exceed a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "report.hpp"

namespace bankproof::ptx {

struct Limits {
  std::optional<std::vector<FaultKind>> fail_on;  // else all kinds
  // Of a line: shared wavefronts above the ideal, and global sectors above it, each.
  std::optional<std::uint64_t> max_excess;
};

/// What fails; what is suppressed never does. The pointers are into the report.
struct Verdict {
  std::vector<const FaultReport*> faults;
  std::vector<const LineReport*> shared;  // lines over the limit
  std::vector<const LineReport*> global;

  bool passes() const { return faults.empty() && shared.empty() && global.empty(); }
};

inline Verdict judge(const KernelReport& report, const Limits& limits) {
  Verdict verdict;
  for (const FaultReport& fault : report.faults) {
    const bool counts = !limits.fail_on || std::find(limits.fail_on->begin(), limits.fail_on->end(),
                                                     fault.kind) != limits.fail_on->end();
    if (counts && !fault.suppressed) verdict.faults.push_back(&fault);
  }
  if (!limits.max_excess) return verdict;
  for (const LineReport& line : report.lines) {
    if (line.shared_excess() > *limits.max_excess && !line.shared_suppressed) {
      verdict.shared.push_back(&line);
    }
    if (line.global_excess() > *limits.max_excess && !line.global_suppressed) {
      verdict.global.push_back(&line);
    }
  }
  return verdict;
}

}  // namespace bankproof::ptx
