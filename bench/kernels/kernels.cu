// The kernels that bench/kernels.cpp times. Compiled to kernels.ptx beside it:
//
//   ./regenerate
//
// Names are extern "C" and pointers have no __restrict__: then programs that support only a small
// part of PTX can run the kernels for comparison.
#include <cuda_runtime.h>

// Floating-point arithmetic in registers: random numbers, and a polynomial of each.
extern "C" __global__ void arithmetic(float* out, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned state = i * 2654435761u + 1;
  float sum = 0;
  for (int k = 0; k < steps; ++k) {
    state = state * 1664525u + 1013904223u;
    const float x = (state >> 8) * (1.0f / 16777216.0f);
    sum = fmaf(sum, 0.5f, fmaf(fmaf(fmaf(x, 0.25f, -0.5f), x, 0.125f), x, 0.75f));
  }
  out[i] = sum;
}

// Integer arithmetic in registers: rounds of a hash.
extern "C" __global__ void hashes(unsigned* out, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = i, b = i ^ 0x2545f491u;
  for (int k = 0; k < steps; ++k) {
    a = (a ^ (a >> 16)) * 0x85ebca6bu + b;
    b = (b ^ (a << 5)) + 0x9e3779b9u;
  }
  out[i] = a ^ b;
}

// Lanes diverge at each step.
extern "C" __global__ void collatz(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = i + 1;
  int steps = 0;
  while (value != 1 && steps < 300) {
    if (value & 1) {
      value = 3 * value + 1;
    } else {
      value >>= 1;
    }
    ++steps;
  }
  out[i] = steps;
}

// Coalesced: a block of 256 threads copies 2048 words.
extern "C" __global__ void copy(unsigned* out, unsigned* in) {
  const int from = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int part = 0; part < 8; ++part) out[from + part * 256] = in[from + part * 256];
}

// Coalesced, each word read and written.
extern "C" __global__ void in_place(unsigned* data) {
  const int from = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int part = 0; part < 8; ++part) data[from + part * 256] += 12345;
}

// Each word of the result is the sum of three; `in` has two words more than `out`. Two of the three
// reads are not aligned to rows.
extern "C" __global__ void stencil(unsigned* out, unsigned* in) {
  const int from = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int part = 0; part < 8; ++part) {
    const int i = from + part * 256;
    out[i] = in[i] + in[i + 1] + in[i + 2];
  }
}

// Random words: copies each word to the same place of each part of the result. All threads of a
// part together are `words` threads, and the index is a permutation of that many words.
extern "C" __global__ void gather(unsigned* out, unsigned* in, unsigned* index, int words,
                                  int parts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int part = 0; part < parts; ++part) {
    const unsigned at = index[i];
    out[part * words + at] = in[at];
  }
}

// Shared memory: warps pass a tile to one another, without bank conflicts.
extern "C" __global__ void exchange(unsigned* out, int steps) {
  __shared__ unsigned tile[1024];
  const int thread = threadIdx.x;
  unsigned value = thread;
  for (int k = 0; k < steps; ++k) {
#pragma unroll
    for (int part = 0; part < 4; ++part) tile[part * 256 + thread] = value + part;
    __syncthreads();
#pragma unroll
    for (int part = 0; part < 4; ++part) value += tile[part * 256 + ((thread + 32) & 255)];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + thread] = value;
}

// Transposes in tiles of 32 × 32, by blocks of 32 × 8 threads.
template <int stride>
__device__ void transpose(float* out, float* in, int n) {
  __shared__ float tile[32 * stride];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8) {
    tile[(threadIdx.y + row) * stride + threadIdx.x] = in[(y + row) * n + x];
  }
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x;
  const int to_y = blockIdx.x * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8) {
    out[(to_y + row) * n + to_x] = tile[threadIdx.x * stride + threadIdx.y + row];
  }
}
extern "C" __global__ void transpose_plain(float* out, float* in, int n) {
  transpose<32>(out, in, n);
}
extern "C" __global__ void transpose_padded(float* out, float* in, int n) {
  transpose<33>(out, in, n);
}

// Sums: coalesced reads and a tree in shared memory.
extern "C" __global__ void reduce(unsigned* out, unsigned* in, int n) {
  __shared__ unsigned partial[256];
  unsigned sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

// This kernel does almost nothing, so that its time is the cost of a launch.
extern "C" __global__ void one_word(unsigned* out) { out[threadIdx.x] = threadIdx.x; }
