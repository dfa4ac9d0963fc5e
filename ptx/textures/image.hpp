// Images: the memory of textures and surfaces, a CUDA array or linear memory.
//
// GPUs keep the texels of an array in an order of their own, which nothing documents. Here they lie
// row by row, so that no cost of an access to an array means anything, and none is counted.
#pragma once

#include <array>
#include <cstdint>

namespace bankproof::ptx {

/// The channels of a texel: none to four of 8, 16 or 32 bits each.
struct Channels {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, real };
  Kind kind = Kind::real;
  std::array<std::uint8_t, 4> bits{};  // 0: there is no such channel

  constexpr std::uint32_t bytes() const {
    return std::uint32_t{bits[0]} / 8 + bits[1] / 8 + bits[2] / 8 + bits[3] / 8;
  }
  bool operator==(const Channels&) const = default;
};

struct Image {
  std::uint32_t buffer = 0;  // of global memory
  std::uint64_t begin = 0;   // the offset of the first texel in the buffer
  Channels channels;
  // Sizes in texels; 0: the image has no such dimension.
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t depth = 0;
  std::uint32_t layers = 0;  // a cube map has six faces a layer, in the order +x -x +y -y +z -z
  bool is_cube = false;
  std::uint64_t row_bytes = 0;
  std::uint64_t slice_bytes = 0;  // of a layer, a face, or a plane of a volume

  /// The offset in the buffer. `z` is the plane or the layer.
  constexpr std::uint64_t offset(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    return begin + z * slice_bytes + y * row_bytes + x * channels.bytes();
  }
  constexpr std::uint32_t rows() const { return height != 0 ? height : 1; }
  constexpr std::uint32_t slices() const {
    return depth != 0 ? depth : layers != 0 ? layers * (is_cube ? 6U : 1U) : is_cube ? 6U : 1U;
  }
  bool operator==(const Image&) const = default;
};

}  // namespace bankproof::ptx
