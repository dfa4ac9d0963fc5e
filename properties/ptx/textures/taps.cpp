// The texels that a texture reads, and their weights, against a plain definition on the whole
// numbers: an endless image, of which each mode says what lies outside.
#include "../../../ptx/textures/taps.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "../../../ptx/textures/texels.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::ptx {
namespace {

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
using Weights = std::map<std::optional<Place>, double>;  // empty: the border

Weights weights_of(const Taps& taps) {
  Weights weights;
  for (std::size_t k = 0; k < taps.size; ++k) {
    const Tap& tap = taps.of.at(k);
    if (tap.weight == 0) continue;
    const auto place = tap.border ? std::nullopt : std::optional<Place>({tap.x, tap.y, tap.z});
    weights[place] += static_cast<double>(tap.weight);
  }
  return weights;
}

/// The texel of the image that an endless image has at `at`; none: the border.
std::optional<std::uint32_t> folded(AddressMode mode, std::int64_t size, std::int64_t at) {
  switch (mode) {
    case AddressMode::border:
      if (at < 0 || at >= size) return std::nullopt;
      return static_cast<std::uint32_t>(at);
    case AddressMode::clamp:
      return static_cast<std::uint32_t>(at < 0 ? 0 : at >= size ? size - 1 : at);
    case AddressMode::wrap:
      return static_cast<std::uint32_t>((at % size + size) % size);
    case AddressMode::mirror:
      break;
  }
  const std::int64_t in_two = (at % (2 * size) + 2 * size) % (2 * size);
  return static_cast<std::uint32_t>(in_two < size ? in_two : 2 * size - 1 - in_two);
}

/// The weights along one axis at `eighths` / 8 texels, of which a linear filter makes two.
std::map<std::int64_t, double> along(std::int64_t eighths, bool linear) {
  const auto floor_of = [](std::int64_t n) { return n >= 0 ? n / 8 : -((-n + 7) / 8); };
  if (!linear) return {{floor_of(eighths), 1.0}};
  const std::int64_t shifted = eighths - 4;
  const std::int64_t first = floor_of(shifted);
  const double second = static_cast<double>(shifted - 8 * first) / 8;
  return {{first, 1 - second}, {first + 1, second}};
}

struct Case {
  Image image;
  Sampling sampling;
  Geometry geometry = Geometry::plane;
  std::array<std::int64_t, 3> eighths{};  // the coordinates, in eighths of a texel
};

Case any_case() {
  Case it;
  const auto size = [] { return std::uint32_t{1} << *rc::gen::inRange(0, 6); };
  it.geometry = *rc::gen::element(Geometry::line, Geometry::plane, Geometry::volume,
                                  Geometry::lines, Geometry::planes);
  it.image.width = size();
  if (axes_of(it.geometry) >= 2) it.image.height = size();
  if (it.geometry == Geometry::volume) it.image.depth = size();
  if (has_layer(it.geometry)) it.image.layers = 3;
  it.sampling.linear = *rc::gen::arbitrary<bool>();
  it.sampling.normalized_coordinates = *rc::gen::arbitrary<bool>();
  for (AddressMode& mode : it.sampling.address) {
    mode = *rc::gen::element(AddressMode::wrap, AddressMode::clamp, AddressMode::mirror,
                             AddressMode::border);
  }
  for (std::int64_t& at : it.eighths) {
    at = *rc::gen::inRange<std::int64_t>(-300, 600);
    // Between two texels, a mirrored coordinate is the other one's.
    if (!it.sampling.linear && at % 8 == 0) ++at;
  }
  return it;
}

Weights expected(const Case& it, std::uint32_t layer) {
  const std::array<std::uint32_t, 3> sizes{it.image.width, it.image.rows(), it.image.slices()};
  Weights weights{{Place{0, 0, has_layer(it.geometry) ? layer : 0}, 1.0}};
  for (std::size_t axis = 0; axis < axes_of(it.geometry); ++axis) {
    AddressMode mode = it.sampling.address.at(axis);
    const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
    if (repeats && !it.sampling.normalized_coordinates) mode = AddressMode::clamp;
    Weights next;
    for (const auto& [place, weight] : weights) {
      for (const auto& [at, part] : along(it.eighths.at(axis), it.sampling.linear)) {
        if (part == 0) continue;
        auto to = place;
        const auto found = folded(mode, sizes.at(axis), at);
        if (!found) to.reset();
        if (to && axis == 0) std::get<0>(*to) = *found;
        if (to && axis == 1) std::get<1>(*to) = *found;
        if (to && axis == 2) std::get<2>(*to) = *found;
        next[to] += weight * part;
      }
    }
    weights = next;
  }
  return weights;
}

BANKPROOF_PROPERTY(Taps, are_those_of_an_endless_image, ()) {
  const Case it = any_case();
  const std::array<std::uint32_t, 3> sizes{it.image.width, it.image.rows(), it.image.slices()};
  Coordinates coordinates{.layer = *rc::gen::inRange(0U, 5U)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // All sizes are powers of two, so that no coordinate is rounded.
    coordinates.at.at(axis) = static_cast<float>(it.eighths.at(axis)) / 8;
    if (it.sampling.normalized_coordinates) {
      coordinates.at.at(axis) /= static_cast<float>(sizes.at(axis));
    }
  }
  const Taps taps = taps_of(it.image, it.sampling, it.geometry, coordinates);
  RC_ASSERT(weights_of(taps) == expected(it, std::min(coordinates.layer, 2U)));
}

TEST(TapsOf, weights_have_eight_bits_behind_the_point) {
  const Image image{.channels = {}, .width = 2};
  Sampling sampling{.linear = true};
  sampling.address.fill(AddressMode::clamp);
  for (int k = 0; k <= 1024; ++k) {
    const float at = 0.5F + static_cast<float>(k) / 1024;
    const Taps taps = taps_of(image, sampling, Geometry::line, {.at = {at, 0, 0}});
    ASSERT_EQ(taps.size, 2U);
    double of_second = 0;
    for (std::size_t t = 0; t < 2; ++t) {
      if (taps.of.at(t).x == 1) of_second += static_cast<double>(taps.of.at(t).weight);
    }
    EXPECT_EQ(of_second, std::floor(k / 4.0 + 0.5) / 256) << k;
  }
}

TEST(TapsOf, coordinates_that_are_no_numbers_count_as_zero) {
  const Image image{.channels = {}, .width = 4};
  Sampling sampling{.normalized_coordinates = true};
  for (const AddressMode mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror}) {
    sampling.address.fill(mode);
    for (const float at : {std::nanf(""), 0.0F}) {
      const Taps taps = taps_of(image, sampling, Geometry::line, {.at = {at, 0, 0}});
      EXPECT_EQ(taps.of[0].x, 0U);
    }
    for (const float at : {INFINITY, -INFINITY, 3e38F}) {
      EXPECT_LT(taps_of(image, sampling, Geometry::line, {.at = {at, 0, 0}}).of[0].x, 4U);
    }
  }
}

