// For the declarations of cuBLAS: calls M(letter, type, real type, ending of the name, integer) for
// each type of numbers, and for both types of sizes.
#pragma once
#pragma GCC system_header

#define BANKPROOF_BLAS_REAL(M, ending, Int) \
  M(S, float, float, ending, Int) M(D, double, double, ending, Int)
#define BANKPROOF_BLAS_COMPLEX(M, ending, Int) \
  M(C, cuComplex, float, ending, Int) M(Z, cuDoubleComplex, double, ending, Int)
#define BANKPROOF_BLAS_EACH_REAL(M) \
  BANKPROOF_BLAS_REAL(M, , int) BANKPROOF_BLAS_REAL(M, _64, int64_t)
#define BANKPROOF_BLAS_EACH_COMPLEX(M) \
  BANKPROOF_BLAS_COMPLEX(M, , int) BANKPROOF_BLAS_COMPLEX(M, _64, int64_t)
#define BANKPROOF_BLAS_EACH(M) BANKPROOF_BLAS_EACH_REAL(M) BANKPROOF_BLAS_EACH_COMPLEX(M)
/// Functions without sizes, or with sizes of int alone.
#define BANKPROOF_BLAS_EACH_SHORT(M) BANKPROOF_BLAS_REAL(M, , int) BANKPROOF_BLAS_COMPLEX(M, , int)
#define BANKPROOF_BLAS_BOTH(M) M(, int) M(_64, int64_t)
