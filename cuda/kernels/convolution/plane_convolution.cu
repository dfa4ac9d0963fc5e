// The host's side of two-dimensional convolution; see plane_convolution.hpp.
#include <string>

#include "../support/checks.hpp"
#include "../support/masks.cuh"
#include "plane_convolution.cuh"
#include "plane_convolution.hpp"

namespace bankproof::cuda {

namespace {

constexpr const char* what = "plane_convolution";

/// The number of elements from the image's first element to its last, gaps between rows included.
std::size_t elements_of(const PlaneShape& shape) {
  if (shape.rows == 0) return 0;
  return product_of(shape.rows - 1, shape.pitch, what) + shape.columns * shape.channels;
}

/// The shape with its pitch. Throws unless an array of `elements` elements holds the image.
PlaneShape checked(PlaneShape shape, std::size_t elements) {
  const std::size_t row = product_of(shape.columns, shape.channels, what);
  if (shape.pitch == 0) shape.pitch = row;
  if (shape.pitch < row) refuse(what, "the pitch is less than a row");
  require_block(shape.threads, what);
  if (shape.tile == 0 || shape.tile > 0x7fff) refuse(what, "tiles have a side of 1 to 32767");
  if (elements < elements_of(shape)) {
    refuse(what, std::to_string(elements) + " elements are fewer than those of the image");
  }
  return shape;
}

}  // namespace

template <class T>
void plane_convolution(std::span<const T> n, std::span<const T> m, T* p, const PlaneShape& given,
                       PlaneVariant variant, cudaStream_t stream) {
  const PlaneShape shape = checked(given, n.size());
  const std::uint32_t v = radius_of_square(m.size(), what);
  require_apart(what, {{"n", n}, {"m", m}, {"p", p, elements_of(shape)}});
  if (shape.rows == 0 || shape.columns == 0 || shape.channels == 0) return;
  const std::uint32_t tiles =
      blocks_for(tiles_of(shape.rows, shape.columns, shape.tile, shape.tile), what);
  const std::size_t side = shape.tile + 2 * std::size_t{v};
  const std::size_t bytes = variant == PlaneVariant::tiled
                                ? product_of(shape.channels, side * side * sizeof(T), what)
                                : 0;
  require_shared_memory(bytes, "a tile and its halo", what);
  const kernels::Plane<T> plane{n.data(),       shape.rows,  shape.columns,
                                shape.channels, shape.pitch, shape.ghosts};
  const auto launch = [&](auto* kernel, const auto& mask) {
    kernel<<<tiles, shape.threads, bytes, stream>>>(plane, mask, p, v, shape.tile);
    require_launched(what);
  };
  if (variant != PlaneVariant::basic) kernels::set_constant_mask(std::as_bytes(m), what, stream);
  using InConstant = kernels::ConstantMask<T>;
  switch (variant) {
    case PlaneVariant::basic:
      return launch(kernels::convolve_plane<T, kernels::GlobalMask<T>>,
                    kernels::GlobalMask<T>{m.data()});
    case PlaneVariant::constant_mask:
      return launch(kernels::convolve_plane<T, InConstant>, InConstant{});
    case PlaneVariant::tiled:
      return launch(kernels::convolve_plane_tiled<T, InConstant>, InConstant{});
  }
  refuse_variant(what);
}

#define BANKPROOF_INSTANTIATE(T)                                                 \
  template void plane_convolution<T>(std::span<const T>, std::span<const T>, T*, \
                                     const PlaneShape&, PlaneVariant, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
