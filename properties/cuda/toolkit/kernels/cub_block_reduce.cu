// cub::BlockReduce on one item for each of the first threads of a block, or for all its threads.
#include <cub/block/block_reduce.cuh>

#include "instances.hpp"
#include "operators.hpp"

template <class T, class Operator, int threads, int algorithm>
__global__ void reduce(const T* in, T* out, int items) {
  using Reduce = cub::BlockReduce<T, threads, static_cast<cub::BlockReduceAlgorithm>(algorithm)>;
  __shared__ typename Reduce::TempStorage storage;
  T value{};
  if (threadIdx.x < items) value = in[threadIdx.x];
  const T all = items == threads ? Reduce(storage).Reduce(value, Operator{})
                                 : Reduce(storage).Reduce(value, Operator{}, items);
  if (threadIdx.x == 0) *out = all;
}

static_assert(cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY == 0 && cub::BLOCK_REDUCE_RAKING == 1 &&
              cub::BLOCK_REDUCE_WARP_REDUCTIONS == 2);
#define INSTANTIATE(T, Operator, threads, algorithm) \
  template __global__ void reduce<T, Operator, threads, algorithm>(const T*, T*, int);
BANKPROOF_BLOCK_REDUCTIONS(INSTANTIATE)
