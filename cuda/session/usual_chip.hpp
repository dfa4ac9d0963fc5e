// The chip whose rules price accesses where nobody names one, and banks and sectors both count.
#pragma once

#include <algorithm>
#include <string_view>

#include "../../model/gpu/chip_table.hpp"

namespace bankproof::cuda {

/// The first chip of the table of which the rules of global memory are known, too.
inline constexpr std::string_view usual_chip =
    std::find_if(chips.begin(), chips.end(), [](const Chip& chip) {
      return !chip.global_sources.empty();
    })->name;

}  // namespace bankproof::cuda
