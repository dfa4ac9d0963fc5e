// Texture and surface objects: what the handles in registers stand for.
#pragma once

#include <array>
#include <atomic>
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
    textures_[++last_] = std::make_unique<const Kept<TextureObject>>(std::move(object));
    return last_;
  }
  std::uint64_t add(SurfaceObject object) {
    surfaces_[++last_] = std::make_unique<const Kept<SurfaceObject>>(object);
    return last_;
  }
  /// The object, which counts as used from now on; null if there is no such object. Workers of a
  /// launch may call this at the same time.
  const TextureObject* texture(std::uint64_t handle) const { return use(textures_, handle); }
  const SurfaceObject* surface(std::uint64_t handle) const { return use(surfaces_, handle); }
  /// Return whether there was such an object.
  bool remove_texture(std::uint64_t handle) { return remove(textures_, handle); }
  bool remove_surface(std::uint64_t handle) { return remove(surfaces_, handle); }
  /// Counts the objects that were removed.
  std::uint64_t version() const { return version_; }

  /// The handles of the objects that were used since the last call.
  std::vector<std::uint64_t> take_used() {
    std::vector<std::uint64_t> handles;
    take_used(textures_, handles);
    take_used(surfaces_, handles);
    return handles;
  }

 private:
  template <class Object>
  struct Kept {
    explicit Kept(Object given) : object(std::move(given)) {}
    Object object;
    mutable std::atomic<bool> is_used = false;
  };
  template <class Object>
  using Table = std::map<std::uint64_t, std::unique_ptr<const Kept<Object>>>;
  template <class Object>
  static const Object* use(const Table<Object>& table, std::uint64_t handle) {
    const auto found = table.find(handle);
    if (found == table.end()) return nullptr;
    std::atomic<bool>& is_used = found->second->is_used;
    if (!is_used.load(std::memory_order_relaxed)) is_used.store(true, std::memory_order_relaxed);
    return &found->second->object;
  }
  template <class Object>
  bool remove(Table<Object>& table, std::uint64_t handle) {
    const bool was_there = table.erase(handle) != 0;
    version_ += was_there ? 1U : 0U;
    return was_there;
  }
  template <class Object>
  static void take_used(const Table<Object>& table, std::vector<std::uint64_t>& handles) {
    for (const auto& [handle, kept] : table) {
      if (kept->is_used.exchange(false)) handles.push_back(handle);
    }
  }
  Table<TextureObject> textures_;
  Table<SurfaceObject> surfaces_;
  std::uint64_t last_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace bankproof::ptx
