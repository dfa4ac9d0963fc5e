// The request for a product of cublasLt, checked against what CUDA's documentation allows and
// what the machine has.
#pragma once

#include "descriptors.hpp"
#include "numbers.hpp"

namespace bankproof::cuda::blas_lt {

/// A product without its addresses.
struct Problem {
  Description how;
  Layout a, b, c, d;

  cublasOperation_t op_a() const { return static_cast<cublasOperation_t>(how.op_a); }
  cublasOperation_t op_b() const { return static_cast<cublasOperation_t>(how.op_b); }
  bool has_eight() const { return is_eight(a.data_type()); }
  bool has_bias() const { return (how.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
  cudaDataType bias_type() const {
    if (how.bias_type >= 0) return static_cast<cudaDataType>(how.bias_type);
    if (is_eight(d.data_type())) return c.data_type();
    if (has_eight() && d.type == CUDA_R_32F) return CUDA_R_16BF;
    if (d.type == CUDA_R_8I) return static_cast<cudaDataType>(how.scale_type);
    return d.data_type();
  }
};

/// Throws Refused.
Problem problem_of(cublasLtMatmulDesc_t how, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                   cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d);

}  // namespace bankproof::cuda::blas_lt
