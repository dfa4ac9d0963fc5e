// The findings of `run`, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../../model/observers/statistics.hpp"
#include "entry.hpp"

namespace bankproof::cli {

/// The use of one memory, or of all shared memories together.
struct MemoryUse {
  std::string name;
  MemoryStatistics statistics;
};

struct RunReport {
  const AlgorithmEntry& algorithm;
  Task task;
  Mode mode = Mode::overlapped;
  Time time = 0;
  std::vector<MemoryUse> memories = {};
  Cost<std::uint64_t> cost = {};
  /// Sentences that say how the program understood options.
  std::vector<std::string> notes = {};
  /// The number of channels, which run one after another. Times and counts are those of one
  /// channel: no access depends on a value, so all channels have the same.
  std::uint64_t passes = 1;
  /// The first element that differs from the oracle's, or a fault; empty if neither exists.
  std::string finding = {};
};

/// The algorithm, the sizes and the machine, for example "sum pairwise (MOD 4, HMM VI), n=64 on
/// dmm:w=4,l=5,p=8, in lockstep".
std::string run_heading(const RunReport& report);

std::string run_as_text(const RunReport& report);
std::string run_as_json(const RunReport& report);

}  // namespace bankproof::cli
