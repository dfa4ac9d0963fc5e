// The host's side of one-dimensional convolution; see line_convolution.hpp.
#include <string>

#include "../support/checks.hpp"
#include "../support/masks.cuh"
#include "line_convolution.cuh"
#include "line_convolution.hpp"

namespace bankproof::cuda {

namespace {

/// The elements of shared memory that a block of t threads needs.
std::size_t cells(LineVariant variant, std::size_t t, std::size_t v) {
  if (variant == LineVariant::tiled) return t + 2 * v;
  return variant == LineVariant::cached ? t : 0;
}

}  // namespace

template <class T>
void line_convolution(std::span<const T> n, std::span<const T> m, T* p, const LineShape& shape,
                      LineVariant variant, cudaStream_t stream) {
  constexpr const char* what = "line_convolution";
  if (m.size() % 2 == 0 || m.size() > 0x7fffffff) {
    refuse(what, "a mask of " + std::to_string(m.size()) + " numbers has no center");
  }
  require_block(shape.threads, what);
  require_apart(what, {{"n", n}, {"m", m}, {"p", p, n.size()}});
  if (n.empty()) return;
  const std::uint32_t blocks = blocks_for(ceil_div(n.size(), shape.threads), what);
  const kernels::Line<T> line{n.data(), n.size(), shape.ghosts};
  const auto v = static_cast<std::uint32_t>(m.size() / 2);
  const std::size_t bytes = cells(variant, shape.threads, v) * sizeof(T);
  const auto launch = [&](auto* kernel, const auto& mask) {
    kernel<<<blocks, shape.threads, bytes, stream>>>(line, mask, p, v);
    require_launched(what);
  };
  if (variant != LineVariant::basic) kernels::set_constant_mask(std::as_bytes(m), what, stream);
  using InConstant = kernels::ConstantMask<T>;
  switch (variant) {
    case LineVariant::basic:
      return launch(kernels::convolve_line<T, kernels::GlobalMask<T>>,
                    kernels::GlobalMask<T>{m.data()});
    case LineVariant::constant_mask:
      return launch(kernels::convolve_line<T, InConstant>, InConstant{});
    case LineVariant::tiled:
      return launch(kernels::convolve_line_tiled<T, InConstant>, InConstant{});
    case LineVariant::cached:
      return launch(kernels::convolve_line_cached<T, InConstant>, InConstant{});
  }
  refuse_variant(what);
}

#define BANKPROOF_INSTANTIATE(T)                                                                  \
  template void line_convolution<T>(std::span<const T>, std::span<const T>, T*, const LineShape&, \
                                    LineVariant, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
