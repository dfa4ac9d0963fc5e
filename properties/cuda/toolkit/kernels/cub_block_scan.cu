// cub::BlockScan on items that each thread holds in a row, inclusive and exclusive.
#include <cub/block/block_scan.cuh>

#include "instances.hpp"
#include "operators.hpp"

template <class T, class Operator, int threads, int items, int algorithm>
__global__ void inclusive_scan(const T* in, T* out, T* total) {
  using Scan = cub::BlockScan<T, threads, static_cast<cub::BlockScanAlgorithm>(algorithm)>;
  __shared__ typename Scan::TempStorage storage;
  T values[items];
  for (int k = 0; k < items; ++k) values[k] = in[threadIdx.x * items + k];
  T sum;
  Scan(storage).InclusiveScan(values, values, Operator{}, sum);
  for (int k = 0; k < items; ++k) out[threadIdx.x * items + k] = values[k];
  if (threadIdx.x == threads - 1) *total = sum;
}

template <class T, class Operator, int threads, int items, int algorithm>
__global__ void exclusive_scan(const T* in, T* out, T* total, T initial) {
  using Scan = cub::BlockScan<T, threads, static_cast<cub::BlockScanAlgorithm>(algorithm)>;
  __shared__ typename Scan::TempStorage storage;
  T values[items];
  for (int k = 0; k < items; ++k) values[k] = in[threadIdx.x * items + k];
  T sum;
  Scan(storage).ExclusiveScan(values, values, initial, Operator{}, sum);
  for (int k = 0; k < items; ++k) out[threadIdx.x * items + k] = values[k];
  if (threadIdx.x == 0) *total = sum;
}

static_assert(cub::BLOCK_SCAN_RAKING == 0 && cub::BLOCK_SCAN_RAKING_MEMOIZE == 1 &&
              cub::BLOCK_SCAN_WARP_SCANS == 2);
#define INSTANTIATE(T, Operator, threads, items, algorithm)                                     \
  template __global__ void inclusive_scan<T, Operator, threads, items, algorithm>(const T*, T*, \
                                                                                  T*);          \
  template __global__ void exclusive_scan<T, Operator, threads, items, algorithm>(const T*, T*, \
                                                                                  T*, T);
BANKPROOF_BLOCK_SCANS(INSTANTIATE)
