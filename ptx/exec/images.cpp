// Executes instructions on textures and surfaces. Each texel that a lane reads is a load of a
// buffer, with all checks of loads.
#include "images.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "../alu/half.hpp"
#include "../memory/storage.hpp"
#include "../memory/texels.hpp"
#include "../textures/texels.hpp"
#include "block_run.hpp"

namespace bankproof::ptx {

namespace {

using LaneColors = std::array<Color, warp_lanes>;

std::uint32_t bits_at(const Warp& warp, Slot slot, std::uint32_t lane) {
  return slot == no_slot ? 0 : warp.lanes<const std::uint32_t>(slot)[lane];
}
float number_at(const Warp& warp, Slot slot, std::uint32_t lane) {
  return std::bit_cast<float>(bits_at(warp, slot, lane));
}

// ---- Textures

/// The level of a mipmap that the lane reads, before rounding.
float level_of(const Warp& warp, const ImageOperands& operands, const TextureObject& texture,
               std::uint32_t lane) {
  using Level = ImageOperands::Level;
  if (operands.level == Level::first || texture.levels.size() == 1) return 0;
  float level = 0;
  if (operands.level == Level::given) {
    level = number_at(warp, operands.given_level, lane);
  } else {
    // The longer side of the pixel's footprint, in texels.
    const Image& image = texture.levels.front();
    const std::array<std::uint32_t, 3> sizes{image.width, image.rows(), image.slices()};
    const auto length_of = [&](const std::vector<Slot>& gradient) {
      float sum = 0;
      for (std::size_t axis = 0; axis < gradient.size() && axis < sizes.size(); ++axis) {
        float along = number_at(warp, gradient[axis], lane);
        if (texture.sampling.normalized_coordinates) along *= static_cast<float>(sizes.at(axis));
        sum += along * along;
      }
      return std::sqrt(sum);
    };
    level = std::log2(std::max(length_of(operands.by_x), length_of(operands.by_y)));
  }
  const Sampling& sampling = texture.sampling;
  level = std::clamp(level + sampling.level_bias, sampling.least_level, sampling.most_level);
  const auto last = static_cast<float>(texture.levels.size() - 1);
  return std::isnan(level) ? 0 : std::clamp(level, 0.0F, last);
}

/// Reads the texels of one level for lanes that all read this level, and combines them.
class Fetch {
 public:
  Fetch(Warp& warp, const Op* op, const ImageOperands& operands, const TextureObject& texture,
        std::size_t level)
      : warp_(warp),
        op_(op),
        operands_(operands),
        image_(texture.levels.at(level)),
        sampling_(texture.sampling) {}

  void colors(LaneMask lanes, LaneColors& result) {
    std::array<Taps, warp_lanes> taps;
    each_lane(lanes, [&](std::uint32_t lane) { taps.at(lane) = taps_of_lane(lane); });
    std::array<std::array<Color, 8>, warp_lanes> read;
    for (std::uint32_t tap = 0; tap < 8; ++tap) {
      LaneAddresses at{};
      LaneMask reading = 0;
      each_lane(lanes, [&](std::uint32_t lane) {
        if (tap >= taps.at(lane).size) return;
        const Tap& one = taps.at(lane).of.at(tap);
        read.at(lane).at(tap) = one.border ? border() : Color{};
        // A filter does not read what has no weight.
        const bool counts = one.weight != 0 || operands_.kind == ImageOperands::Kind::gather;
        if (one.border || !counts) return;
        at.at(lane) = image_.offset(one.x, one.y, one.z);
        reading |= LaneMask{1} << lane;
      });
      if (reading == 0) continue;
      LaneBytes texels;
      const std::uint32_t bytes = image_.channels.bytes();
      access_texels(warp_, operands_.memory, op_->site, image_.buffer, at, reading, bytes, texels);
      each_lane(reading, [&](std::uint32_t lane) {
        read.at(lane).at(tap) = color_of(image_.channels, sampling_, value_of(texels, lane, bytes));
      });
    }
    each_lane(lanes, [&](std::uint32_t lane) {
      result.at(lane) = combined(taps.at(lane), read.at(lane));
    });
  }

