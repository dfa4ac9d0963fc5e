// plan.json: says what a plan is for and which files it has.
#pragma once

#include <string>

#include "made_plan.hpp"

namespace bankproof::cli {

/// The text of plan.json; it names the arrays if they are written.
std::string as_plan_json(const MadePlan& plan, bool with_arrays);

}  // namespace bankproof::cli
