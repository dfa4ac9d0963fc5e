// The planted bug: the scan composes its maps x -> a·x + b with the operands swapped, and
// composition does not commute. To be reported: a wrong result, though a scan of sums would be
// right.
#include <cuda_runtime.h>

struct Affine {
  unsigned a, b;
};

/// First f, then g.
__host__ __device__ inline Affine then(Affine f, Affine g) {
  return Affine{g.a * f.a, g.a * f.b + g.b};
}

__global__ void swapped_operands(const Affine* in, Affine* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  Affine value = in[i];
  for (int delta = 1; delta < 32; delta *= 2) {
    const Affine before{__shfl_up_sync(0xffffffffu, value.a, delta),
                        __shfl_up_sync(0xffffffffu, value.b, delta)};
    if (threadIdx.x >= delta) value = then(value, before);
  }
  out[i] = value;
}

int main() {
  const int n = 256;
  Affine *in, *out;
  cudaMalloc(&in, n * sizeof(Affine));
  cudaMalloc(&out, n * sizeof(Affine));
  cudaMemset(in, 0, n * sizeof(Affine));
  swapped_operands<<<n / 32, 32>>>(in, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
