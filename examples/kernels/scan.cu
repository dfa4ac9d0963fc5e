// The inclusive or exclusive scan of a block's elements, with an operation that need not commute:
// by shuffles within each warp, then over the warps' totals.
//
// The operation here is the composition of affine maps x -> a·x + b, modulo 2^32: earlier maps are
// applied first, so that operands in the wrong order give other results.
//
//   nvcc scan.cu && ./a.out
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Affine {
  unsigned a, b;
};

/// First f, then g.
__host__ __device__ inline Affine then(Affine f, Affine g) {
  return Affine{g.a * f.a, g.a * f.b + g.b};
}

__device__ Affine shuffled_up(Affine value, int delta) {
  return Affine{__shfl_up_sync(0xffffffffu, value.a, delta),
                __shfl_up_sync(0xffffffffu, value.b, delta)};
}

__device__ Affine inclusive_in_warp(Affine value, int lane) {
  for (int delta = 1; delta < 32; delta *= 2) {
    const Affine before = shuffled_up(value, delta);
    if (lane >= delta) value = then(before, value);
  }
  return value;
}

template <bool inclusive>
__global__ void scan(const Affine* in, Affine* out, int n) {
  __shared__ Affine totals[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const Affine identity{1, 0};
  Affine value = inclusive_in_warp(i < n ? in[i] : identity, lane);
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const Affine total = lane < blockDim.x / 32 ? totals[lane] : identity;
    totals[lane] = inclusive_in_warp(total, lane);
  }
  __syncthreads();
  if (!inclusive) {
    const Affine before = shuffled_up(value, 1);
    value = lane == 0 ? identity : before;
  }
  if (warp > 0) value = then(totals[warp - 1], value);
  if (i < n) out[i] = value;
}

template __global__ void scan<true>(const Affine*, Affine*, int);
template __global__ void scan<false>(const Affine*, Affine*, int);

int main() {
  const int n = 1024;
  std::vector<Affine> maps(n), result(n);
  for (unsigned i = 0; i < n; ++i) maps[i] = Affine{2 * i + 3, i * i + 1};
  Affine *in, *out;
  cudaMalloc(&in, n * sizeof(Affine));
  cudaMalloc(&out, n * sizeof(Affine));
  cudaMemcpy(in, maps.data(), n * sizeof(Affine), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (const bool inclusive : {true, false}) {
    if (inclusive) {
      scan<true><<<1, n>>>(in, out, n);
    } else {
      scan<false><<<1, n>>>(in, out, n);
    }
    cudaMemcpy(result.data(), out, n * sizeof(Affine), cudaMemcpyDeviceToHost);
    Affine sum{1, 0};
    for (int i = 0; i < n; ++i) {
      const Affine next = then(sum, maps[i]);
      const Affine expected = inclusive ? next : sum;
      wrong += result[i].a != expected.a || result[i].b != expected.b;
      sum = next;
    }
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong != 0;
}
