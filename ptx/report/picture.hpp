// One access of a warp as a picture, with a row for each lane and a column for each bank (for
// global memory, for each word of a line). A cell has the number of the stage that serves the lane.
// A conflict shows as several numbers in one column; an access that is not coalesced has many
// different numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../../model/gpu/chips.hpp"
#include "../isa/counts.hpp"

namespace bankproof::ptx {

enum class PicturedMemory : std::uint8_t { shared, global };

/// The rule by which a machine (as in --machine) serves elements of this many bytes; empty if the
/// machine has no rule for them.
std::optional<AccessRule> picture_rule(std::string_view machine, PicturedMemory memory,
                                       std::uint32_t element_bytes);

/// An SVG element for a page of HTML. The styles of the page color the stages. Empty if the machine
/// has no rule for the access. `label` is the description of the picture, as plain text.
std::string picture_svg(const AccessPicture& picture, PicturedMemory memory,
                        std::string_view machine, std::string_view label);

}  // namespace bankproof::ptx
