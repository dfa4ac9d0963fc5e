// Threads that wait for one another with the libraries of CUDA C++: cooperative groups, the
// barriers and semaphores of libcu++, and its pipelines of asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <new>

namespace cg = cooperative_groups;

/// The whole grid computes `rounds` rounds of b[i] = a[i - 1] + a[i + 1], where a and b exchange
/// roles after each round; elements beyond the ends are zeros.
__global__ void rounds_of_grid(unsigned* a, unsigned* b, int size, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    for (int i = static_cast<int>(grid.thread_rank()); i < size; i += grid.size()) {
      b[i] = (i > 0 ? a[i - 1] : 0) + (i + 1 < size ? a[i + 1] : 0);
    }
    grid.sync();
    unsigned* const other = a;
    a = b;
    b = other;
  }
}

/// The sum of the items, and the number of odd items.
__global__ void groups(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int item = in[block.group_index().x * block.size() + block.thread_rank()];
  const int sum = cg::reduce(tile, item, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(out, sum);
  if (item % 2 != 0) {
    const auto odd = cg::coalesced_threads();
    if (odd.thread_rank() == 0) atomicAdd(out + 1, static_cast<int>(odd.size()));
  }
}

/// In each round, every thread takes the item of the next thread.
__global__ void turn(int* items, int rounds) {
  alignas(8) __shared__ char place[sizeof(cuda::barrier<cuda::thread_scope_block>)];
  __shared__ int shared[1024];
  auto& barrier = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block>*>(place);
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  shared[threadIdx.x] = items[threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    barrier.arrive_and_wait();
    const int next = shared[(threadIdx.x + 1) % blockDim.x];
    barrier.arrive_and_wait();
    shared[threadIdx.x] = next;
  }
  items[threadIdx.x] = shared[threadIdx.x];
}

/// Block b passes on the number that block b - 1 left, plus one.
__global__ void pass_on(int* items, int* flags) {
  if (threadIdx.x != 0) return;
  int item = 0;
  if (blockIdx.x > 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[blockIdx.x - 1]);
    while (before.load(cuda::memory_order_acquire) == 0) {
    }
    item = items[blockIdx.x - 1];
  }
  items[blockIdx.x] = item + 1;
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[blockIdx.x]);
  mine.store(1, cuda::memory_order_release);
}

/// Threads count, one at a time.
__global__ void one_at_a_time(int* count) {
  using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
  alignas(Semaphore) __shared__ char place[sizeof(Semaphore)];
  auto& semaphore = *reinterpret_cast<Semaphore*>(place);
  if (threadIdx.x == 0) new (&semaphore) Semaphore(1);
  __syncthreads();
  semaphore.acquire();
  *count += 1;
  semaphore.release();
}

/// The threads reverse each batch; meanwhile the next batch is copied.
__global__ void reverse_batches(const float* in, float* out, int batches) {
  extern __shared__ float buffers[];
  using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
  alignas(State) __shared__ char place[sizeof(State)];
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) new (place) State();
  block.sync();
  auto pipeline = cuda::make_pipeline(block, reinterpret_cast<State*>(place));
  const unsigned size = blockDim.x;
  for (int batch = 0, copied = 0; batch < batches; ++batch) {
    for (; copied < batches && copied < batch + 2; ++copied) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffers + copied % 2 * size, in + copied * size,
                         sizeof(float) * size, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[batch * size + threadIdx.x] = buffers[batch % 2 * size + size - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}
