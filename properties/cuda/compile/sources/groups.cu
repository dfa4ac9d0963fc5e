// Cooperative groups, half precision and complex numbers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_block_tile<16> tile, int value) {
  for (unsigned int k = tile.size() / 2; k > 0; k /= 2) value += tile.shfl_down(value, k);
  return value;
}

__device__ int member(cg::thread_group group) {
  group.sync();
  return static_cast<int>(group.size() + group.thread_rank());
}

__global__ void groups(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const auto warp = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(tile, out[block.thread_rank()], cg::plus<int>());
  out[1] = sum + warp.shfl_xor(sum, 1) + warp.shfl_down(sum, 2) + tile.shfl(sum, 0);
  out[2] = tile.ballot(sum > 0) + tile.any(sum) + warp.all(sum) + tile.meta_group_rank();
  out[4] = sum_of(tile, sum) + member(block) + member(tile) + member(cg::coalesced_threads());
  block.sync();
  cg::sync(warp);
  if (threadIdx.x % 2 != 0) {
    const cg::coalesced_group together = cg::coalesced_threads();
    out[3] = together.size() + together.thread_rank() + together.shfl(sum, 0);
    together.sync();
  }
}

__global__ void parts(const int* in, int* out) {
  __shared__ int copy[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, copy, in, sizeof copy);
  cg::wait(block);
  cg::memcpy_async(block, copy, 64, in, 60);
  cg::wait_prior<0>(block);
  const auto equal = cg::labeled_partition(cg::tiled_partition<32>(block), copy[threadIdx.x]);
  out[threadIdx.x] = cg::binary_partition(equal, in[threadIdx.x] > 0).size();
}

__global__ void complex_numbers(cuComplex* x, cuDoubleComplex* y) {
  const cuFloatComplex a = cuCdivf(cuCmulf(x[0], cuConjf(x[1])), make_cuComplex(2.0f, 1.0f));
  x[2] = cuCaddf(cuCsubf(a, x[3]), cuCfmaf(a, x[4], make_cuFloatComplex(cuCabsf(a), 0.0f)));
  const cuDoubleComplex b = cuCdiv(cuCmul(y[0], cuConj(y[1])), cuComplexFloatToDouble(a));
  y[2] = cuCadd(cuCsub(b, y[3]), cuCfma(b, y[4], make_cuDoubleComplex(cuCabs(b), cuCreal(y[5]))));
  x[5] = make_cuFloatComplex(cuCimagf(cuComplexDoubleToFloat(y[2])), cuCrealf(a));
}

__global__ void grid(int* out) {
  cg::grid_group all = cg::this_grid();
  out[all.thread_rank()] = 1;
  all.sync();
  if (all.thread_rank() == 0) out[0] = static_cast<int>(all.size());
}

__global__ void halves(__half* h, __half2* h2, __nv_bfloat16* b, float* f) {
  __half x = h[0];
  x = x * x + __float2half(2.0f);
  x += h[3];
  h[1] = __hfma(x, x, x) - x / h[2];
  h2[0] = __hadd2(h2[1], h2[2]) * __floats2half2_rn(f[0], f[1]);
  f[2] = __half2float(x) + __low2float(h2[3]) + __half22float2(h2[4]).y;
  if (x < h[4] && __hgt(x, h[5])) h[6] = __shfl_down_sync(0xffffffffu, x, 1);
  atomicAdd(h2 + 5, h2[6]);
  b[0] = __float2bfloat16(__bfloat162float(b[1]) * 2.0f) + __hmul(b[2], b[3]);
  b[4] = __hmax(b[5], __double2bfloat16(f[3]));
}

int main() {
  const __half h = __float2half(3.0f);
  printf("%f %f\n", __half2float(h), cuCabs(make_cuDoubleComplex(3.0, 4.0)));
  parts<<<1, 64>>>(nullptr, nullptr);
  complex_numbers<<<1, 1>>>(nullptr, nullptr);
  groups<<<1, 64>>>(nullptr);
  int* out = nullptr;
  void* arguments[] = {&out};
  cudaLaunchCooperativeKernel((void*)grid, dim3(2), dim3(32), arguments);
  halves<<<1, 1>>>(nullptr, nullptr, nullptr, nullptr);
}
