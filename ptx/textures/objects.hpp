// Texture and surface objects: what the handles in registers stand for.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "image.hpp"

namespace bankproof::ptx {

/// What a texture gives outside of its image.
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

/// How a texture is read (CUDA Runtime API, cudaTextureDesc).
struct Sampling {
  std::array<AddressMode, 3> address{AddressMode::wrap, AddressMode::wrap, AddressMode::wrap};
  bool linear = false;                  // filters; else the nearest texel
  bool linear_between_levels = false;   // of a mipmap
  bool normalized_reads = false;        // integers become numbers of [0, 1] or [-1, 1]
  bool normalized_coordinates = false;  // from 0 to 1 over the image
  bool srgb = false;                    // the first three channels of 8 bits are sRGB
  std::array<float, 4> border{};
  float level_bias = 0;
  float least_level = 0;
  float most_level = 0;
};

struct TextureObject {
  std::vector<Image> levels;  // one, but for mipmaps
  Sampling sampling;
};
struct SurfaceObject {
  Image image;
};

/// The objects of one context by their handles. No handle is given twice, and an object does not
/// change.
class ImageObjects {
 public:
  std::uint64_t add(TextureObject object) {
    textures_[++last_] = std::make_unique<const TextureObject>(std::move(object));
    return last_;
  }
  std::uint64_t add(SurfaceObject object) {
    surfaces_[++last_] = std::make_unique<const SurfaceObject>(std::move(object));
    return last_;
  }
  /// Null if there is no such object.
  const TextureObject* texture(std::uint64_t handle) const { return find(textures_, handle); }
  const SurfaceObject* surface(std::uint64_t handle) const { return find(surfaces_, handle); }
  /// Return whether there was such an object.
  bool remove_texture(std::uint64_t handle) { return textures_.erase(handle) != 0; }
  bool remove_surface(std::uint64_t handle) { return surfaces_.erase(handle) != 0; }

 private:
  template <class Object>
  using Table = std::map<std::uint64_t, std::unique_ptr<const Object>>;
  template <class Object>
  static const Object* find(const Table<Object>& table, std::uint64_t handle) {
    const auto found = table.find(handle);
    return found == table.end() ? nullptr : found->second.get();
  }
  Table<TextureObject> textures_;
  Table<SurfaceObject> surfaces_;
  std::uint64_t last_ = 0;
};

}  // namespace bankproof::ptx
