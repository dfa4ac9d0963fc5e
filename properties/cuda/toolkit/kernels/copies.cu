// Asynchronous copies by each of CUDA's interfaces, with the waits that they need and without. Each
// kernel has 64 threads in a block. While the kernel reverses a batch of 64 items, it copies the
// next batch. `left` is the number of groups of copies that it leaves in flight; `waits` says
// whether it waits at all.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int size = 64;
constexpr int stages = 3;

/// Right if `left` is 1, so that only the group of the next batch stays in flight.
template <class T, int left>
__global__ void by_primitives(const T* in, T* out, int batches) {
  __shared__ T buffers[stages][size];
  const int mine = threadIdx.x;
  for (int batch = -1; batch < batches; ++batch) {
    const int next = batch + 1;
    if (next < batches) {
      __pipeline_memcpy_async(&buffers[next % stages][mine], in + next * size + mine, sizeof(T));
    }
    __pipeline_commit();
    if (batch < 0) continue;
    __pipeline_wait_prior(left);
    __syncthreads();
    out[batch * size + mine] = buffers[batch % stages][size - 1 - mine];
    __syncthreads();
  }
}
template __global__ void by_primitives<float, 1>(const float*, float*, int);
template __global__ void by_primitives<float, 2>(const float*, float*, int);
template __global__ void by_primitives<float2, 1>(const float2*, float2*, int);
template __global__ void by_primitives<float4, 1>(const float4*, float4*, int);
template __global__ void by_primitives<float4, 2>(const float4*, float4*, int);

template <int left>
__global__ void by_groups(const float* in, float* out, int batches) {
  __shared__ __align__(16) float buffers[stages][size];
  const cg::thread_block block = cg::this_thread_block();
  const int mine = threadIdx.x;
  for (int batch = -1; batch < batches; ++batch) {
    const int next = batch + 1;
    cg::memcpy_async(block, buffers[next % stages], in + next % batches * size,
                     sizeof(float) * size);
    if (batch < 0) continue;
    cg::wait_prior<left>(block);
    out[batch * size + mine] = buffers[batch % stages][size - 1 - mine];
    block.sync();
  }
}
template __global__ void by_groups<1>(const float*, float*, int);
template __global__ void by_groups<2>(const float*, float*, int);

/// The pipeline of one thread.
template <int left>
__global__ void by_own_pipeline(const float* in, float* out, int batches) {
  __shared__ float buffers[stages][size];
  const int mine = threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  for (int batch = -1; batch < batches; ++batch) {
    const int next = batch + 1;
    pipeline.producer_acquire();
    if (next < batches) {
      cuda::memcpy_async(&buffers[next % stages][mine], in + next * size + mine,
                         cuda::aligned_size_t<4>(sizeof(float)), pipeline);
    }
    pipeline.producer_commit();
    if (batch < 0) continue;
    cuda::pipeline_consumer_wait_prior<left>(pipeline);
    __syncthreads();
    out[batch * size + mine] = buffers[batch % stages][size - 1 - mine];
    pipeline.consumer_release();
    __syncthreads();
  }
}
template __global__ void by_own_pipeline<1>(const float*, float*, int);
template __global__ void by_own_pipeline<2>(const float*, float*, int);

/// The pipeline of a block, whose stages are barriers.
template <bool waits>
__global__ void by_shared_pipeline(const float* in, float* out, int batches) {
  __shared__ __align__(16) float buffers[stages][size];
  using State = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;
  alignas(State) __shared__ char place[sizeof(State)];
  const cg::thread_block block = cg::this_thread_block();
  const int mine = threadIdx.x;
  if (mine == 0) new (place) State();
  block.sync();
  auto pipeline = cuda::make_pipeline(block, reinterpret_cast<State*>(place));
  for (int batch = -1; batch < batches; ++batch) {
    const int next = batch + 1;
    if (next < batches) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffers[next % stages], in + next * size,
                         cuda::aligned_size_t<16>(sizeof(float) * size), pipeline);
      pipeline.producer_commit();
    }
    if (batch < 0) continue;
    if (waits) pipeline.consumer_wait();
    out[batch * size + mine] = buffers[batch % stages][size - 1 - mine];
    pipeline.consumer_release();
  }
}
template __global__ void by_shared_pipeline<true>(const float*, float*, int);
template __global__ void by_shared_pipeline<false>(const float*, float*, int);

/// A barrier for each stage, at which copies arrive.
template <bool waits>
__global__ void by_barriers(const float* in, float* out, int batches) {
  __shared__ __align__(16) float buffers[stages][size];
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  alignas(Barrier) __shared__ char place[stages * sizeof(Barrier)];
  auto* const barriers = reinterpret_cast<Barrier*>(place);
  const cg::thread_block block = cg::this_thread_block();
  const int mine = threadIdx.x;
  if (mine < stages) init(barriers + mine, size);
  block.sync();
  for (int batch = -1; batch < batches; ++batch) {
    const int next = batch + 1;
    if (next < batches) {
      cuda::memcpy_async(block, buffers[next % stages], in + next * size,
                         cuda::aligned_size_t<16>(sizeof(float) * size), barriers[next % stages]);
    }
    if (batch < 0) continue;
    auto arrived = barriers[batch % stages].arrive();
    if (waits) barriers[batch % stages].wait(std::move(arrived));
    out[batch * size + mine] = buffers[batch % stages][size - 1 - mine];
    block.sync();
  }
}
template __global__ void by_barriers<true>(const float*, float*, int);
template __global__ void by_barriers<false>(const float*, float*, int);
