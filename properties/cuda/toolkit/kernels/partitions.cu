// Parts of warps, copies by groups and pipelines, and complex numbers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuComplex.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

/// For each item: the number of equal items in its tile of 16, how many of them come before it, the
/// number of items of its warp with the same parity, and the number of items with both properties.
__global__ void partitions(const int* in, uint4* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const auto warp = cg::tiled_partition<32>(block);
  const int item = in[block.thread_rank()];
  const cg::coalesced_group equal = cg::labeled_partition(tile, item);
  const cg::coalesced_group alike = cg::binary_partition(warp, item % 2 != 0);
  const cg::coalesced_group both = cg::labeled_partition(alike, item);
  out[block.thread_rank()] =
      make_uint4(equal.size(), equal.thread_rank(), alike.size(), both.size());
}

/// `count` items in reverse order, through shared memory; `first` is the index where they begin
/// there.
__global__ void reversed(const unsigned char* in, unsigned char* out, int count, int first) {
  __shared__ __align__(16) unsigned char place[2048];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, place + first, in, static_cast<size_t>(count));
  cg::wait(block);
  for (int i = static_cast<int>(block.thread_rank()); i < count; i += block.size()) {
    out[i] = place[first + count - 1 - i];
  }
}

/// Like reversed(), for tiles of 32 threads: each tile reverses its own items, at most `room` of
/// `count`.
__global__ void moved(const int* in, int* out, int count, int room) {
  __shared__ __align__(16) int places[8][64];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  int* const place = places[tile.meta_group_rank()];
  const int* const from = in + static_cast<int>(tile.meta_group_rank()) * count;
  cg::memcpy_async(tile, place, room, from, count);
  cg::wait_prior<0>(tile);
  const int copied = room < count ? room : count;
  for (int i = static_cast<int>(tile.thread_rank()); i < copied; i += 32) {
    out[static_cast<int>(tile.meta_group_rank()) * count + i] = place[copied - 1 - i];
  }
}

/// Threads that read a copy too early, before any thread has waited for it.
__global__ void hasty(const int* in, int* out) {
  __shared__ __align__(16) int place[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, place, in, sizeof place);
  out[block.thread_rank()] = place[63 - block.thread_rank()];
  cg::wait(block);
}

/// For each thread: the number of its tile of 4 within its tile of 16, the number of tiles of 4 in
/// a tile of 16, the number of its tile of 16 within its block, and the number of tiles of 16 in a
/// block.
__global__ void nested(uint4* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const auto part = cg::tiled_partition<4>(tile);
  out[threadIdx.x] = make_uint4(part.meta_group_rank(), part.meta_group_size(),
                                tile.meta_group_rank(), tile.meta_group_size());
}

/// Reverses the items of 32 threads, and sets the last `zeros` bytes of each item to 0. The output
/// also has the first three words of the items once more.
__global__ void piped(const uint4* in, uint4* out, int zeros) {
  __shared__ uint4 whole[32];
  __shared__ uint2 halves[32];
  __shared__ unsigned int third[32];
  const unsigned int t = threadIdx.x;
  __pipeline_memcpy_async(&whole[t], &in[t], sizeof(uint4), zeros);
  __pipeline_commit();
  __pipeline_memcpy_async(&halves[t], &in[t], sizeof(uint2));
  __pipeline_memcpy_async(&third[t], &in[t].z, sizeof(unsigned int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[2 * t] = whole[31 - t];
  out[2 * t + 1] = make_uint4(halves[31 - t].x, halves[31 - t].y, third[31 - t], 0);
}

/// x + y, x - conj y, x · y, x / y, x · y + x, and |x|.
__global__ void complex_numbers(const cuDoubleComplex* x, const cuDoubleComplex* y,
                                cuDoubleComplex* out) {
  const cuDoubleComplex a = x[threadIdx.x];
  const cuDoubleComplex b = y[threadIdx.x];
  cuDoubleComplex* const to = out + 6 * threadIdx.x;
  to[0] = cuCadd(a, b);
  to[1] = cuCsub(a, cuConj(b));
  to[2] = cuCmul(a, b);
  to[3] = cuCdiv(a, b);
  to[4] = cuCfma(a, b, a);
  to[5] = make_cuDoubleComplex(cuCabs(a), cuCimag(b));
}

__global__ void complex_floats(const cuFloatComplex* x, const cuComplex* y, cuFloatComplex* out) {
  const cuFloatComplex a = x[threadIdx.x];
  const cuFloatComplex b = y[threadIdx.x];
  cuFloatComplex* const to = out + 6 * threadIdx.x;
  to[0] = cuCaddf(a, b);
  to[1] = cuCsubf(a, cuConjf(b));
  to[2] = cuCmulf(a, b);
  to[3] = cuComplexDoubleToFloat(cuCdiv(cuComplexFloatToDouble(a), cuComplexFloatToDouble(b)));
  to[4] = cuCfmaf(a, b, a);
  to[5] = make_cuFloatComplex(cuCabsf(a), cuCimagf(b));
}
