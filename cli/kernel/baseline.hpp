// --baseline: the findings of an earlier report do not fail, and findings that are gone are named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../ptx/report/report.hpp"
#include "../../ptx/report/verdict.hpp"

namespace bankproof::cli {

struct Baseline {
  struct Finding {
    std::string kind;  // of a fault, or as for suppressions: shared_excess, global_excess
    std::string fingerprint;
    std::string place;         // "tile.cu:12"
    std::string message;       // of a fault
    std::uint64_t excess = 0;  // of a line, in one memory
  };
  std::string file;
  std::vector<Finding> findings;
};

/// Reads a report of `--format json`. Throws InputError, also for a report without fingerprints.
Baseline read_baseline(const std::string& file);

/// Marks the findings of the report that the baseline has. The report has fingerprints. Returns
/// notes: how many findings are known, and those of the baseline that are gone. An excess is a
/// finding only if there is a limit for it.
std::vector<std::string> compare(ptx::KernelReport& report, const Baseline& baseline,
                                 const ptx::Limits& limits);

}  // namespace bankproof::cli
