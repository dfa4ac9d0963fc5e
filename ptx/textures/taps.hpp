// The texels that a fetch reads, and their weights (CUDA Programming Guide, "Texture Fetching").
#pragma once

#include <array>
#include <cstdint>

#include "objects.hpp"

namespace bankproof::ptx {

/// A texel of a fetch. Its place is in the image unless it is `border`, the color of the border.
struct Tap {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;  // or the layer, or the face
  bool border = false;
  float weight = 1;
};

/// Up to eight texels, of which some may be the same.
struct Taps {
  std::array<Tap, 8> of{};
  std::uint32_t size = 0;
  void add(const Tap& tap) { of[size++] = tap; }
};

/// The dimensions that the coordinates of an instruction have.
enum class Geometry : std::uint8_t { line, plane, volume, lines, planes, cube, cubes };
constexpr std::uint32_t axes_of(Geometry geometry) {
  switch (geometry) {
    case Geometry::line:
    case Geometry::lines:
      return 1;
    case Geometry::volume:
    case Geometry::cube:
    case Geometry::cubes:
      return 3;
    case Geometry::plane:
    case Geometry::planes:
      break;
  }
  return 2;
}
constexpr bool has_layer(Geometry geometry) {
  return geometry == Geometry::lines || geometry == Geometry::planes || geometry == Geometry::cubes;
}

/// A place in an image: one to three coordinates, and the number of a layer.
struct Coordinates {
  std::array<float, 3> at{};
  std::uint32_t layer = 0;
};

/// The texels that sampling reads in one level. Weights have 8 bits behind the point.
Taps taps_of(const Image& image, const Sampling& sampling, Geometry geometry,
             const Coordinates& coordinates);
/// The four texels that a bilinear filter would combine, counterclockwise from the lower left one
/// (PTX ISA, "tld4"). The geometry has two axes, or is a cube.
Taps gathered_taps(const Image& image, const Sampling& sampling, Geometry geometry,
                   const Coordinates& coordinates);
/// The texel with this number, of linear memory or of an array (PTX ISA, "tex" with integer
/// coordinates). It is the border if there is no such texel.
Tap tap_at(const Image& image, const std::array<std::int32_t, 3>& at, std::uint32_t axes,
           std::uint32_t layer);

/// A face of a cube map, and the coordinates in it, from 0 to 1.
struct OnFace {
  std::uint32_t face = 0;
  float s = 0;
  float t = 0;
};
OnFace on_face(const std::array<float, 3>& direction);

}  // namespace bankproof::ptx
