// Reads texels and filters them; see texels.hpp.
#include "texels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "../alu/half.hpp"

namespace bankproof::ptx {

namespace {

float linear_of_srgb(float value) {
  // IEC 61966-2-1.
  const auto of = static_cast<double>(value);
  return static_cast<float>(of <= 0.04045 ? of / 12.92 : std::pow((of + 0.055) / 1.055, 2.4));
}

std::int32_t sign_extended(std::uint32_t bits, std::uint32_t width) {
  const std::uint32_t unused = 32 - width;
  return static_cast<std::int32_t>(bits << unused) >> unused;
}

std::uint32_t integer_of(const Channels& channels, std::uint32_t bits, std::uint32_t width) {
  if (channels.kind == Channels::Kind::unsigned_integer) return bits;
  return static_cast<std::uint32_t>(sign_extended(bits, width));
}

/// Of 8 or 16 bits: the largest integer becomes 1.
float normalized(const Channels& channels, std::uint32_t bits, std::uint32_t width) {
  if (channels.kind == Channels::Kind::unsigned_integer) {
    return static_cast<float>(bits) / static_cast<float>((1U << width) - 1);
  }
  const auto value = static_cast<float>(sign_extended(bits, width));
  return std::max(-1.0F, value / static_cast<float>((1U << (width - 1)) - 1));
}

bool are_normalized(const Channels& channels, const Sampling& sampling) {
  return channels.kind != Channels::Kind::real && sampling.normalized_reads &&
         channels.bits[0] < 32;
}

}  // namespace

bool gives_numbers(const Channels& channels, const Sampling& sampling) {
  return channels.kind == Channels::Kind::real || are_normalized(channels, sampling);
}

Color color_of(const Channels& channels, const Sampling& sampling, const std::byte* texel) {
  const bool numbers = gives_numbers(channels, sampling);
  const std::uint32_t one = numbers ? std::bit_cast<std::uint32_t>(1.0F) : 1;
  Color color{0, 0, 0, one};
  for (std::size_t k = 0; k < color.size(); ++k) {
    const std::uint32_t width = channels.bits.at(k);
    if (width == 0) continue;
    std::uint32_t bits = 0;
    std::memcpy(&bits, texel, width / 8);
    texel += width / 8;
    if (are_normalized(channels, sampling)) {
      float value = normalized(channels, bits, width);
      if (sampling.srgb && k < 3 && width == 8) value = linear_of_srgb(value);
      color[k] = std::bit_cast<std::uint32_t>(value);
    } else if (channels.kind == Channels::Kind::real) {
      const lanes::Half half{static_cast<std::uint16_t>(bits)};
      color[k] = width == 16 ? std::bit_cast<std::uint32_t>(lanes::widened(half)) : bits;
    } else {
      color[k] = integer_of(channels, bits, width);
    }
  }
  return color;
}

Color border_of(const Channels& channels, const Sampling& sampling) {
  const bool numbers = gives_numbers(channels, sampling);
  Color color{0, 0, 0, numbers ? std::bit_cast<std::uint32_t>(1.0F) : 1};
  for (std::size_t k = 0; k < color.size(); ++k) {
    // Programs give integers as numbers with these bits (CUDA Runtime API, cudaTextureDesc).
    if (channels.bits.at(k) != 0) color[k] = std::bit_cast<std::uint32_t>(sampling.border.at(k));
  }
  return color;
}

Color filtered(const Taps& taps, const std::array<Color, 8>& colors) {
  std::array<float, 4> sums{};
  for (std::size_t tap = 0; tap < taps.size; ++tap) {
    // A texel without weight changes nothing, even if it is infinite or no number.
    const float weight = taps.of.at(tap).weight;
    if (weight == 0) continue;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] += weight * std::bit_cast<float>(colors.at(tap)[k]);
    }
  }
  Color color{};
  for (std::size_t k = 0; k < sums.size(); ++k) color[k] = std::bit_cast<std::uint32_t>(sums[k]);
  return color;
}

}  // namespace bankproof::ptx
