// The host's side of prefix sums; see prefix_sums.hpp.
#include <algorithm>
#include <array>

#include "../support/checks.hpp"
#include "../support/elements.hpp"
#include "look_back.cuh"
#include "prefix_sums.cuh"
#include "prefix_sums.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::uint32_t usual_threads = 256;

/// The number of blocks for `items` items, one thread per item; at most 65535.
std::uint32_t blocks_of_items(std::size_t items) {
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(ceil_div(items, usual_threads), 1, 65535));
}

/// The number of elements of all work arrays: n/2 + n/4 + …
std::size_t work_elements(std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t size = n / 2; size > 0; size /= 2) sum += size;
  return sum;
}

// ---- One pass. The number of items per thread is odd, and so has no factor in common with 32:
// threads with consecutive elements access different banks.
constexpr int tile_threads = 128;
template <class T>
constexpr int tile_items = sizeof(T) <= 4 ? 23 : 11;
template <class T>
constexpr std::size_t tile_size = std::size_t{tile_threads} * tile_items<T>;

/// The scratch memory of the look-back.
template <class T>
struct LookBackParts {
  using Tiles = typename kernels::LookBack<T>::Tiles;
  static constexpr bool in_words = sizeof(Tiles) == sizeof(void*);
  // If a value does not fit into a word beside the status, a tile needs a place for its sum and one
  // for its prefix sum, both undefined at first.
  static constexpr std::size_t values_of_tile = in_words ? 0 : 2 * sizeof(T);
  static constexpr std::size_t status_of_tile = in_words ? 8 : 4;

  std::size_t tiles;
  std::size_t values, bytes;

  explicit LookBackParts(std::size_t n)
      : tiles(ceil_div(n, tile_size<T>)),
        values(tiles * values_of_tile),
        bytes(values + tiles * status_of_tile + sizeof(std::uint32_t)) {
    blocks_for(tiles, "prefix_sums");
  }

  kernels::LookBack<T> at(std::byte* base) const {
    auto* const ticket = reinterpret_cast<std::uint32_t*>(base + bytes) - 1;
    std::byte* const status = base + values;
    if constexpr (in_words) {
      return {{reinterpret_cast<unsigned long long*>(status)}, ticket};
    } else {
      T* const sums = reinterpret_cast<T*>(base);
      return {{reinterpret_cast<std::uint32_t*>(status), sums, sums + tiles}, ticket};
    }
  }
};

}  // namespace

template <class T>
void prefix_sums_simple_in_shared_memory(std::span<const T> in, T* out, std::uint32_t threads,
                                         cudaStream_t stream) {
  constexpr const char* what = "prefix_sums_simple_in_shared_memory";
  require_apart_or_in_place(what, {"in", in}, {"out", out, in.size()}, {});
  require_shared_memory(in.size_bytes(), "the numbers", what);
  require_block(threads, what);
  if (in.empty()) return;
  kernels::prefix_sums_simple<T><<<1, threads, in.size_bytes(), stream>>>(
      in.data(), out, static_cast<std::uint32_t>(in.size()));
  require_launched("prefix_sums_simple");
}

template <class T>
void prefix_sums_optimal_in_shared_memory(std::span<const T> in, T* out, std::uint32_t threads,
                                          cudaStream_t stream) {
  constexpr const char* what = "prefix_sums_optimal_in_shared_memory";
  require_apart_or_in_place(what, {"in", in}, {"out", out, in.size()}, {});
  require_shared_memory(2 * in.size_bytes(), "the numbers and the work arrays", what);
  require_block(threads, what);
  if (in.empty()) return;
  kernels::prefix_sums_optimal<T><<<1, threads, 2 * in.size_bytes(), stream>>>(
      in.data(), out, static_cast<std::uint32_t>(in.size()));
  require_launched("prefix_sums_optimal");
}

template <class T>
std::size_t prefix_sums_simple_scratch_bytes(std::size_t n) {
  return product_of(n, sizeof(T), "prefix_sums_simple");
}

