// The host's side of sums; see sum.hpp.
#include <algorithm>

#include "../support/checks.hpp"
#include "sum.cuh"
#include "sum.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::uint32_t usual_threads = 256;
constexpr std::uint32_t most_blocks = 1024;  // one more block adds up the sums of the blocks

/// The shape with defaults filled in. By default, each block has elements to add.
SumShape chosen(const char* what, const SumShape& shape, std::size_t n, std::size_t each) {
  SumShape result = shape;
  if (result.threads == 0) result.threads = usual_threads;
  require_block(result.threads, what);
  if (result.blocks == 0) {
    const std::size_t wanted = ceil_div(n, each * result.threads);
    result.blocks =
        static_cast<std::uint32_t>(std::clamp<std::size_t>(wanted, 1, std::size_t{most_blocks}));
  }
  blocks_for(result.blocks, what);
  return result;
}

/// Adds up the sums of several blocks, by one more block.
template <class T>
void add_sums(std::span<const T> sums, T* result, std::uint32_t threads, cudaStream_t stream) {
  kernels::sum_columns<T><<<1, threads, 0, stream>>>(sums.data(), result, sums.size());
  require_launched("sum_columns");
}

/// Whether the input is empty; if it is, the sum is set to 0.
template <class T>
bool is_sum_of_nothing(std::span<const T> in, T* result, cudaStream_t stream) {
  if (!in.empty()) return false;
  require(cudaMemsetAsync(result, 0, sizeof(T), stream), "cudaMemsetAsync");
  return true;
}

}  // namespace

template <class T>
std::size_t sum_scratch_bytes(std::size_t n, const SumShape& shape) {
  return chosen("sum_scratch_bytes", shape, n, 1).blocks * sizeof(T);
}

template <class T>
void sum_in_shared_memory(std::span<const T> in, T* result, std::uint32_t threads,
                          cudaStream_t stream) {
  constexpr const char* what = "sum_in_shared_memory";
  require_apart(what, {{"in", in}, {"result", result, 1}});
  require_shared_memory(in.size_bytes(), "the numbers", what);
  require_block(threads, what);
  if (is_sum_of_nothing(in, result, stream)) return;
  kernels::sum_pairwise<T><<<1, threads, in.size_bytes(), stream>>>(
      in.data(), result, static_cast<std::uint32_t>(in.size()));
  require_launched("sum_pairwise");
}

template <class T>
void sum_by_columns(std::span<const T> in, T* result, std::span<std::byte> scratch,
                    const SumShape& given, cudaStream_t stream) {
  constexpr const char* what = "sum_by_columns";
  const SumShape shape = chosen(what, given, in.size(), 1);
  const auto sums = elements_of<T>(scratch, shape.blocks, what);
  require_apart(what, {{"in", in}, {"result", result, 1}, {"scratch", sums}});
  if (is_sum_of_nothing(in, result, stream)) return;
  T* const first = shape.blocks == 1 ? result : sums.data();
  kernels::sum_columns<T><<<shape.blocks, shape.threads, 0, stream>>>(in.data(), first, in.size());
  require_launched("sum_columns");
  if (shape.blocks > 1) add_sums<T>(sums, result, shape.threads, stream);
}

template <class T>
void sum(std::span<const T> in, T* result, std::span<std::byte> scratch, cudaStream_t stream) {
  constexpr const char* what = "sum";
  using Packet = kernels::Packet<T>;
  const SumShape shape = chosen(what, {}, in.size(), 4 * Packet::size);
  const auto sums = elements_of<T>(scratch, shape.blocks, what);
  require_apart(what, {{"in", in}, {"result", result, 1}, {"scratch", sums}});
  if (is_sum_of_nothing(in, result, stream)) return;
  T* const first = shape.blocks == 1 ? result : sums.data();
  const std::size_t behind = reinterpret_cast<std::uintptr_t>(in.data()) % sizeof(Packet);
  const std::size_t before = behind == 0 ? 0 : (sizeof(Packet) - behind) / sizeof(T);
  const auto* const packets = reinterpret_cast<const Packet*>(in.data() + before);
  kernels::sum_packets<T><<<shape.blocks, shape.threads, 0, stream>>>(
      in.data(), std::min(before, in.size()), packets, first, in.size());
  require_launched("sum_packets");
  if (shape.blocks > 1) add_sums<T>(sums, result, shape.threads, stream);
}

#define BANKPROOF_INSTANTIATE(T)                                                                 \
  template std::size_t sum_scratch_bytes<T>(std::size_t, const SumShape&);                       \
  template void sum_in_shared_memory<T>(std::span<const T>, T*, std::uint32_t, cudaStream_t);    \
  template void sum_by_columns<T>(std::span<const T>, T*, std::span<std::byte>, const SumShape&, \
                                  cudaStream_t);                                                 \
  template void sum<T>(std::span<const T>, T*, std::span<std::byte>, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
