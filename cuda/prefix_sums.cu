// The host's side of prefix sums; see prefix_sums.hpp.
#include <algorithm>
#include <string>
#include <vector>

#include "elements.hpp"
#include "kernels/look_back.cuh"
#include "kernels/prefix_sums.cuh"
#include "prefix_sums.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::uint32_t usual_threads = 256;

/// Blocks for so many items, a thread each as far as there are as many blocks.
std::uint32_t blocks_for(std::size_t items) {
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(ceil_div(items, usual_threads), 1, 65535));
}

void require_shared_memory(std::size_t bytes, const char* what) {
  constexpr std::size_t most = 48 * 1024;
  if (bytes > most) {
    throw std::invalid_argument(std::string(what) + ": " + std::to_string(bytes) +
                                " bytes; a block has 49152 of shared memory");
  }
}

/// The elements of all work arrays: n/2 + n/4 + …
std::size_t work_elements(std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t size = n / 2; size > 0; size /= 2) sum += size;
  return sum;
}

// ---- One pass. An odd number of items, so that threads with elements that follow one another are
// in different banks (a stride that has no factor in common with 32).
constexpr int tile_threads = 128;
template <class T>
constexpr int tile_items = sizeof(T) <= 4 ? 23 : 11;
template <class T>
constexpr std::size_t tile_size = std::size_t{tile_threads} * tile_items<T>;

/// Where the parts of the workspace begin.
template <class T>
struct LookBackParts {
  std::size_t tiles;
  std::size_t prefixes, status, ticket, bytes;

  explicit LookBackParts(std::size_t n) : tiles(ceil_div(n, tile_size<T>)) {
    prefixes = tiles * sizeof(T);
    status = 2 * tiles * sizeof(T);
    ticket = status + tiles * sizeof(std::uint32_t);
    bytes = ticket + sizeof(std::uint32_t);
  }
};

}  // namespace

template <class T>
void prefix_sums_simple_in_shared_memory(std::span<const T> in, T* out, std::uint32_t threads,
                                         cudaStream_t stream) {
  require_shared_memory(in.size_bytes(), "prefix_sums_simple_in_shared_memory");
  kernels::prefix_sums_simple<T><<<1, threads, in.size_bytes(), stream>>>(
      in.data(), out, static_cast<std::uint32_t>(in.size()));
  require_launched("prefix_sums_simple");
}

template <class T>
void prefix_sums_optimal_in_shared_memory(std::span<const T> in, T* out, std::uint32_t threads,
                                          cudaStream_t stream) {
  require_shared_memory(2 * in.size_bytes(), "prefix_sums_optimal_in_shared_memory");
  kernels::prefix_sums_optimal<T><<<1, threads, 2 * in.size_bytes(), stream>>>(
      in.data(), out, static_cast<std::uint32_t>(in.size()));
  require_launched("prefix_sums_optimal");
}

template <class T>
std::size_t prefix_sums_simple_workspace_bytes(std::size_t n) {
  return n * sizeof(T);
}

template <class T>
void prefix_sums_simple(std::span<const T> in, T* out, std::span<std::byte> workspace,
                        cudaStream_t stream) {
  const std::size_t n = in.size();
  T* const other = elements_of<T>(workspace, n, "prefix_sums_simple").data();
  if (n == 0) return;
  std::size_t levels = 0;
  for (std::size_t distance = 1; distance < n; distance *= 2) ++levels;
  if (levels == 0) {
    require(cudaMemcpyAsync(out, in.data(), in.size_bytes(), cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync");
  }
  // The arrays take turns, so that the last level writes to `out`.
  const T* from = in.data();
  for (std::size_t level = 0; level < levels; ++level) {
    T* const to = (levels - level) % 2 == 1 ? out : other;
    kernels::add_from_the_left_between<T>
        <<<blocks_for(n), usual_threads, 0, stream>>>(from, to, n, std::size_t{1} << level);
    require_launched("add_from_the_left_between");
    from = to;
  }
}

template <class T>
std::size_t prefix_sums_optimal_workspace_bytes(std::size_t n) {
  return work_elements(n) * sizeof(T);
}

template <class T>
void prefix_sums_optimal(std::span<const T> in, T* out, std::span<std::byte> workspace,
                         cudaStream_t stream) {
  const std::size_t n = in.size();
  T* const work = elements_of<T>(workspace, work_elements(n), "prefix_sums_optimal").data();
  if (n == 0) return;
  require(cudaMemcpyAsync(out, in.data(), in.size_bytes(), cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  std::vector<T*> arrays = {out};
  T* next = work;
  for (std::size_t size = n; size > 1; size /= 2) {
    kernels::add_pairs_of_level<T>
        <<<blocks_for(size / 2), usual_threads, 0, stream>>>(arrays.back(), next, size);
    require_launched("add_pairs_of_level");
    arrays.push_back(next);
    next += size / 2;
  }
  for (std::size_t level = arrays.size() - 1; level > 0; --level) {
    const std::size_t size = n >> (level - 1);
    kernels::spread_to_pairs_of_level<T><<<blocks_for(size / 2), usual_threads, 0, stream>>>(
        arrays[level - 1], arrays[level], size);
    require_launched("spread_to_pairs_of_level");
  }
}

template <class T>
std::size_t prefix_sums_workspace_bytes(std::size_t n) {
  return LookBackParts<T>(n).bytes;
}

template <class T>
void prefix_sums(std::span<const T> in, T* out, std::span<std::byte> workspace,
                 cudaStream_t stream) {
  const LookBackParts<T> parts(in.size());
  std::byte* const base = elements_of<std::byte>(workspace, parts.bytes, "prefix_sums").data();
  if (in.empty()) return;
  require(cudaMemsetAsync(base + parts.status, 0, parts.bytes - parts.status, stream),
          "cudaMemsetAsync");
  const kernels::LookBack<T> state{reinterpret_cast<std::uint32_t*>(base + parts.status),
                                   reinterpret_cast<T*>(base),
                                   reinterpret_cast<T*>(base + parts.prefixes),
                                   reinterpret_cast<std::uint32_t*>(base + parts.ticket)};
  kernels::prefix_sums_one_pass<tile_threads, tile_items<T>, T>
      <<<static_cast<std::uint32_t>(parts.tiles), tile_threads, 0, stream>>>(in.data(), out,
                                                                             in.size(), state);
  require_launched("prefix_sums_one_pass");
}

#define BANKPROOF_INSTANTIATE(T)                                                                   \
  template void prefix_sums_simple_in_shared_memory<T>(std::span<const T>, T*, std::uint32_t,      \
                                                       cudaStream_t);                              \
  template void prefix_sums_optimal_in_shared_memory<T>(std::span<const T>, T*, std::uint32_t,     \
                                                        cudaStream_t);                             \
  template std::size_t prefix_sums_simple_workspace_bytes<T>(std::size_t);                         \
  template void prefix_sums_simple<T>(std::span<const T>, T*, std::span<std::byte>, cudaStream_t); \
  template std::size_t prefix_sums_optimal_workspace_bytes<T>(std::size_t);                        \
  template void prefix_sums_optimal<T>(std::span<const T>, T*, std::span<std::byte>,               \
                                       cudaStream_t);                                              \
  template std::size_t prefix_sums_workspace_bytes<T>(std::size_t);                                \
  template void prefix_sums<T>(std::span<const T>, T*, std::span<std::byte>, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)
BANKPROOF_INSTANTIATE(AffineMap)

}  // namespace bankproof::cuda
