// Matrices that a warp multiplies: mma.h, with each type of elements and each shape.
#include <mma.h>

namespace wmma = nvcuda::wmma;
using rows = wmma::row_major;
using columns = wmma::col_major;

// The number of elements from the beginning of one row, or of one column, to the beginning of the
// next.
template <class Layout>
struct Stride {
  __device__ static constexpr int of(int, int row) { return row; }
};
template <>
struct Stride<columns> {
  __device__ static constexpr int of(int column, int) { return column; }
};

// Computes d = a · b + c for matrices that lie in memory without gaps; c is stored by rows, and d
// by columns.
template <int m, int n, int k, class T, class OfA, class OfB, class Element, class D>
__device__ void product(const Element* a, const Element* b, const D* c, D* d) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, OfA> of_a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, OfB> of_b;
  wmma::fragment<wmma::accumulator, m, n, k, D> addend;
  wmma::fragment<wmma::accumulator, m, n, k, D> sum;
  wmma::fill_fragment(addend, static_cast<D>(1));
  wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + addend.x[i];
  wmma::load_matrix_sync(of_a, a, Stride<OfA>::of(m, k));
  wmma::load_matrix_sync(of_b, b, Stride<OfB>::of(k, n));
  wmma::mma_sync(sum, of_a, of_b, sum);
  wmma::store_matrix_sync(d, sum, m, wmma::mem_col_major);
}

__global__ void halves(const __half* a, const __half* b, const __half* c, __half* d) {
  product<16, 16, 16, __half, rows, columns>(a, b, c, d);
}
__global__ void floats_of_halves(const __half* a, const __half* b, const float* c, float* d) {
  product<8, 32, 16, __half, columns, rows>(a, b, c, d);
}
__global__ void brains(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d) {
  product<32, 8, 16, __nv_bfloat16, rows, rows>(a, b, c, d);
}
__global__ void bytes(const signed char* a, const signed char* b, const int* c, int* d) {
  product<16, 16, 16, signed char, columns, columns>(a, b, c, d);
}
__global__ void unsigned_bytes(const unsigned char* a, const unsigned char* b, const int* c,
                               int* d) {
  product<8, 32, 16, unsigned char, rows, columns>(a, b, c, d);
}
__global__ void short_floats(const float* a, const float* b, const float* c, float* d) {
  product<16, 16, 8, wmma::precision::tf32, rows, columns>(a, b, c, d);
}
__global__ void doubles(const double* a, const double* b, const double* c, double* d) {
  product<8, 8, 4, double, rows, columns>(a, b, c, d);
}

// The largest number plus one stays the largest number.
__global__ void saturated(const signed char* a, const signed char* b, int* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, rows> of_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, columns> of_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(sum, 0x7fffffff);
  wmma::load_matrix_sync(of_a, a, 16);
  wmma::load_matrix_sync(of_b, b, 16);
  wmma::mma_sync(sum, of_a, of_b, sum, true);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

__global__ void shortened(float* x) { *x = wmma::__float_to_tf32(*x); }
