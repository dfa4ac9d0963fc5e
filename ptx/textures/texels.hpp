// The values of texels, and what filters make of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "taps.hpp"

namespace bankproof::ptx {

/// Four values of 32 bits, as an instruction returns them: numbers or integers.
using Color = std::array<std::uint32_t, 4>;

/// The channels of a texel as an instruction returns them without a filter. Channels of 16 bits
/// that are numbers become numbers of 32 bits; integers become numbers if
/// Sampling::normalized_reads. A channel that the image lacks is 0, the fourth 1.
Color color_of(const Channels& channels, const Sampling& sampling, const std::byte* texel);
/// The color of the border likewise.
Color border_of(const Channels& channels, const Sampling& sampling);

/// The sum of the colors, which are numbers, by the weights of the taps, in their order.
Color filtered(const Taps& taps, const std::array<Color, 8>& colors);

/// Whether colors are numbers, which a filter can combine.
bool gives_numbers(const Channels& channels, const Sampling& sampling);

}  // namespace bankproof::ptx
