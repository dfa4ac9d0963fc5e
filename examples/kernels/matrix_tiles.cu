// Multiplies matrices of half precision with mma, from tiles in shared memory that ldmatrix loads:
// once with tiles as they are, whose rows of 128 bytes all begin in the same bank, and once with
// the pieces of 16 bytes of each row swizzled.
//
// Each block makes a tile of 64 × 64 elements of c; each of its four warps makes 16 rows of it. For
// each step of 16 along k, a warp needs 16 × 16 elements of a, and 16 × 64 of b.
//
//   nvcc -arch=sm_80 matrix_tiles.cu && ./a.out
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = 64;  // rows and columns of a tile
constexpr int PIECE = 8;  // elements in 16 bytes, which a lane moves at once
constexpr int PIECES = TILE / PIECE;
constexpr int THREADS = 128;
constexpr int STEP = 16;    // of mma along k, and its rows
constexpr int COLUMNS = 8;  // of mma

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

// The position of a piece in its row: its own number, or a number that differs in eight rows.
template <bool swizzled>
__device__ int place(int row, int piece) {
  return row * PIECES + (swizzled ? piece ^ row % PIECES : piece);
}

__device__ __forceinline__ unsigned shared_address(const uint4* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Copies 16 bytes from global to shared memory. wait_for_copies() comes before their use.
__device__ __forceinline__ void copy_piece(const __half* from, uint4* piece) {
  const unsigned to = shared_address(piece);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_all;" : : : "memory");
}

// Copies the tile that begins at `from`, of a matrix whose rows have n elements.
template <bool swizzled>
__device__ __forceinline__ void load_tile(const __half* from, int n, uint4* tile) {
  for (int k = threadIdx.x; k < TILE * PIECES; k += THREADS) {
    const int row = k / PIECES;
    const int piece = k % PIECES;
    copy_piece(from + static_cast<size_t>(row) * n + piece * PIECE,
               &tile[place<swizzled>(row, piece)]);
  }
}

// Loads four 8 × 8 matrices, as they are or transposed; lane i gives the address of row i % 8 of
// the matrix i / 8.
#define LOAD_MATRICES(transposed, to, row)                                                      \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" transposed ".shared.b16 {%0, %1, %2, %3}, [%4];" \
               : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])                     \
               : "r"(shared_address(row))                                                       \
               : "memory")
__device__ __forceinline__ void load_fragments(unsigned (&to)[4], const uint4* row) {
  LOAD_MATRICES("", to, row);
}
__device__ __forceinline__ void load_transposed_fragments(unsigned (&to)[4], const uint4* row) {
  LOAD_MATRICES(".trans", to, row);
}

// Adds the product of 16 × 16 elements of a and 16 × 8 of b.
__device__ __forceinline__ void multiply_add(float (&sum)[4], const unsigned (&a)[4], unsigned b0,
                                             unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <bool swizzled>
__device__ __forceinline__ void multiply_tiles(const uint4* a, const uint4* b,
                                               float (&sums)[TILE / COLUMNS][4]) {
  const int lane = threadIdx.x % 32;
  const int first_row = threadIdx.x / 32 * STEP;
  for (int k = 0; k < TILE; k += STEP) {
    unsigned of_a[4];
    load_fragments(of_a, &a[place<swizzled>(first_row + lane % 16, k / PIECE + lane / 16)]);
#pragma unroll
    for (int j = 0; j < TILE / COLUMNS; j += 2) {
      unsigned of_b[4];
      load_transposed_fragments(of_b, &b[place<swizzled>(k + lane % 16, j + lane / 16)]);
      multiply_add(sums[j], of_a, of_b[0], of_b[1]);
      multiply_add(sums[j + 1], of_a, of_b[2], of_b[3]);
    }
  }
}

__device__ __forceinline__ void store_pair(float* to, float first, float second) {
  asm volatile("st.global.v2.f32 [%0], {%1, %2};" : : "l"(to), "f"(first), "f"(second) : "memory");
}

// c = a · b for matrices of n × n elements, n a multiple of 64.
template <bool swizzled>
__device__ __forceinline__ void product(const __half* a, const __half* b, float* c, int n) {
  __shared__ uint4 tile_of_a[TILE * PIECES];
  __shared__ uint4 tile_of_b[TILE * PIECES];
  const size_t row = blockIdx.y * TILE;
  const size_t column = blockIdx.x * TILE;
  float sums[TILE / COLUMNS][4];
#pragma unroll
  for (auto& sum : sums) sum[0] = sum[1] = sum[2] = sum[3] = 0;
  for (int k = 0; k < n; k += TILE) {
    load_tile<swizzled>(a + row * n + k, n, tile_of_a);
    load_tile<swizzled>(b + static_cast<size_t>(k) * n + column, n, tile_of_b);
    wait_for_copies();
    __syncthreads();
    multiply_tiles<swizzled>(tile_of_a, tile_of_b, sums);
    __syncthreads();
  }
  // A lane has two neighbors of a row, and two that are eight rows further down.
  const int lane = threadIdx.x % 32;
  float* to = c + (row + threadIdx.x / 32 * STEP + lane / 4) * n + column + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < TILE / COLUMNS; ++j) {
    store_pair(to + j * COLUMNS, sums[j][0], sums[j][1]);
    store_pair(to + static_cast<size_t>(8) * n + j * COLUMNS, sums[j][2], sums[j][3]);
  }
}

__global__ void product_plain(const __half* a, const __half* b, float* c, int n) {
  product<false>(a, b, c, n);
}

__global__ void product_swizzled(const __half* a, const __half* b, float* c, int n) {
  product<true>(a, b, c, n);
}

using Product = void (*)(const __half*, const __half*, float*, int);

static float element_of_a(int row, int column) { return static_cast<float>((row + column) % 5); }
static float element_of_b(int row, int column) {
  return static_cast<float>((row * 3 + column) % 7);
}

// Runs one of the kernels and counts the elements that are wrong.
static int wrong(const char* name, Product kernel, const __half* a, const __half* b, float* c,
                 int n) {
  kernel<<<dim3(n / TILE, n / TILE), THREADS>>>(a, b, c, n);
  CHECK(cudaGetLastError());
  std::vector<float> result(static_cast<std::size_t>(n) * n);
  CHECK(cudaMemcpy(result.data(), c, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += element_of_a(i, k) * element_of_b(k, j);
      count += result[i * n + j] != sum;
    }
  }
  std::printf("%s: %d wrong\n", name, count);
  return count;
}

int main() {
  const int n = 256;
  std::vector<__half> matrix_a(static_cast<std::size_t>(n) * n), matrix_b(matrix_a.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      matrix_a[i * n + j] = __half(element_of_a(i, j));
      matrix_b[i * n + j] = __half(element_of_b(i, j));
    }
  }
  __half *a, *b;
  float* c;
  CHECK(cudaMalloc(&a, matrix_a.size() * sizeof(__half)));
  CHECK(cudaMalloc(&b, matrix_b.size() * sizeof(__half)));
  CHECK(cudaMalloc(&c, matrix_a.size() * sizeof(float)));
  const std::size_t bytes = matrix_a.size() * sizeof(__half);
  CHECK(cudaMemcpy(a, matrix_a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, matrix_b.data(), bytes, cudaMemcpyHostToDevice));
  const int count =
      wrong("plain", product_plain, a, b, c, n) + wrong("swizzled", product_swizzled, a, b, c, n);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  return count != 0;
}
