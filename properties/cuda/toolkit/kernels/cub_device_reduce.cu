// The kernels of cub::DeviceReduce; and a kernel that computes the values that CUB's host code
// computes before it launches them.
#include <cstdint>
#include <cstring>
#include <cub/device/device_reduce.cuh>

#include "instances.hpp"
#include "operators.hpp"

/// The values of DispatchReduce::Invoke: plan[0] is the number of threads of a block, plan[1] the
/// number of items of a tile, which is the same for one tile and for several, and plan[2] the
/// number of blocks. From plan[4] on are the bytes of the blocks' shares, in the form that the
/// kernel takes.
template <class T, class Operator>
__global__ void plan(unsigned items, int most_blocks, std::uint64_t* plan) {
  using Policy =
      typename cub::detail::reduce::policy_hub<T, unsigned, Operator>::MaxPolicy::ActivePolicy;
  using Single = typename Policy::SingleTilePolicy;
  using Several = typename Policy::ReducePolicy;
  constexpr int tile = Several::BLOCK_THREADS * Several::ITEMS_PER_THREAD;
  static_assert(Single::BLOCK_THREADS == Several::BLOCK_THREADS &&
                Single::BLOCK_THREADS * Single::ITEMS_PER_THREAD == tile);
  plan[0] = Several::BLOCK_THREADS;
  plan[1] = tile;
  if (items == 0) return;
  cub::GridEvenShare<unsigned> shares;
  shares.DispatchInit(items, most_blocks, tile);
  plan[2] = shares.grid_size;
  std::memcpy(plan + 4, &shares, sizeof shares);
}

template <class T, class Operator>
void instantiate() {
  size_t bytes = 0;
  T* const array = nullptr;
  cub::DeviceReduce::Reduce(nullptr, bytes, array, array, 1, Operator{}, T{});
  plan<T, Operator><<<1, 1>>>(1, 1, nullptr);
}

int main() {
#define INSTANTIATE(T, Operator) instantiate<T, Operator>();
  BANKPROOF_DEVICE_REDUCTIONS(INSTANTIATE)
}