 private:
  Taps taps_of_lane(std::uint32_t lane) const {
    const std::uint32_t layer = bits_at(warp_, operands_.layer, lane);
    if (operands_.by_number) {
      std::array<std::int32_t, 3> at{};
      for (std::size_t k = 0; k < operands_.coordinates.size(); ++k) {
        at.at(k) = static_cast<std::int32_t>(bits_at(warp_, operands_.coordinates[k], lane));
      }
      Taps taps;
      taps.add(tap_at(image_, at, axes_of(operands_.geometry), layer));
      return taps;
    }
    Coordinates coordinates{.layer = layer};
    for (std::size_t k = 0; k < operands_.coordinates.size(); ++k) {
      coordinates.at.at(k) = number_at(warp_, operands_.coordinates[k], lane);
    }
    const bool gathers = operands_.kind == ImageOperands::Kind::gather;
    return gathers ? gathered_taps(image_, sampling_, operands_.geometry, coordinates)
                   : taps_of(image_, sampling_, operands_.geometry, coordinates);
  }

  // What integer coordinates find outside of the image is 0.
  Color border() const {
    return operands_.by_number ? Color{} : border_of(image_.channels, sampling_);
  }

  Color combined(const Taps& taps, const std::array<Color, 8>& colors) const {
    if (operands_.kind == ImageOperands::Kind::gather) {
      Color gathered{};
      for (std::size_t k = 0; k < gathered.size(); ++k) {
        gathered.at(k) = colors.at(k).at(operands_.channel);
      }
      return gathered;
    }
    // Only numbers are filtered; of integers the first texel is taken.
    const bool filters = taps.size > 1 && gives_numbers(image_.channels, sampling_);
    return filters ? filtered(taps, colors) : colors[0];
  }

