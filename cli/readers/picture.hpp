// The reader and the writer of Netpbm's pictures: PGM in gray and PPM in colors, plain (P2, P3) and
// raw (P5, P6), with 8 or 16 bits a value.
//
// A file has two letters, then width, height and greatest value as decimal numbers separated by
// blanks, with comments from # to the end of a line, then the values. Plain files have decimal
// numbers as values. Raw files have one blank and then bytes: one per value, or two, high byte
// first, if the greatest value is above 255.
//
// Example: "P2 3 1 255 0 128 255" is a black, a gray and a white pixel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"

namespace bankproof::cli {

/// The greatest value that the format allows.
inline constexpr std::uint64_t greatest_maximum = 65535;

struct Picture {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t channels;  ///< per pixel: 1 for gray; 3 for red, green and blue
  std::uint64_t maximum;   ///< the greatest value, 1 to 65535: white, or a channel at its brightest
  std::vector<std::uint16_t> values;  ///< row by row, with the channels of a pixel side by side

  bool operator==(const Picture&) const = default;
};

/// Whether a file that begins like this is a Netpbm file, perhaps of a kind that read_picture
/// refuses.
bool begins_picture(std::string_view start);

/// Reads one picture to the end of the input. Throws InputError.
Picture read_picture(ByteInput& input);

/// The bytes of a raw file, P5 for one channel and P6 for three.
std::string as_netpbm(const Picture& picture);

}  // namespace bankproof::cli
