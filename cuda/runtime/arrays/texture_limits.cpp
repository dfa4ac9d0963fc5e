// See texture_limits.hpp.
#include "texture_limits.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace bankproof::cuda {

namespace {

cudaDeviceProp limits_alone() {
  cudaDeviceProp of = {};
  set_texture_limits(of);
  return of;
}

bool is_in(std::size_t size, int most) {
  return size >= 1 && size <= static_cast<std::size_t>(most);
}
bool is_in_all(const cudaExtent& of, std::span<const int, 3> most) {
  return is_in(of.width, most[0]) && is_in(of.height, most[1]) && is_in(of.depth, most[2]);
}

struct Limit {
  cudaDeviceAttr attribute;
  int (*value)(const cudaDeviceProp&);
};
constexpr Limit limit_table[] = {
    {cudaDevAttrMaxTexture1DWidth, [](const cudaDeviceProp& of) { return of.maxTexture1D; }},
    {cudaDevAttrMaxTexture2DWidth, [](const cudaDeviceProp& of) { return of.maxTexture2D[0]; }},
    {cudaDevAttrMaxTexture2DHeight, [](const cudaDeviceProp& of) { return of.maxTexture2D[1]; }},
    {cudaDevAttrMaxTexture3DWidth, [](const cudaDeviceProp& of) { return of.maxTexture3D[0]; }},
    {cudaDevAttrMaxTexture3DHeight, [](const cudaDeviceProp& of) { return of.maxTexture3D[1]; }},
    {cudaDevAttrMaxTexture3DDepth, [](const cudaDeviceProp& of) { return of.maxTexture3D[2]; }},
    {cudaDevAttrMaxTexture2DLayeredWidth,
     [](const cudaDeviceProp& of) { return of.maxTexture2DLayered[0]; }},
    {cudaDevAttrMaxTexture2DLayeredHeight,
     [](const cudaDeviceProp& of) { return of.maxTexture2DLayered[1]; }},
    {cudaDevAttrMaxTexture2DLayeredLayers,
     [](const cudaDeviceProp& of) { return of.maxTexture2DLayered[2]; }},
    {cudaDevAttrMaxTexture1DLayeredWidth,
     [](const cudaDeviceProp& of) { return of.maxTexture1DLayered[0]; }},
    {cudaDevAttrMaxTexture1DLayeredLayers,
     [](const cudaDeviceProp& of) { return of.maxTexture1DLayered[1]; }},
    {cudaDevAttrMaxTexture2DGatherWidth,
     [](const cudaDeviceProp& of) { return of.maxTexture2DGather[0]; }},
    {cudaDevAttrMaxTexture2DGatherHeight,
     [](const cudaDeviceProp& of) { return of.maxTexture2DGather[1]; }},
    {cudaDevAttrMaxTextureCubemapWidth,
     [](const cudaDeviceProp& of) { return of.maxTextureCubemap; }},
    {cudaDevAttrMaxTextureCubemapLayeredWidth,
     [](const cudaDeviceProp& of) { return of.maxTextureCubemapLayered[0]; }},
    {cudaDevAttrMaxTextureCubemapLayeredLayers,
     [](const cudaDeviceProp& of) { return of.maxTextureCubemapLayered[1]; }},
    {cudaDevAttrMaxSurface1DWidth, [](const cudaDeviceProp& of) { return of.maxSurface1D; }},
    {cudaDevAttrMaxSurface2DWidth, [](const cudaDeviceProp& of) { return of.maxSurface2D[0]; }},
    {cudaDevAttrMaxSurface2DHeight, [](const cudaDeviceProp& of) { return of.maxSurface2D[1]; }},
    {cudaDevAttrMaxSurface3DWidth, [](const cudaDeviceProp& of) { return of.maxSurface3D[0]; }},
    {cudaDevAttrMaxSurface3DHeight, [](const cudaDeviceProp& of) { return of.maxSurface3D[1]; }},
    {cudaDevAttrMaxSurface3DDepth, [](const cudaDeviceProp& of) { return of.maxSurface3D[2]; }},
    {cudaDevAttrMaxSurface1DLayeredWidth,
     [](const cudaDeviceProp& of) { return of.maxSurface1DLayered[0]; }},
    {cudaDevAttrMaxSurface1DLayeredLayers,
     [](const cudaDeviceProp& of) { return of.maxSurface1DLayered[1]; }},
    {cudaDevAttrMaxSurface2DLayeredWidth,
     [](const cudaDeviceProp& of) { return of.maxSurface2DLayered[0]; }},
    {cudaDevAttrMaxSurface2DLayeredHeight,
     [](const cudaDeviceProp& of) { return of.maxSurface2DLayered[1]; }},
    {cudaDevAttrMaxSurface2DLayeredLayers,
     [](const cudaDeviceProp& of) { return of.maxSurface2DLayered[2]; }},
    {cudaDevAttrMaxSurfaceCubemapWidth,
     [](const cudaDeviceProp& of) { return of.maxSurfaceCubemap; }},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth,
     [](const cudaDeviceProp& of) { return of.maxSurfaceCubemapLayered[0]; }},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers,
     [](const cudaDeviceProp& of) { return of.maxSurfaceCubemapLayered[1]; }},
    {cudaDevAttrMaxTexture1DLinearWidth,
     [](const cudaDeviceProp&) { return static_cast<int>(most_texels_of_linear_memory); }},
    {cudaDevAttrMaxTexture2DLinearWidth,
     [](const cudaDeviceProp& of) { return of.maxTexture2DLinear[0]; }},
    {cudaDevAttrMaxTexture2DLinearHeight,
     [](const cudaDeviceProp& of) { return of.maxTexture2DLinear[1]; }},
    {cudaDevAttrMaxTexture2DLinearPitch,
     [](const cudaDeviceProp& of) { return of.maxTexture2DLinear[2]; }},
    {cudaDevAttrMaxTexture2DMipmappedWidth,
     [](const cudaDeviceProp& of) { return of.maxTexture2DMipmap[0]; }},
    {cudaDevAttrMaxTexture2DMipmappedHeight,
     [](const cudaDeviceProp& of) { return of.maxTexture2DMipmap[1]; }},
    {cudaDevAttrMaxTexture1DMipmappedWidth,
     [](const cudaDeviceProp& of) { return of.maxTexture1DMipmap; }},
    {cudaDevAttrSurfaceAlignment,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.surfaceAlignment); }},
};

