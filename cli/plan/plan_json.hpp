// plan.json: what a plan is of and which files it has.
#pragma once

#include <string>

#include "made_plan.hpp"

namespace bankproof::cli {

/// The text of plan.json, which names the arrays if they are written.
std::string as_plan_json(const MadePlan& plan, bool with_arrays);

}  // namespace bankproof::cli