template <class T>
void prefix_sums_simple(std::span<const T> in, T* out, std::span<std::byte> scratch,
                        cudaStream_t stream) {
  const std::size_t n = in.size();
  constexpr const char* what = "prefix_sums_simple";
  const auto room = elements_of<T>(scratch, n, what);
  require_apart(what, {{"in", in}, {"out", out, n}, {"scratch", room}});
  T* const other = room.data();
  if (n == 0) return;
  std::size_t levels = 0;
  for (std::size_t distance = 1; distance < n; distance *= 2) ++levels;
  if (levels == 0) {
    require(cudaMemcpyAsync(out, in.data(), in.size_bytes(), cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync");
  }
  // The two arrays alternate, so that the last level writes to `out`.
  const T* from = in.data();
  for (std::size_t level = 0; level < levels; ++level) {
    T* const to = (levels - level) % 2 == 1 ? out : other;
    kernels::add_from_the_left_between<T>
        <<<blocks_of_items(n), usual_threads, 0, stream>>>(from, to, n, std::size_t{1} << level);
    require_launched("add_from_the_left_between");
    from = to;
  }
}

template <class T>
std::size_t prefix_sums_optimal_scratch_bytes(std::size_t n) {
  return product_of(work_elements(n), sizeof(T), "prefix_sums_optimal");
}

template <class T>
void prefix_sums_optimal(std::span<const T> in, T* out, std::span<std::byte> scratch,
                         cudaStream_t stream) {
  const std::size_t n = in.size();
  constexpr const char* what = "prefix_sums_optimal";
  const auto work = elements_of<T>(scratch, work_elements(n), what);
  require_apart(what, {{"in", in}, {"out", out, n}, {"scratch", work}});
  if (n == 0) return;
  require(cudaMemcpyAsync(out, in.data(), in.size_bytes(), cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  std::array<T*, 64> arrays = {out};
  std::size_t last = 0;
  T* next = work.data();
  for (std::size_t size = n; size > 1; size /= 2) {
    kernels::add_pairs_of_level<T>
        <<<blocks_of_items(size / 2), usual_threads, 0, stream>>>(arrays[last], next, size);
    require_launched("add_pairs_of_level");
    arrays[++last] = next;
    next += size / 2;
  }
  for (std::size_t level = last; level > 0; --level) {
    const std::size_t size = n >> (level - 1);
    kernels::spread_to_pairs_of_level<T><<<blocks_of_items(size / 2), usual_threads, 0, stream>>>(
        arrays[level - 1], arrays[level], size);
    require_launched("spread_to_pairs_of_level");
  }
}

template <class T>
std::size_t prefix_sums_scratch_bytes(std::size_t n) {
  return LookBackParts<T>(n).bytes;
}

template <class T>
void prefix_sums(std::span<const T> in, T* out, std::span<std::byte> scratch, cudaStream_t stream) {
  constexpr const char* what = "prefix_sums";
  const LookBackParts<T> parts(in.size());
  const auto room = elements_of<std::byte>(scratch, parts.bytes, what);
  require_apart_or_in_place(what, {"in", in}, {"out", out, in.size()}, {{"scratch", room}});
  std::byte* const base = room.data();
  if (in.empty()) return;
  require(cudaMemsetAsync(base + parts.values, 0, parts.bytes - parts.values, stream),
          "cudaMemsetAsync");
  kernels::prefix_sums_one_pass<tile_threads, tile_items<T>, T>
      <<<static_cast<std::uint32_t>(parts.tiles), tile_threads, 0, stream>>>(
          in.data(), out, in.size(), parts.at(base));
  require_launched("prefix_sums_one_pass");
}

#define BANKPROOF_INSTANTIATE(T)                                                                   \
  template void prefix_sums_simple_in_shared_memory<T>(std::span<const T>, T*, std::uint32_t,      \
                                                       cudaStream_t);                              \
  template void prefix_sums_optimal_in_shared_memory<T>(std::span<const T>, T*, std::uint32_t,     \
                                                        cudaStream_t);                             \
  template std::size_t prefix_sums_simple_scratch_bytes<T>(std::size_t);                           \
  template void prefix_sums_simple<T>(std::span<const T>, T*, std::span<std::byte>, cudaStream_t); \
  template std::size_t prefix_sums_optimal_scratch_bytes<T>(std::size_t);                          \
  template void prefix_sums_optimal<T>(std::span<const T>, T*, std::span<std::byte>,               \
                                       cudaStream_t);                                              \
  template std::size_t prefix_sums_scratch_bytes<T>(std::size_t);                                  \
  template void prefix_sums<T>(std::span<const T>, T*, std::span<std::byte>, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)
BANKPROOF_INSTANTIATE(AffineMap)

}  // namespace bankproof::cuda
