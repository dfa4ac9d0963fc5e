// One warp multiplies matrices of half precision by mma, and transposes one by movmatrix.
#ifdef __clang__
#include "clang.cuh"
#endif

__device__ unsigned shared_address(const unsigned* pointer) {
  return static_cast<unsigned>(
      reinterpret_cast<unsigned long>((__attribute__((address_space(3))) const unsigned*)pointer));
}

// d = a · b for a of 16 × 16 and b of 16 × 8, and the first 8 × 8 of a transposed; two elements of
// a row in a word.
__global__ void matrices(const unsigned* a, const unsigned* b, float* d, unsigned* transposed) {
  __shared__ __attribute__((aligned(16))) unsigned tile_a[16 * 8];
  __shared__ __attribute__((aligned(16))) unsigned tile_b[16 * 4];
  const int lane = threadIdx.x;
  for (int k = lane; k < 16 * 8; k += 32) tile_a[k] = a[k];
  for (int k = lane; k < 16 * 4; k += 32) tile_b[k] = b[k];
  __syncthreads();
  unsigned of_a[4], of_b[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(of_a[0]), "=r"(of_a[1]), "=r"(of_a[2]), "=r"(of_a[3])
               : "r"(shared_address(&tile_a[lane % 16 * 8 + lane / 16 * 4]))
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(of_b[0]), "=r"(of_b[1])
               : "r"(shared_address(&tile_b[lane % 16 * 4]))
               : "memory");
  float sums[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]), "r"(of_a[3]), "r"(of_b[0]), "r"(of_b[1]));
  for (int k = 0; k < 4; ++k) d[(lane / 4 + k / 2 * 8) * 8 + lane % 4 * 2 + k % 2] = sums[k];
  unsigned turned;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(of_a[0]));
  __syncthreads();
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
               :
               : "r"(shared_address(&tile_a[lane % 8 * 4])), "r"(turned)
               : "memory");
  __syncthreads();
  transposed[lane] = tile_a[lane];
}
