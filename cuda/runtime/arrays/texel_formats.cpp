// See texel_formats.hpp.
#include "texel_formats.hpp"

#include <fmt/format.h>

#include <array>

#include "../runtime.hpp"

namespace bankproof::cuda {

namespace {

using Kind = ptx::Channels::Kind;

ptx::Channels equal_channels(Kind kind, unsigned count, std::uint8_t bits) {
  ptx::Channels channels{.kind = kind};
  for (unsigned k = 0; k < count; ++k) channels.bits.at(k) = bits;
  return channels;
}

}  // namespace

std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& given) {
  const std::array<int, 4> bits{given.x, given.y, given.z, given.w};
  unsigned count = 0;
  while (count < bits.size() && bits.at(count) != 0) ++count;
  for (unsigned k = 1; k < bits.size(); ++k) {
    if (bits.at(k) != (k < count ? bits[0] : 0)) return {};
  }
  if (count != 1 && count != 2 && count != 4) return {};
  if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) return {};
  const auto width = static_cast<std::uint8_t>(bits[0]);
  switch (given.f) {
    case cudaChannelFormatKindSigned:
      return TexelFormat{equal_channels(Kind::signed_integer, count, width)};
    case cudaChannelFormatKindUnsigned:
      return TexelFormat{equal_channels(Kind::unsigned_integer, count, width)};
    case cudaChannelFormatKindFloat:
      if (width == 8) return {};
      return TexelFormat{equal_channels(Kind::real, count, width)};
    default:
      break;
  }
  // The kinds of normalized integers say their widths and numbers of channels, too.
  const int number = given.f - cudaChannelFormatKindUnsignedNormalized8X1;
  constexpr int kinds = 12;
  if (number < 0 || number >= kinds) return {};
  constexpr std::array<unsigned, 3> counts{1, 2, 4};
  const bool fits = width == (number / 3 % 2 == 0 ? 8 : 16) &&
                    count == counts.at(static_cast<std::size_t>(number % 3));
  if (!fits) return {};
  const Kind kind = number < 6 ? Kind::unsigned_integer : Kind::signed_integer;
  return TexelFormat{equal_channels(kind, count, width), true};
}

// The formats of a type and a width are three: of one, two and four channels.
std::optional<TexelFormat> format_of(cudaResourceViewFormat format) {
  struct Row {
    Kind kind;
    std::uint8_t bits;
  };
  constexpr std::array<Row, 8> rows{{{Kind::unsigned_integer, 8},
                                     {Kind::signed_integer, 8},
                                     {Kind::unsigned_integer, 16},
                                     {Kind::signed_integer, 16},
                                     {Kind::unsigned_integer, 32},
                                     {Kind::signed_integer, 32},
                                     {Kind::real, 16},
                                     {Kind::real, 32}}};
  const int number = format - cudaResViewFormatUnsignedChar1;
  if (number < 0 || number >= static_cast<int>(rows.size()) * 3) return {};
  constexpr std::array<unsigned, 3> counts{1, 2, 4};
  const auto& [kind, bits] = rows.at(static_cast<std::size_t>(number / 3));
  return TexelFormat{equal_channels(kind, counts.at(static_cast<std::size_t>(number % 3)), bits)};
}

cudaError_t require_format(const char* call, const cudaChannelFormatDesc& channels,
                           TexelFormat& format) {
  if (const auto known = format_of(channels)) {
    format = *known;
    return cudaSuccess;
  }
  return Runtime::fail(
      cudaErrorInvalidChannelDescriptor,
      fmt::format("{}: no texel has channels of {}, {}, {} and {} bits of kind {}", call,
                  channels.x, channels.y, channels.z, channels.w, static_cast<int>(channels.f)));
}

}  // namespace bankproof::cuda
