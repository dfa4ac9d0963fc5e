// The host's side of the direct convolution; see convolution.hpp.
#include "../support/checks.hpp"
#include "convolution.cuh"
#include "convolution.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::size_t usual_share = 1024;
constexpr std::uint32_t usual_threads = 256;
constexpr std::size_t most_blocks = 0x7fffffff;

/// The number of elements of z that a block computes, and the threads for each element.
struct Share {
  std::uint32_t blocks;
  std::uint32_t threads;
  std::size_t size;
  std::size_t pieces;
  std::size_t bytes;

  Share(const ConvolutionShape& shape, std::size_t n, std::size_t m, std::size_t element)
      : threads(shape.threads == 0 ? usual_threads : shape.threads) {
    std::size_t wanted = shape.blocks == 0 ? ceil_div(n, usual_share) : shape.blocks;
    if (wanted > most_blocks) wanted = most_blocks;
    blocks = static_cast<std::uint32_t>(wanted);
    size = rounded_up<std::size_t>(ceil_div(n, blocks), kernels::warp_threads);
    pieces = larger<std::size_t>(1, smaller<std::size_t>(m, threads / size));
    bytes = (m + (size + m - 1) + pieces * size) * element;
  }
};

}  // namespace

template <class T>
void convolution(std::span<const T> x, std::span<const T> y, T* z, const ConvolutionShape& shape,
                 cudaStream_t stream) {
  constexpr const char* what = "convolution";
  const std::size_t m = x.size();
  if (m == 0) refuse(what, "x is empty");
  const std::size_t n = y.size() < m ? 0 : y.size() - m + 1;
  require_apart(what, {{"x", x}, {"y", y}, {"z", z, n}});
  if (n == 0) return;
  const Share share(shape, n, m, sizeof(T));
  require_block(share.threads, what);
  require_shared_memory(share.bytes, "x, and a block's shares of y and z,", what);
  kernels::convolve_shares<T><<<share.blocks, share.threads, share.bytes, stream>>>(
      x.data(), y.data(), z, n, static_cast<std::uint32_t>(m),
      static_cast<std::uint32_t>(share.size), static_cast<std::uint32_t>(share.pieces));
  require_launched("convolve_shares");
}

#define BANKPROOF_INSTANTIATE(T)                                           \
  template void convolution<T>(std::span<const T>, std::span<const T>, T*, \
                               const ConvolutionShape&, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
