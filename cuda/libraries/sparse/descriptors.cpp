// cuSPARSE's handles, and descriptors of vectors and matrices.
#include "descriptors.hpp"

#include <array>

#include "../blas/numbers.hpp"

namespace bankproof::cuda::sparse {
namespace {

void require_places(std::initializer_list<const void*> places) {
  for (const void* const place : places)
    require(place != nullptr, "an address for an answer is null");
}
void require_type(cudaDataType type) {
  if (!blas::is_known(type)) {
    throw Refused{CUSPARSE_STATUS_NOT_SUPPORTED,
                  fmt::format("the machine has no numbers of the type {}", static_cast<int>(type))};
  }
}
void require_indices(cusparseIndexType_t type) {
  if (type != CUSPARSE_INDEX_32I && type != CUSPARSE_INDEX_64I) {
    throw Refused{CUSPARSE_STATUS_NOT_SUPPORTED, "indices have 32 or 64 bits here"};
  }
}

template <class T>
const T* make_object(const T& value) {
  return objects<T>().make(value);
}

cusparseStatus_t create_vector(const char* call, cusparseConstDnVecDescr_t* vector,
                               std::int64_t size, const void* values, cudaDataType type) {
  return make_call(call, [&] {
    require_places({vector});
    require(size >= 0, fmt::format("the size is {}", size));
    require_type(type);
    *vector = make_object(cusparseDnVecDescr{size, const_cast<void*>(values), type});
  });
}

cusparseStatus_t create_dense(const char* call, cusparseConstDnMatDescr_t* matrix,
                              const cusparseDnMatDescr& of) {
  return make_call(call, [&] {
    require_places({matrix});
    require(of.rows >= 0 && of.columns >= 0, "a size is below 0");
    require(of.order == CUSPARSE_ORDER_COL || of.order == CUSPARSE_ORDER_ROW,
            "there is no such order");
    const std::int64_t line = of.order == CUSPARSE_ORDER_COL ? of.rows : of.columns;
    require(of.leading >= line,
            fmt::format("the leading dimension is {}, below {}", of.leading, line));
    require_type(of.type);
    *matrix = make_object(of);
  });
}

cusparseStatus_t create_sparse(const char* call, cusparseConstSpMatDescr_t* matrix,
                               const cusparseSpMatDescr& of) {
  return make_call(call, [&] {
    require_places({matrix});
    require(of.rows >= 0 && of.columns >= 0 && of.count >= 0, "a size is below 0");
    require(of.base == CUSPARSE_INDEX_BASE_ZERO || of.base == CUSPARSE_INDEX_BASE_ONE,
            "indices begin at 0 or 1");
    require_indices(of.offset_type);
    require_indices(of.index_type);
    require_type(of.type);
    *matrix = make_object(of);
  });
}

template <class T>
cusparseStatus_t destroy_object(const char* call, const T* object, const char* what) {
  return make_call(call, [&] {
    require_object(object, what);
    objects<T>().destroy(object);
  });
}

struct StatusText {
  cusparseStatus_t status;
  const char* name;
  const char* text;
};
constexpr std::array statuses = {
    StatusText{CUSPARSE_STATUS_SUCCESS, "CUSPARSE_STATUS_SUCCESS", "success"},
    StatusText{CUSPARSE_STATUS_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED",
               "there is no such handle"},
    StatusText{CUSPARSE_STATUS_ALLOC_FAILED, "CUSPARSE_STATUS_ALLOC_FAILED", "no memory is left"},
    StatusText{CUSPARSE_STATUS_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE",
               "an argument is wrong"},
    StatusText{CUSPARSE_STATUS_ARCH_MISMATCH, "CUSPARSE_STATUS_ARCH_MISMATCH",
               "the device cannot do this"},
    StatusText{CUSPARSE_STATUS_MAPPING_ERROR, "CUSPARSE_STATUS_MAPPING_ERROR",
               "memory cannot be accessed"},
    StatusText{CUSPARSE_STATUS_EXECUTION_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED",
               "the operation failed on the device"},
    StatusText{CUSPARSE_STATUS_INTERNAL_ERROR, "CUSPARSE_STATUS_INTERNAL_ERROR",
               "an internal error"},
    StatusText{CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
               "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "no such matrix is supported"},
    StatusText{CUSPARSE_STATUS_ZERO_PIVOT, "CUSPARSE_STATUS_ZERO_PIVOT", "a pivot is 0"},
    StatusText{CUSPARSE_STATUS_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED", "not supported"},
    StatusText{CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES",
               "too few resources"}};

}  // namespace
}  // namespace bankproof::cuda::sparse

using namespace bankproof::cuda::sparse;

extern "C" {
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return make_call("cusparseCreate", [&] {
    require_places({handle});
    *handle = objects<cusparseContext>().make();
  });
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return make_call("cusparseDestroy", [&] {
    context_of(handle);
    objects<cusparseContext>().destroy(handle);
  });
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  return make_call("cusparseGetVersion", [&] {
    context_of(handle);
    require_places({version});
    *version = CUSPARSE_VERSION;
  });
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType property, int* value) {
  return make_call("cusparseGetProperty", [&] {
    require_places({value});
    require(property >= MAJOR_VERSION && property <= PATCH_LEVEL, "there is no such property");
    constexpr std::array values = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    *value = values[static_cast<std::size_t>(property)];
  });
}
const char* cusparseGetErrorName(cusparseStatus_t status) {
  for (const auto& one : statuses) {
    if (one.status == status) return one.name;
  }
  return "unrecognized error code";
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  for (const auto& one : statuses) {
    if (one.status == status) return one.text;
  }
  return "unrecognized error code";
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return make_call("cusparseSetStream", [&] {
    context_of(handle);
    require(bankproof_library_has_stream("cusparseSetStream", stream) != 0,
            "the stream does not exist");
    handle->stream = stream;
  });
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  return make_call("cusparseGetStream", [&] {
    require_places({stream});
    *stream = context_of(handle).stream;
  });
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  return make_call("cusparseGetPointerMode", [&] {
    require_places({mode});
    *mode = context_of(handle).pointer_mode;
  });
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return make_call("cusparseSetPointerMode", [&] {
    context_of(handle);
    handle->pointer_mode = mode;
  });
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                     cudaDataType type) {
  cusparseConstDnVecDescr_t made = nullptr;
  const auto status =
      create_vector("cusparseCreateDnVec", vector == nullptr ? nullptr : &made, size, values, type);
  if (status == CUSPARSE_STATUS_SUCCESS) *vector = const_cast<cusparseDnVecDescr_t>(made);
  return status;
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size,
                                          const void* values, cudaDataType type) {
  return create_vector("cusparseCreateConstDnVec", vector, size, values, type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return destroy_object("cusparseDestroyDnVec", vector, "vector");
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* type) {
  return make_call("cusparseDnVecGet", [&] {
    require_object(vector, "vector");
    require_places({size, values, type});
    *size = vector->size;
    *values = vector->values;
    *type = vector->type;
  });
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  return make_call("cusparseDnVecGetValues", [&] {
    require_object(vector, "vector");
    require_places({values});
    *values = vector->values;
  });
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return make_call("cusparseDnVecSetValues", [&] {
    require_object(vector, "vector");
    vector->values = values;
  });
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                     int64_t leading, void* values, cudaDataType type,
                                     cusparseOrder_t order) {
  cusparseConstDnMatDescr_t made = nullptr;
  const auto status = create_dense("cusparseCreateDnMat", matrix == nullptr ? nullptr : &made,
                                   {rows, columns, leading, values, type, order});
  if (status == CUSPARSE_STATUS_SUCCESS) *matrix = const_cast<cusparseDnMatDescr_t>(made);
  return status;
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows,
                                          int64_t columns, int64_t leading, const void* values,
                                          cudaDataType type, cusparseOrder_t order) {
  return create_dense("cusparseCreateConstDnMat", matrix,
                      {rows, columns, leading, const_cast<void*>(values), type, order});
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return destroy_object("cusparseDestroyDnMat", matrix, "matrix");
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                  int64_t* leading, void** values, cudaDataType* type,
                                  cusparseOrder_t* order) {
  return make_call("cusparseDnMatGet", [&] {
    require_object(matrix, "matrix");
    require_places({rows, columns, leading, values, type, order});
    *rows = matrix->rows;
    *columns = matrix->columns;
    *leading = matrix->leading;
    *values = matrix->values;
    *type = matrix->type;
    *order = matrix->order;
  });
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  return make_call("cusparseDnMatGetValues", [&] {
    require_object(matrix, "matrix");
    require_places({values});
    *values = matrix->values;
  });
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return make_call("cusparseDnMatSetValues", [&] {
    require_object(matrix, "matrix");
    matrix->values = values;
  });
}

// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define COMPRESSED(name, form)                                                                     \
  cusparseStatus_t cusparseCreateConst##name(                                                      \
      cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count,             \
      const void* offsets, const void* indices, const void* values,                                \
      cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base,   \
      cudaDataType type) {                                                                         \
    return create_sparse(                                                                          \
        "cusparseCreateConst" #name, matrix,                                                       \
        {form, rows, columns, count, const_cast<void*>(offsets), const_cast<void*>(indices),       \
         const_cast<void*>(values), offset_type, index_type, base, type});                         \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##name(                                                           \
      cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count, void* offsets,   \
      void* indices, void* values, cusparseIndexType_t offset_type,                                \
      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {               \
    cusparseConstSpMatDescr_t made = nullptr;                                                      \
    const auto status = create_sparse("cusparseCreate" #name, matrix == nullptr ? nullptr : &made, \
                                      {form, rows, columns, count, offsets, indices, values,       \
                                       offset_type, index_type, base, type});                      \
    if (status == CUSPARSE_STATUS_SUCCESS) *matrix = const_cast<cusparseSpMatDescr_t>(made);       \
    return status;                                                                                 \
  }
COMPRESSED(Csr, CUSPARSE_FORMAT_CSR)
COMPRESSED(Csc, CUSPARSE_FORMAT_CSC)
#undef COMPRESSED
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t columns, int64_t count, const void* row_indices,
                                        const void* column_indices, const void* values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType type) {
  return create_sparse("cusparseCreateConstCoo", matrix,
                       {CUSPARSE_FORMAT_COO, rows, columns, count, const_cast<void*>(row_indices),
                        const_cast<void*>(column_indices), const_cast<void*>(values), index_type,
                        index_type, base, type});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t count, void* row_indices, void* column_indices,
                                   void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  cusparseConstSpMatDescr_t made = nullptr;
  const auto status = create_sparse("cusparseCreateCoo", matrix == nullptr ? nullptr : &made,
                                    {CUSPARSE_FORMAT_COO, rows, columns, count, row_indices,
                                     column_indices, values, index_type, index_type, base, type});
  if (status == CUSPARSE_STATUS_SUCCESS) *matrix = const_cast<cusparseSpMatDescr_t>(made);
  return status;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return destroy_object("cusparseDestroySpMat", matrix, "matrix");
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t* format) {
  return make_call("cusparseSpMatGetFormat", [&] {
    require_object(matrix, "matrix");
    require_places({format});
    *format = matrix->format;
  });
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t* base) {
  return make_call("cusparseSpMatGetIndexBase", [&] {
    require_object(matrix, "matrix");
    require_places({base});
    *base = matrix->base;
  });
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                      int64_t* columns, int64_t* count) {
  return make_call("cusparseSpMatGetSize", [&] {
    require_object(matrix, "matrix");
    require_places({rows, columns, count});
    *rows = matrix->rows;
    *columns = matrix->columns;
    *count = matrix->count;
  });
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  return make_call("cusparseSpMatGetValues", [&] {
    require_object(matrix, "matrix");
    require_places({values});
    *values = matrix->values;
  });
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return make_call("cusparseSpMatSetValues", [&] {
    require_object(matrix, "matrix");
    matrix->values = values;
  });
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* indices,
                                        void* values) {
  return make_call("cusparseCsrSetPointers", [&] {
    require_object(matrix, "matrix");
    require(matrix->format == CUSPARSE_FORMAT_CSR, "the matrix has another format");
    matrix->offsets = offsets;
    matrix->indices = indices;
    matrix->values = values;
  });
}
}
// NOLINTEND(bugprone-macro-parentheses)