// The axis of a face, and the directions of its coordinates (CUDA Programming Guide, "Cubemap
// Textures").
TEST(TapsOf, directions_meet_the_faces_of_a_cube) {
  EXPECT_EQ(on_face({2, 1, -1}).face, 0U);
  EXPECT_EQ(on_face({-2, 1, -1}).face, 1U);
  EXPECT_EQ(on_face({1, 2, -1}).face, 2U);
  EXPECT_EQ(on_face({1, -2, -1}).face, 3U);
  EXPECT_EQ(on_face({1, -1, 2}).face, 4U);
  EXPECT_EQ(on_face({1, -1, -2}).face, 5U);
  const OnFace right = on_face({2, 1, -1});
  EXPECT_FLOAT_EQ(right.s, 0.75F);  // -z / |x|
  EXPECT_FLOAT_EQ(right.t, 0.25F);  // -y / |x|
  const OnFace back = on_face({1, -1, -2});
  EXPECT_FLOAT_EQ(back.s, 0.25F);
  EXPECT_FLOAT_EQ(back.t, 0.75F);
}

TEST(Texels, are_read_as_their_format_says) {
  const auto color = [](Channels::Kind kind, std::array<std::uint8_t, 4> bits, bool normalized,
                        std::uint64_t texel) {
    return color_of({kind, bits}, {.normalized_reads = normalized},
                    reinterpret_cast<const std::byte*>(&texel));
  };
  using Kind = Channels::Kind;
  const auto number = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  EXPECT_EQ(color(Kind::unsigned_integer, {8, 8, 0, 0}, false, 0x80ff), (Color{255, 128, 0, 1}));
  EXPECT_EQ(color(Kind::signed_integer, {8, 8, 0, 0}, false, 0x80ff)[1], 0xffffff80U);
  EXPECT_EQ(color(Kind::unsigned_integer, {8, 0, 0, 0}, true, 0xff)[0], number(1));
  EXPECT_EQ(color(Kind::signed_integer, {8, 8, 0, 0}, true, 0x8181)[0], number(-1));
  EXPECT_EQ(color(Kind::signed_integer, {8, 8, 0, 0}, true, 0x80)[0], number(-1));
  EXPECT_EQ(color(Kind::signed_integer, {16, 0, 0, 0}, true, 0x7fff)[0], number(1));
  EXPECT_EQ(color(Kind::real, {16, 16, 0, 0}, false, 0xc0003c00)[0], number(1));
  EXPECT_EQ(color(Kind::real, {16, 16, 0, 0}, false, 0xc0003c00)[1], number(-2));
  EXPECT_EQ(color(Kind::real, {32, 0, 0, 0}, false, 0x3f800000),
            (Color{number(1), 0, 0, number(1)}));
  // 32 bits are never normalized.
  EXPECT_EQ(color(Kind::unsigned_integer, {32, 0, 0, 0}, true, 7)[0], 7U);
}

}  // namespace
}  // namespace bankproof::ptx
