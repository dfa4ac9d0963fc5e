// plan.h: a plan as a C header, for kernels and for host code.
#pragma once

#include <cstdint>
#include <string>

#include "made_plan.hpp"

namespace bankproof::cli {

/// The most lanes in a header with tables: compilers choke on more.
inline constexpr std::uint64_t most_header_lanes = std::uint64_t{1} << 20;

/// The number of lanes that a header would hold in tables; 0 for a closed form.
std::uint64_t table_lanes_of(const MadePlan& plan);

/// The text of plan.h: functions that give S and D of a lane, from tables or by the closed form.
std::string as_c_header(const MadePlan& plan, const std::string& prefix);

}  // namespace bankproof::cli
