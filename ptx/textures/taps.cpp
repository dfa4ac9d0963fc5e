// Finds the texels of a fetch; see taps.hpp.
#include "taps.hpp"

#include <algorithm>
#include <cmath>

namespace bankproof::ptx {

namespace {

/// A texel on one axis.
struct AxisTap {
  std::uint32_t index = 0;
  bool border = false;
};

AddressMode mode_of(const Sampling& sampling, std::size_t axis) {
  const AddressMode mode = sampling.address.at(axis);
  // Only normalized coordinates wrap or are mirrored.
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !sampling.normalized_coordinates ? AddressMode::clamp : mode;
}

/// The coordinate in texels. A coordinate that is no number counts as 0.
float in_texels(const Sampling& sampling, AddressMode mode, std::uint32_t size, float at) {
  if (std::isnan(at)) at = 0;
  if (!sampling.normalized_coordinates) return at;
  if (mode == AddressMode::wrap) {
    at -= std::floor(at);
  } else if (mode == AddressMode::mirror) {
    const float turns = std::floor(at);
    const bool forward = std::fmod(turns, 2.0F) == 0;
    at = forward ? at - turns : 1 - (at - turns);
  }
  return at * static_cast<float>(size);
}

/// The texel with this number; a number outside of the image is of a neighbor's filter.
AxisTap tap_on_axis(AddressMode mode, std::uint32_t size, float number) {
  const auto last = static_cast<float>(size - 1);
  if (number >= 0 && number <= last) return {static_cast<std::uint32_t>(number), false};
  if (mode == AddressMode::border) return {0, true};
  // A wrapped coordinate of a filter is at most one texel outside.
  const bool low = number < 0;
  if (mode == AddressMode::wrap) return {low ? size - 1 : 0, false};
  return {low ? 0 : size - 1, false};
}

/// The one or two texels on an axis, and the weight of the second.
struct OnAxis {
  std::array<AxisTap, 2> taps{};
  std::uint32_t size = 1;
  float second = 0;
};
OnAxis on_axis(const Sampling& sampling, std::size_t axis, std::uint32_t size, float at,
               bool linear) {
  const AddressMode mode = mode_of(sampling, axis);
  const float place = in_texels(sampling, mode, size, at);
  if (!linear) return {{tap_on_axis(mode, size, std::floor(place)), {}}, 1, 0};
  const float shifted = place - 0.5F;
  const float first = std::floor(shifted);
  // The weight has 9 bits, of which 8 are behind the point.
  constexpr float parts = 256;
  const float second = std::floor((shifted - first) * parts + 0.5F) / parts;
  return {{tap_on_axis(mode, size, first), tap_on_axis(mode, size, first + 1)}, 2, second};
}

/// The axes of an image: a cube's face has two.
struct Axes {
  std::array<OnAxis, 3> of{};
  std::uint32_t slice = 0;  // if there is no third axis
  bool has_third = false;
};

Axes axes_in(const Image& image, const Sampling& sampling, Geometry geometry,
             const Coordinates& coordinates, bool linear) {
  Axes axes;
  const std::uint32_t layer = image.layers == 0 ? 0 : std::min(coordinates.layer, image.layers - 1);
  if (geometry == Geometry::cube || geometry == Geometry::cubes) {
    const OnFace on = on_face(coordinates.at);
    Sampling of_face = sampling;
    of_face.normalized_coordinates = true;
    of_face.address.fill(AddressMode::clamp);
    axes.of[0] = on_axis(of_face, 0, image.width, on.s, linear);
    axes.of[1] = on_axis(of_face, 1, image.rows(), on.t, linear);
    axes.slice = 6 * layer + on.face;
    return axes;
  }
  axes.slice = has_layer(geometry) ? layer : 0;
  axes.of[0] = on_axis(sampling, 0, image.width, coordinates.at[0], linear);
  if (axes_of(geometry) >= 2) {
    axes.of[1] = on_axis(sampling, 1, image.rows(), coordinates.at[1], linear);
  }
  axes.has_third = geometry == Geometry::volume;
  if (axes.has_third) {
    axes.of[2] = on_axis(sampling, 2, image.slices(), coordinates.at[2], linear);
  }
  return axes;
}

float weight_of(const OnAxis& axis, std::uint32_t tap) {
  if (axis.size == 1) return 1;
  return tap == 0 ? 1 - axis.second : axis.second;
}

Tap tap_of(const Axes& axes, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const AxisTap& on_x = axes.of[0].taps[x];
  const AxisTap& on_y = axes.of[1].taps[y];
  const AxisTap& on_z = axes.of[2].taps[z];
  Tap tap{.x = on_x.index,
          .y = on_y.index,
          .z = axes.has_third ? on_z.index : axes.slice,
          .border = on_x.border || on_y.border || on_z.border};
  tap.weight = weight_of(axes.of[0], x) * weight_of(axes.of[1], y) * weight_of(axes.of[2], z);
  return tap;
}

}  // namespace

Taps taps_of(const Image& image, const Sampling& sampling, Geometry geometry,
             const Coordinates& coordinates) {
  const Axes axes = axes_in(image, sampling, geometry, coordinates, sampling.linear);
  Taps taps;
  for (std::uint32_t z = 0; z < axes.of[2].size; ++z) {
    for (std::uint32_t y = 0; y < axes.of[1].size; ++y) {
      for (std::uint32_t x = 0; x < axes.of[0].size; ++x) taps.add(tap_of(axes, x, y, z));
    }
  }
  return taps;
}

Taps gathered_taps(const Image& image, const Sampling& sampling, Geometry geometry,
                   const Coordinates& coordinates) {
  const Axes axes = axes_in(image, sampling, geometry, coordinates, true);
  Taps taps;
  taps.add(tap_of(axes, 0, 1, 0));
  taps.add(tap_of(axes, 1, 1, 0));
  taps.add(tap_of(axes, 1, 0, 0));
  taps.add(tap_of(axes, 0, 0, 0));
  return taps;
}

Tap tap_at(const Image& image, const std::array<std::int32_t, 3>& at, std::uint32_t axes,
           std::uint32_t layer) {
  const std::array<std::uint32_t, 3> sizes{image.width, image.rows(), image.slices()};
  Tap tap{.z = image.layers == 0 ? 0 : std::min(layer, image.layers - 1)};
  std::array<std::uint32_t, 3> place{};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    place[axis] = static_cast<std::uint32_t>(at[axis]);
    tap.border = tap.border || place[axis] >= sizes[axis];
  }
  if (tap.border) return tap;
  tap.x = place[0];
  tap.y = place[1];
  if (axes == 3) tap.z = place[2];
  return tap;
}

OnFace on_face(const std::array<float, 3>& direction) {
  const auto [x, y, z] = direction;
  const float of_x = std::fabs(x);
  const float of_y = std::fabs(y);
  const float of_z = std::fabs(z);
  const auto on = [](std::uint32_t face, float s, float t, float most) {
    return OnFace{face, (s / most + 1) / 2, (t / most + 1) / 2};
  };
  if (of_x >= of_y && of_x >= of_z) {
    return x >= 0 ? on(0, -z, -y, of_x) : on(1, z, -y, of_x);
  }
  if (of_y >= of_z) return y >= 0 ? on(2, x, z, of_y) : on(3, x, -z, of_y);
  return z >= 0 ? on(4, x, -y, of_z) : on(5, -x, -y, of_z);
}

}  // namespace bankproof::ptx
