// --suppress and --baseline: findings that do not fail, because they are intended or known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../../ptx/report/report.hpp"
#include "../../ptx/report/suppressions.hpp"
#include "../../ptx/report/verdict.hpp"
#include "baseline.hpp"

namespace bankproof::cli {

struct Waivers {
  std::string suppress;  // the name of the file
  std::vector<ptx::Suppression> suppressions;
  std::optional<Baseline> baseline;
};

/// Reads the files; an empty name stands for no file. Throws InputError.
Waivers read_waivers(const std::string& suppress, const std::string& baseline);

/// Gives the findings their fingerprints and marks those that are suppressed or known. Returns
/// notes for the report.
std::vector<std::string> apply(const Waivers& waivers, ptx::KernelReport& report,
                               const ptx::Limits& limits);

}  // namespace bankproof::cli
