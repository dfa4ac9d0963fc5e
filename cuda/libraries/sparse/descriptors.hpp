// The objects of cuSPARSE: handles, vectors and matrices. A program holds a pointer to each until
// it destroys the object.
#pragma once

#include <fmt/format.h>

#include <string>

#include "../../headers/cusparse.h"
#include "../../runtime/handles.hpp"
#include "../support/operation.hpp"

// cuSPARSE lets the library define these types.
struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseDnVecDescr {
  std::int64_t size = 0;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
};
struct cusparseDnMatDescr {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
  cusparseOrder_t order = CUSPARSE_ORDER_COL;
};
struct cusparseSpMatDescr {
  cusparseFormat_t format = CUSPARSE_FORMAT_CSR;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t count = 0;   // of the stored elements
  void* offsets = nullptr;  // where rows begin, or columns for CSC; of COO, the indices of rows
  void* indices = nullptr;
  void* values = nullptr;
  cusparseIndexType_t offset_type = CUSPARSE_INDEX_32I;
  cusparseIndexType_t index_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cudaDataType type = CUDA_R_32F;
  cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_LOWER;  // of a triangle
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};
/// For the old functions.
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

namespace bankproof::cuda::sparse {

/// The objects outlive the program's static variables, whose destructors may use them.
template <class T>
Handles<T>& objects() {
  static auto* const all = new Handles<T>;
  return *all;
}

/// Ends a call.
struct Refused {
  cusparseStatus_t status = CUSPARSE_STATUS_INVALID_VALUE;
  std::string why;
};
inline void require(bool holds, const std::string& why) {
  if (!holds) throw Refused{CUSPARSE_STATUS_INVALID_VALUE, why};
}
template <class T>
void require_object(const T* object, const char* what) {
  require(objects<T>().is_live(object),
          fmt::format("the {} does not exist; was it destroyed?", what));
}

/// Calls body(), whose errors end the call.
template <class Body>
cusparseStatus_t make_call(const char* name, const Body& body) {
  try {
    body();
    return CUSPARSE_STATUS_SUCCESS;
  } catch (const Refused& refused) {
    libraries::say(name, refused.why);
    return refused.status;
  }
}
inline const cusparseContext& context_of(cusparseHandle_t handle) {
  if (objects<cusparseContext>().is_live(handle)) return *handle;
  throw Refused{CUSPARSE_STATUS_NOT_INITIALIZED, "the handle does not exist; was it destroyed?"};
}

}  // namespace bankproof::cuda::sparse
