// The host's side of affine permutations; see affine_permutation.hpp.
#include <string>

#include "../support/checks.hpp"
#include "../support/words.hpp"
#include "affine_permutation.cuh"
#include "affine_permutation.hpp"

namespace bankproof::cuda {

namespace {

template <unsigned own_bits, class W>
void launch_tiles(const W* a, W* b, const AffineTiles& tiles, cudaStream_t stream) {
  if constexpr (own_bits > 0) {
    if (tiles.bits < kernels::affine_thread_bits + own_bits) {
      return launch_tiles<own_bits - 1>(a, b, tiles, stream);
    }
  }
  const std::uint32_t threads = std::uint32_t{1} << (tiles.bits - own_bits);
  kernels::permute_affine_tiles<own_bits, W>
      <<<std::uint32_t{1} << tiles.tiles_bits, threads, 0, stream>>>(a, b, tiles);
  require_launched("permute_affine_tiles");
}

}  // namespace

template <class T>
void permute_affine(std::span<const T> a, T* b, const bankproof::AffineMap& map,
                    cudaStream_t stream) {
  using W = WordOf<T>;
  constexpr unsigned run_bits = sizeof(T) == 4 ? 5 : 4;  // 128 bytes
  constexpr unsigned most_tiles_bits = 30;
  constexpr const char* what = "permute_affine";
  require_apart(what, {{"a", a}, {"b", b, a.size()}});
  if (map.bits >= 64 || a.size() != std::size_t{1} << map.bits) {
    refuse(what, "a map of " + std::to_string(map.bits) + " bits does not fit " +
                     std::to_string(a.size()) + " elements");
  }
  if (!is_invertible(map)) refuse(what, "the map is not a permutation");
  const AffineTiles tiles = tiles_of(map, run_bits, kernels::affine_tile_bits<W>);
  if (tiles.tiles_bits > most_tiles_bits) refuse(what, "more than 2^30 tiles");
  launch_tiles<kernels::affine_tile_bits<W> - kernels::affine_thread_bits>(
      words_of(a.data()), words_of(b), tiles, stream);
}

#define BANKPROOF_INSTANTIATE(T)                                                       \
  template void permute_affine<T>(std::span<const T>, T*, const bankproof::AffineMap&, \
                                  cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
