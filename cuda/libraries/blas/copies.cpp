// cuBLAS's copies of vectors and matrices between host and device: copies of rows with a pitch, by
// CUDA's runtime, which checks both sides.
#include "context.hpp"

namespace bankproof::cuda::blas {
namespace {

struct Rows {
  std::int64_t count = 0;
  std::int64_t bytes = 0;  // of a row
  std::int64_t from_pitch = 0;
  std::int64_t to_pitch = 0;
  bool are_valid = false;
};

Rows rows_of_vector(std::int64_t n, std::int64_t bytes, std::int64_t from_step,
                    std::int64_t to_step) {
  if (from_step == 1 && to_step == 1) {  // one copy
    return {n > 0 ? 1 : 0, n * bytes, n * bytes, n * bytes, bytes > 0};
  }
  return {n, bytes, from_step * bytes, to_step * bytes, bytes > 0 && from_step > 0 && to_step > 0};
}
Rows rows_of_matrix(std::int64_t rows, std::int64_t columns, std::int64_t bytes,
                    std::int64_t from_leading, std::int64_t to_leading) {
  const bool fits = rows >= 0 && columns >= 0 && bytes > 0 && from_leading >= rows &&
                    to_leading >= rows && from_leading > 0 && to_leading > 0;
  return {rows > 0 ? columns : 0, rows * bytes, from_leading * bytes, to_leading * bytes, fits};
}

cublasStatus_t copy_rows(const char* call, const Rows& rows, const void* from, void* to,
                         cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (!rows.are_valid) {
    libraries::say(call, "a size, a step or a leading dimension is wrong");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (rows.count <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  const cudaError_t error =
      stream == nullptr ? cudaMemcpy2D(to, size(rows.to_pitch), from, size(rows.from_pitch),
                                       size(rows.bytes), size(rows.count), kind)
                        : cudaMemcpy2DAsync(to, size(rows.to_pitch), from, size(rows.from_pitch),
                                            size(rows.bytes), size(rows.count), kind, *stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace
}  // namespace bankproof::cuda::blas

using bankproof::cuda::blas::copy_rows;
using bankproof::cuda::blas::rows_of_matrix;
using bankproof::cuda::blas::rows_of_vector;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define COPIES(name, kind, E, I)                                                                \
  cublasStatus_t cublas##name##Vector##E(I n, I bytes, const void* from, I from_step, void* to, \
                                         I to_step) {                                           \
    return copy_rows("cublas" #name "Vector" #E, rows_of_vector(n, bytes, from_step, to_step),  \
                     from, to, kind, nullptr);                                                  \
  }                                                                                             \
  cublasStatus_t cublas##name##VectorAsync##E(I n, I bytes, const void* from, I from_step,      \
                                              void* to, I to_step, cudaStream_t stream) {       \
    return copy_rows("cublas" #name "VectorAsync" #E,                                           \
                     rows_of_vector(n, bytes, from_step, to_step), from, to, kind, &stream);    \
  }                                                                                             \
  cublasStatus_t cublas##name##Matrix##E(I rows, I columns, I bytes, const void* from,          \
                                         I from_leading, void* to, I to_leading) {              \
    return copy_rows("cublas" #name "Matrix" #E,                                                \
                     rows_of_matrix(rows, columns, bytes, from_leading, to_leading), from, to,  \
                     kind, nullptr);                                                            \
  }                                                                                             \
  cublasStatus_t cublas##name##MatrixAsync##E(I rows, I columns, I bytes, const void* from,     \
                                              I from_leading, void* to, I to_leading,           \
                                              cudaStream_t stream) {                            \
    return copy_rows("cublas" #name "MatrixAsync" #E,                                           \
                     rows_of_matrix(rows, columns, bytes, from_leading, to_leading), from, to,  \
                     kind, &stream);                                                            \
  }
COPIES(Set, cudaMemcpyHostToDevice, , int)
COPIES(Set, cudaMemcpyHostToDevice, _64, std::int64_t)
COPIES(Get, cudaMemcpyDeviceToHost, , int)
COPIES(Get, cudaMemcpyDeviceToHost, _64, std::int64_t)
#undef COPIES
}
// NOLINTEND(bugprone-macro-parentheses)
