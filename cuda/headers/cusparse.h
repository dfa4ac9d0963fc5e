// cuSPARSE, as far as the reference machine has it (cuda/libraries/sparse). The values of enumerators
// are those of CUDA 13.
#pragma once
#pragma GCC system_header

#include <stddef.h>
#include <stdint.h>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

// Programs ask by this name whether the header is there.
#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED = 1, CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3, CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5, CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9, CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2, CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0, CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5, CUSPARSE_FORMAT_BSR = 6, CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
  CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1, CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4, CUSPARSE_SPMV_SELL_ALG1 = 5,
  CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1, CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3, CUSPARSE_SPMM_CSR_ALG1 = 4, CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6, CUSPARSE_SPMM_CSR_ALG3 = 12, CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum {
  CUSPARSE_SPSV_UPDATE_GENERAL = 0, CUSPARSE_SPSV_UPDATE_DIAGONAL = 1
} cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum {
  CUSPARSE_SPSM_UPDATE_GENERAL = 0, CUSPARSE_SPSM_UPDATE_DIAGONAL = 1
} cusparseSpSMUpdate_t;
typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseMatDescr* cusparseMatDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef struct cusparseSpSVDescr* cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr* cusparseSpSMDescr_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;
typedef const struct cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr* cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr* cusparseConstDnMatDescr_t;

// clang-format off: a function a line
#ifdef __cplusplus
extern "C" {
#endif
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType property, int* value);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descriptor);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t mode);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t type);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values, cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading, void* values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading, const void* values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* leading, void** values, cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count, void* offsets, void* indices, void* values, cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count, const void* offsets, const void* indices, const void* values, cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count, void* offsets, void* indices, void* values, cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count, const void* offsets, const void* indices, const void* values, cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count, void* row_indices, void* column_indices, void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count, const void* row_indices, const void* column_indices, const void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* indices, void* values);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType computed, cusparseSpMVAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType computed, cusparseSpMVAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType computed, cusparseSpMVAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c, cudaDataType computed, cusparseSpMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c, cudaDataType computed, cusparseSpMMAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c, cudaDataType computed, cusparseSpMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data, size_t bytes);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data, size_t bytes);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType computed, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor, size_t* bytes);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType computed, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor, void* buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType computed, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor);
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descriptor, void* values, cusparseSpSVUpdate_t part);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descriptor);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType computed, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor, size_t* bytes);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType computed, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor, void* buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType computed, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor);
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descriptor, void* values, cusparseSpSMUpdate_t part);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position);
cusparseStatus_t cusparseScsrilu02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, float* values, const int* offsets, const int* indices, csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseScsrilu02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const float* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseScsrilu02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, float* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseScsrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int is_on, double* least, float* value);
cusparseStatus_t cusparseDcsrilu02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, double* values, const int* offsets, const int* indices, csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseDcsrilu02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const double* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsrilu02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, double* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int is_on, double* least, double* value);
cusparseStatus_t cusparseCcsrilu02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuComplex* values, const int* offsets, const int* indices, csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseCcsrilu02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const cuComplex* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseCcsrilu02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuComplex* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseCcsrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int is_on, double* least, cuComplex* value);
cusparseStatus_t cusparseZcsrilu02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuDoubleComplex* values, const int* offsets, const int* indices, csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseZcsrilu02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const cuDoubleComplex* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseZcsrilu02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuDoubleComplex* values, const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseZcsrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int is_on, double* least, cuDoubleComplex* value);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int* position);
cusparseStatus_t cusparseScsric02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, float* values, const int* offsets, const int* indices, csric02Info_t info, int* bytes);
cusparseStatus_t cusparseScsric02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const float* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseScsric02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, float* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsric02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, double* values, const int* offsets, const int* indices, csric02Info_t info, int* bytes);
cusparseStatus_t cusparseDcsric02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const double* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsric02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, double* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseCcsric02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuComplex* values, const int* offsets, const int* indices, csric02Info_t info, int* bytes);
cusparseStatus_t cusparseCcsric02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const cuComplex* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseCcsric02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuComplex* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseZcsric02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuDoubleComplex* values, const int* offsets, const int* indices, csric02Info_t info, int* bytes);
cusparseStatus_t cusparseZcsric02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const cuDoubleComplex* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseZcsric02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, cuDoubleComplex* values, const int* offsets, const int* indices, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
#ifdef __cplusplus
}
#endif
// clang-format on
