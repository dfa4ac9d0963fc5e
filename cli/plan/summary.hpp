// The summary that `schedule` prints: stages without and with the plan, and predicted times.
#pragma once

#include <optional>
#include <string>

#include "../support/machine_argument.hpp"
#include "made_plan.hpp"

namespace bankproof::cli {

/// The predicted lockstep times of permuting without and with the plan.
struct Prediction {
  std::string machine;
  Time designated = 0;  ///< without a plan: the destination-designated write
  Time planned = 0;
};

/// The gain of the plan: stages with and without it.
struct Worth {
  std::uint64_t ideal = 0;        ///< ⌈n/w⌉, the stages of an access without conflicts
  std::uint64_t destination = 0;  ///< stages of b[P(i)] ← a[i] on banks; groups if scheduled
  std::uint64_t source = 0;       ///< stages or groups of b[i] ← a[P⁻¹(i)]
  std::vector<Prediction> predictions;
};

/// The predictions are for the given machine, or else for a DMM and an HMM with common parameters.
Worth worth_of(const MadePlan& plan, const Values& permutation,
               const std::optional<MachineArgument>& machine);

/// The summary, a few lines of text.
std::string as_summary(const MadePlan& plan, const Worth& worth, const std::string& folder);

}  // namespace bankproof::cli
