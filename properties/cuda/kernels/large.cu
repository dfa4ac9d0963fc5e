// The device's part of large.hpp.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../../cuda/kernels/support/device.hpp"
#include "large.hpp"

namespace bankproof::cuda::tests {

namespace large {

using Index = unsigned long long;

__device__ Index element(const Numbered&, Index i) { return i; }
__device__ Index element(const Repeated& of, Index i) { return of.of[i % of.period]; }
__device__ Index element(const Reversed& of, Index i) { return of.n - 1 - i; }
__device__ Index element(const BitsReversed& of, Index i) { return __brevll(i) >> (64 - of.bits); }

/// The sum 0 + 1 + … + i.
__device__ Index sum_to(Index i) { return i % 2 == 0 ? i / 2 * (i + 1) : (i + 1) / 2 * i; }
__device__ Index element(const Summed&, Index i) { return sum_to(i); }

__device__ Index element(const Transposed& of, Index i) {
  return i % of.rows * of.columns + i / of.rows;
}
__device__ Index element(const Rearranged& of, Index i) {
  return of.rows[i / of.width] * of.width + of.columns[i % of.width];
}
__device__ Index element(const SummedArea& of, Index i) {
  const Index y = i / of.columns;
  const Index x = i % of.columns;
  return of.columns * sum_to(y) * (x + 1) + (y + 1) * sum_to(x);
}
__device__ Index element(const Correlated& of, Index i) {
  Index sum = 0;
  for (Index j = 0; j < of.m; ++j) sum += j * (i + j);
  return sum;
}
__device__ Index element(const Convolved& of, Index i) {
  const Index channel = i % of.channels;
  const Index x = i / of.channels % of.columns;
  const Index y = i / of.channels / of.columns;
  const Index side = 2 * of.v + 1;
  Index sum = 0;
  for (Index k = 0; k < of.mask_rows * side; ++k) {
    const Index row = y + k / side - of.mask_rows / 2;  // an index below 0 wraps to a large one
    const Index column = x + k % side - of.v;
    if (row >= of.rows || column >= of.columns) continue;
    sum += ((row * of.columns + column) * of.channels + channel) * (k + 1);
  }
  return sum;
}
__device__ Index element(const Multiplied& of, Index i) {
  const Index row = i / of.columns;
  const Index column = i % of.columns;
  Index sum = 0;
  for (Index k = 0; k < of.inner; ++k) sum += (row * of.inner + k) * (k * of.columns + column);
  return sum;
}

__device__ Index this_thread() { return Index{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ Index all_threads() { return Index{gridDim.x} * blockDim.x; }

template <class T, class Formula>
__global__ void fill_all(T* a, Index n, Formula formula) {
  for (Index i = this_thread(); i < n; i += all_threads()) {
    a[i] = static_cast<T>(element(formula, i));
  }
}

/// Adds the number of differences to found[0]; lowers found[1] to the first difference.
template <class Formula>
__global__ void count_differences(const std::uint32_t* a, Index n, Formula formula, Index* found) {
  for (Index i = this_thread(); i < n; i += all_threads()) {
    if (a[i] == static_cast<std::uint32_t>(element(formula, i))) continue;
    atomicAdd(found, 1ULL);
    atomicMin(found + 1, i);
  }
}

std::uint32_t blocks_for(std::size_t n) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>((n + 255) / 256, 1, 65535));
}

}  // namespace large

template <class T, class Formula>
void fill(T* a, std::size_t n, const Formula& formula) {
  large::fill_all<<<large::blocks_for(n), 256>>>(a, n, formula);
  require_launched("fill_all");
}

template <class Formula>
Differences differences(const std::uint32_t* a, std::size_t n, const Formula& formula) {
  DeviceArray<large::Index> found(std::vector<large::Index>{0, n});
  large::count_differences<<<large::blocks_for(n), 256>>>(a, n, formula, found.data());
  require_launched("count_differences");
  const std::vector<large::Index> values = found.values();
  Differences result{values[0], values[1], 0};
  if (result.count > 0) {
    require(cudaMemcpy(&result.actual, a + result.first, sizeof(*a), cudaMemcpyDeviceToHost),
            "cudaMemcpy");
  }
  return result;
}

#define BANKPROOF_INSTANTIATE(Formula)                                            \
  template void fill<std::uint32_t>(std::uint32_t*, std::size_t, const Formula&); \
  template Differences differences(const std::uint32_t*, std::size_t, const Formula&);
BANKPROOF_INSTANTIATE(Numbered)
BANKPROOF_INSTANTIATE(Reversed)
BANKPROOF_INSTANTIATE(BitsReversed)
BANKPROOF_INSTANTIATE(Summed)
BANKPROOF_INSTANTIATE(Transposed)
BANKPROOF_INSTANTIATE(Rearranged)
BANKPROOF_INSTANTIATE(SummedArea)
BANKPROOF_INSTANTIATE(Correlated)
BANKPROOF_INSTANTIATE(Convolved)
BANKPROOF_INSTANTIATE(Multiplied)
template void fill<std::uint64_t>(std::uint64_t*, std::size_t, const Reversed&);
template void fill<std::uint16_t>(std::uint16_t*, std::size_t, const Repeated&);

}  // namespace bankproof::cuda::tests
