// Instructions on textures and surfaces: tex, tld4, suld, sust.
#pragma once

#include <cstdint>
#include <vector>

#include "../isa/op.hpp"
#include "../memory/access.hpp"
#include "../textures/taps.hpp"

namespace bankproof::ptx {

/// Coordinates are in slots of 32 bits, and objects in slots of 64 bits.
struct ImageOperands {
  enum class Kind : std::uint8_t { sample, gather, load, store };
  enum class Level : std::uint8_t { first, given, by_gradient };
  enum class Outside : std::uint8_t { trap, clamp, zero };  // of a surface

  Kind kind = Kind::sample;
  Geometry geometry = Geometry::plane;
  bool by_number = false;  // the coordinates of a texture are integers
  Level level = Level::first;
  Outside outside = Outside::trap;
  std::uint32_t channel = 0;  // that is gathered
  bool halves = false;        // the results are f16

  Slot object = no_slot;
  Slot layer = no_slot;
  std::vector<Slot> coordinates;
  Slot given_level = no_slot;
  std::vector<Slot> by_x;  // the gradient
  std::vector<Slot> by_y;
  // Says what is accessed. The values of a surface are in its registers, and so are the results of
  // a texture, of which there are up to four.
  MemoryOperands memory;
};

extern const StepWith<ImageOperands> image_step;

}  // namespace bankproof::ptx
