// The kernels of cub::DeviceScan, inclusive and exclusive with an initial value; and a kernel that
// computes the values that CUB's host code computes before it launches them.
#include <cstdint>
#include <cstring>
#include <cub/device/device_scan.cuh>
#include <new>

#include "instances.hpp"
#include "operators.hpp"

/// The values of DispatchScan::Invoke: plan[0] is the number of threads of a block, plan[1] the
/// number of items of a tile, plan[2] the number of tiles, and plan[3] the size of the temporary
/// storage in bytes. The bytes of the tiles' state in that storage start at plan[4], and those of
/// the initial value at plan[8], in the form that the scan's kernel takes.
template <class T, class Operator>
__global__ void plan(unsigned items, void* storage, T initial, std::uint64_t* plan) {
  using Policy =
      typename cub::detail::scan::policy_hub<T, T, T, unsigned,
                                             Operator>::MaxPolicy::ActivePolicy::ScanPolicyT;
  using State = cub::ScanTileState<T>;
  using Initial = cub::detail::InputValue<T>;
  constexpr unsigned tile = Policy::BLOCK_THREADS * Policy::ITEMS_PER_THREAD;
  const int tiles = static_cast<int>((items + tile - 1) / tile);
  size_t bytes = 0;
  State::AllocationSize(tiles, bytes);
  plan[0] = Policy::BLOCK_THREADS;
  plan[1] = tile;
  plan[2] = tiles;
  plan[3] = bytes;
  State state;
  if (storage != nullptr) state.Init(tiles, storage, bytes);
  static_assert(sizeof state <= 4 * sizeof *plan && sizeof(Initial) <= 4 * sizeof *plan);
  std::memcpy(plan + 4, &state, sizeof state);
  new (plan + 8)
      Initial(initial);  // constructed in place, because its padding bytes stay unwritten
}

template <class T, class Operator>
void instantiate() {
  size_t bytes = 0;
  T* const array = nullptr;
  cub::DeviceScan::InclusiveScan(nullptr, bytes, array, array, Operator{}, 1);
  cub::DeviceScan::ExclusiveScan(nullptr, bytes, array, array, Operator{}, T{}, 1);
  plan<T, Operator><<<1, 1>>>(1, nullptr, T{}, nullptr);
}

int main() {
#define INSTANTIATE(T, Operator) instantiate<T, Operator>();
  BANKPROOF_DEVICE_SCANS(INSTANTIATE)
}
