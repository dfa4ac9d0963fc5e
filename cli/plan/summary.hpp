// What `schedule` tells people: stages before and after, and predicted times.
#pragma once

#include <optional>
#include <string>

#include "../support/machine_argument.hpp"
#include "made_plan.hpp"

namespace bankproof::cli {

/// A predicted time in lockstep, of permuting without and with the plan.
struct Prediction {
  std::string machine;
  Time designated = 0;  ///< destination-designated
  Time planned = 0;
};

/// What the plan is worth.
struct Worth {
  std::uint64_t ideal = 0;        ///< ⌈n/w⌉, what an access takes without conflicts
  std::uint64_t destination = 0;  ///< stages of b[P(i)] ← a[i] on banks, or groups for a schedule
  std::uint64_t source = 0;       ///< of b[i] ← a[P⁻¹(i)]
  std::vector<Prediction> predictions;
};

/// On the machine given, or on a DMM and an HMM of common parameters.
Worth worth_of(const MadePlan& plan, const Values& permutation,
               const std::optional<MachineArgument>& machine);

/// A few lines.
std::string as_summary(const MadePlan& plan, const Worth& worth, const std::string& folder);

}  // namespace bankproof::cli