template <std::size_t size>
void assign(int (&to)[size], std::array<int, size> from) {
  std::copy(from.begin(), from.end(), to);
}

}  // namespace

void set_texture_limits(cudaDeviceProp& of) {
  of.surfaceAlignment = 512;
  of.maxTexture1D = 131072;
  of.maxTexture1DMipmap = 32768;
  assign(of.maxTexture2D, {131072, 65536});
  assign(of.maxTexture2DMipmap, {32768, 32768});
  assign(of.maxTexture2DLinear, {131072, 65000, 2097120});
  assign(of.maxTexture2DGather, {32768, 32768});
  assign(of.maxTexture3D, {16384, 16384, 16384});
  assign(of.maxTexture3DAlt, {8192, 8192, 32768});
  of.maxTextureCubemap = 32768;
  assign(of.maxTexture1DLayered, {32768, 2048});
  assign(of.maxTexture2DLayered, {32768, 32768, 2048});
  assign(of.maxTextureCubemapLayered, {32768, 2046});
  of.maxSurface1D = 32768;
  assign(of.maxSurface2D, {131072, 65536});
  assign(of.maxSurface3D, {16384, 16384, 16384});
  assign(of.maxSurface1DLayered, {32768, 2048});
  assign(of.maxSurface2DLayered, {32768, 32768, 2048});
  of.maxSurfaceCubemap = 32768;
  assign(of.maxSurfaceCubemapLayered, {32768, 2046});
}

std::optional<int> texture_limit(cudaDeviceAttr attribute, const cudaDeviceProp& of) {
  const auto* const found =
      std::find_if(std::begin(limit_table), std::end(limit_table),
                   [&](const Limit& one) { return one.attribute == attribute; });
  if (found == std::end(limit_table)) return {};
  return found->value(of);
}

bool fits_an_array(const cudaExtent& extent, unsigned flags) {
  static const cudaDeviceProp most = limits_alone();
  const bool is_cube = (flags & cudaArrayCubemap) != 0;
  const bool is_layered = (flags & cudaArrayLayered) != 0;
  const bool is_surface = (flags & cudaArraySurfaceLoadStore) != 0;
  const auto& [width, height, depth] = extent;
  if ((flags & cudaArrayTextureGather) != 0) {
    if (is_cube || is_layered || depth != 0) return false;
    return is_in(width, most.maxTexture2DGather[0]) && is_in(height, most.maxTexture2DGather[1]);
  }
  if (is_cube) {
    const bool faces =
        is_layered ? depth % 6 == 0 && is_in(depth, most.maxTextureCubemapLayered[1]) : depth == 6;
    return width == height && faces && is_in(width, most.maxTextureCubemap);
  }
  if (is_layered) {
    if (height == 0) {
      return is_in(width, most.maxTexture1DLayered[0]) && is_in(depth, most.maxTexture1DLayered[1]);
    }
    return is_in(width, most.maxTexture2DLayered[0]) &&
           is_in(height, most.maxTexture2DLayered[1]) && is_in(depth, most.maxTexture2DLayered[2]);
  }
  if (depth == 0 && height == 0) {
    return is_in(width, is_surface ? most.maxSurface1D : most.maxTexture1D);
  }
  if (depth == 0) return is_in(width, most.maxTexture2D[0]) && is_in(height, most.maxTexture2D[1]);
  return is_in_all(extent, most.maxTexture3D) ||
         (!is_surface && is_in_all(extent, most.maxTexture3DAlt));
}

}  // namespace bankproof::cuda