  Warp& warp_;
  const Op* op_;
  const ImageOperands& operands_;
  const Image& image_;
  const Sampling& sampling_;
};

/// `lanes` of one texture: level by level.
void sample(Warp& warp, const Op* op, const ImageOperands& operands, const TextureObject& texture,
            LaneMask lanes, LaneColors& colors) {
  std::array<float, warp_lanes> levels{};
  each_lane(lanes,
            [&](std::uint32_t lane) { levels.at(lane) = level_of(warp, operands, texture, lane); });
  const bool between = texture.sampling.linear_between_levels;
  const auto first_level = [&](std::uint32_t lane) {
    return static_cast<std::size_t>(std::floor(between ? levels.at(lane) : levels.at(lane) + 0.5F));
  };
  for (std::size_t level = 0; level < texture.levels.size(); ++level) {
    LaneMask first = 0;
    LaneMask second = 0;
    each_lane(lanes, [&](std::uint32_t lane) {
      const bool is_first = first_level(lane) == level;
      const bool is_second = between && level > 0 && first_level(lane) == level - 1 &&
                             levels.at(lane) > static_cast<float>(level - 1);
      first |= LaneMask{is_first} << lane;
      second |= LaneMask{is_second} << lane;
    });
    if ((first | second) == 0) continue;
    LaneColors here{};
    Fetch(warp, op, operands, texture, level).colors(first | second, here);
    each_lane(first, [&](std::uint32_t lane) { colors.at(lane) = here.at(lane); });
    each_lane(second, [&](std::uint32_t lane) {
      constexpr float parts = 256;  // as for the weights of texels
      const float part = levels.at(lane) - static_cast<float>(level - 1);
      const float weight = std::floor(part * parts + 0.5F) / parts;
      Taps both;
      both.add({.weight = 1 - weight});
      both.add({.weight = weight});
      colors.at(lane) = filtered(both, {colors.at(lane), here.at(lane)});
    });
  }
}

void write_colors(const Warp& warp, const ImageOperands& operands, LaneMask lanes,
                  const LaneColors& colors) {
  for (std::size_t k = 0; k < operands.memory.values.size(); ++k) {
    const Slot slot = operands.memory.values[k];
    if (slot == no_slot) continue;
    each_lane(lanes, [&](std::uint32_t lane) {
      const std::uint32_t bits = colors.at(lane).at(k);
      if (operands.halves) {
        const auto half = lanes::narrowed<lanes::Half>(std::bit_cast<float>(bits));
        warp.lanes<std::uint16_t>(slot)[lane] = half.bits;
      } else {
        warp.lanes<std::uint32_t>(slot)[lane] = bits;
      }
    });
  }
}

// ---- Surfaces

/// Where the lanes access the surface: those of `inside`, at offsets of its buffer.
struct SurfacePlaces {
  LaneMask inside = 0;
  LaneAddresses at{};
};

/// The first coordinate counts bytes.
SurfacePlaces places_of(Warp& warp, const Op* op, const ImageOperands& operands, const Image& image,
                        LaneMask lanes) {
  const std::uint32_t bytes = operands.memory.access.bytes();
  const std::uint32_t row = image.width * image.channels.bytes();
  const std::uint32_t axes = axes_of(operands.geometry);
  SurfacePlaces places;
  each_lane(lanes, [&](std::uint32_t lane) {
    const auto coordinate = [&](std::size_t k) {
      return static_cast<std::int32_t>(bits_at(warp, operands.coordinates[k], lane));
    };
    bool outside = false;
    const auto in_range = [&](std::int64_t at, std::uint32_t size) -> std::uint64_t {
      const std::int64_t last = std::int64_t{size} - 1;
      outside = outside || at < 0 || at > last;
      return static_cast<std::uint64_t>(
          std::clamp<std::int64_t>(at, 0, std::max<std::int64_t>(last, 0)));
    };
    // The last place at which the access fits into a row.
    const std::uint64_t x = in_range(coordinate(0), row >= bytes ? row - bytes + 1 : 0);
    const std::uint64_t y = axes >= 2 ? in_range(coordinate(1), image.rows()) : 0;
    std::uint64_t z = 0;
    if (has_layer(operands.geometry)) {
      z = in_range(bits_at(warp, operands.layer, lane), image.slices());
    } else if (axes == 3) {
      z = in_range(coordinate(2), image.slices());
    }
    if (outside && operands.outside == ImageOperands::Outside::trap) {
      warp.run->fault(FaultKind::out_of_bounds, op, nullptr, warp, LaneMask{1} << lane, [&] {
        return std::string(operands.kind == ImageOperands::Kind::store ? "write" : "read") +
               " of a surface, outside of its " + std::to_string(row) + " bytes by " +
               std::to_string(image.rows()) + " rows by " + std::to_string(image.slices());
      });
    }
    if (outside && operands.outside != ImageOperands::Outside::clamp) return;
    places.inside |= LaneMask{1} << lane;
    places.at.at(lane) = image.offset(0, y, z) + x;
  });
  return places;
}

void access_surface(Warp& warp, const Op* op, const ImageOperands& operands,
                    const SurfaceObject& surface, LaneMask lanes) {
  const MemoryOperands& memory = operands.memory;
  const SurfacePlaces places = places_of(warp, op, operands, surface.image, lanes);
  const bool stores = operands.kind == ImageOperands::Kind::store;
  LaneBytes values;
  if (stores) {
    read_texel_registers(warp, memory, values);
  } else {
    clear_values(values, lanes, memory.access.bytes());
  }
  if (places.inside != 0) {
    access_texels(warp, memory, op->site, surface.image.buffer, places.at, places.inside,
                  memory.access.bytes(), values);
  }
  if (!stores) write_texel_registers(warp, memory, lanes, values);
}

// ----

const Op* access_image(WarpState& state, const Op* op, const ImageOperands& operands) {
  Warp& warp = warp_of(state);
  const LaneMask active = guarded_lanes(warp, op);
  const auto* const handles = warp.lanes<const std::uint64_t>(operands.object);
  const ImageObjects& objects = warp.launch->global->images();
  const bool is_texture =
      operands.kind == ImageOperands::Kind::sample || operands.kind == ImageOperands::Kind::gather;
  LaneColors colors{};
  for (LaneMask rest = active; rest != 0;) {
    const std::uint64_t handle = handles[first_of(rest)];
    LaneMask lanes = 0;
    each_lane(rest,
              [&](std::uint32_t lane) { lanes |= LaneMask{handles[lane] == handle} << lane; });
    rest &= ~lanes;
    const TextureObject* const texture = is_texture ? objects.texture(handle) : nullptr;
    const SurfaceObject* const surface = is_texture ? nullptr : objects.surface(handle);
    if (texture == nullptr && surface == nullptr) {
      warp.run->stop(op, warp, lanes, [&] {
        return std::to_string(handle) + " is the handle of no " +
               (is_texture ? "texture" : "surface") + ", or it was destroyed";
      });
      return nullptr;
    }
    if (texture != nullptr) {
      sample(warp, op, operands, *texture, lanes, colors);
    } else {
      access_surface(warp, op, operands, *surface, lanes);
    }
  }
  if (is_texture) write_colors(warp, operands, active, colors);
  return op + 1;
}

}  // namespace

constinit const StepWith<ImageOperands> image_step = handled_by<access_image>;

}  // namespace bankproof::ptx
