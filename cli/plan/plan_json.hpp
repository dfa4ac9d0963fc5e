// plan.json: what a plan is of and which files it has.
#pragma once

#include <string>

#include "made_plan.hpp"

namespace bankproof::cli {

/// The text of plan.json.
std::string as_plan_json(const MadePlan& plan);

}  // namespace bankproof::cli
