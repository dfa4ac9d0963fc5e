// The objects of cublasLt. A program may have descriptors in its own memory, as structures whose
// contents it does not know, so that they are copied in and out here. The first word says that one
// was made.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "../../headers/cublasLt.h"
#include "../blas/context.hpp"

namespace bankproof::cuda::blas_lt {

using blas::Refused;
using blas::require;

/// Where the elements of a matrix lie.
struct Layout {
  static constexpr const char* what = "layout";
  static constexpr std::uint64_t mark = 0x6c61796f7574;
  std::uint64_t made = mark;
  std::uint32_t type = CUDA_R_32F;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t leading = 0;
  std::int64_t stride = 0;  // from a matrix of the batch to the next
  std::int64_t plane = 0;
  std::int32_t count = 1;
  std::uint32_t batch_mode = CUBLASLT_BATCH_MODE_STRIDED;

  cudaDataType data_type() const { return static_cast<cudaDataType>(type); }
};

/// What a product does.
struct Description {
  static constexpr const char* what = "description";
  static constexpr std::uint64_t mark = 0x6d61746d756c;
  std::uint64_t made = mark;
  std::int32_t computed = CUBLAS_COMPUTE_32F;
  std::int32_t scale_type = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N, op_c = CUBLAS_OP_N;
  std::int32_t fill_mode = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  std::int64_t bias_stride = 0;
  void* aux = nullptr;
  std::int64_t aux_leading = 0, aux_stride = 0, alpha_stride = 0;
  std::int32_t sm_count = 0;
  std::int32_t aux_type = -1;
  void *scale_a = nullptr, *scale_b = nullptr, *scale_c = nullptr, *scale_d = nullptr;
  void* largest = nullptr;  // the place for the largest result
  void *aux_scale = nullptr, *aux_largest = nullptr;
  void *block_scales = nullptr, *emulation = nullptr;
  std::int32_t bias_type = -1;
  std::int32_t mode_a = 0, mode_b = 0, mode_c = 0, mode_d = 0, mode_aux = 0, mode_blocks = 0;
  std::int8_t is_fast = 0;
};

struct Preference {
  static constexpr const char* what = "preference";
  static constexpr std::uint64_t mark = 0x70726566;
  std::uint64_t made = mark;
  std::uint32_t search = CUBLASLT_SEARCH_BEST_FIT;
  std::uint32_t reduction = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint64_t workspace = 0;
  std::uint32_t alignment_a = 256, alignment_b = 256, alignment_c = 256, alignment_d = 256;
  float waves = 0;
  std::uint64_t implementations = ~std::uint64_t{0};
};

/// Says why a call failed.
cublasStatus_t tell_why(const char* call, const Refused& refused);

/// Calls body(), whose errors end the call.
template <class Body>
cublasStatus_t make_call(const char* call, const Body& body) {
  try {
    body();
    return CUBLAS_STATUS_SUCCESS;
  } catch (const Refused& refused) {
    return tell_why(call, refused);
  }
}

/// The contents of the program's structure.
template <class Kind, class Opaque>
Kind read_kind(const Opaque* opaque) {
  static_assert(sizeof(Kind) <= sizeof(Opaque));
  Kind kind;
  require(opaque != nullptr, fmt::format("the {} is null", Kind::what));
  std::memcpy(static_cast<void*>(&kind), opaque, sizeof kind);
  require(kind.made == Kind::mark,
          fmt::format("this is no {}; was it made, and not yet destroyed?", Kind::what));
  return kind;
}
template <class Kind, class Opaque>
void write_kind(Opaque* opaque, const Kind& kind) {
  static_assert(sizeof(Kind) <= sizeof(Opaque));
  std::memcpy(opaque, &kind, sizeof kind);
}

/// A program may give a handle of cuBLAS, too, so that only handles that were destroyed are
/// refused.
void require_handle(cublasLtHandle_t handle);

}  // namespace bankproof::cuda::blas_lt
