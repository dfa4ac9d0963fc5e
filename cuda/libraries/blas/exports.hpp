// For the definitions of cuBLAS's functions: calls M(letter, CUDA's type, its real type, the type
// of the computation, ending of the name, integer) for each type of numbers and both types of
// sizes.
#pragma once

#include "numbers.hpp"

#define BLAS_REAL(M, E, I) M(S, float, float, float, E, I) M(D, double, double, double, E, I)
#define BLAS_COMPLEX(M, E, I)           \
  M(C, cuComplex, float, Complex, E, I) \
  M(Z, cuDoubleComplex, double, DoubleComplex, E, I)
#define BLAS_EACH_REAL(M) BLAS_REAL(M, , int) BLAS_REAL(M, _64, std::int64_t)
#define BLAS_EACH_COMPLEX(M) BLAS_COMPLEX(M, , int) BLAS_COMPLEX(M, _64, std::int64_t)
#define BLAS_EACH(M) BLAS_EACH_REAL(M) BLAS_EACH_COMPLEX(M)
#define BLAS_EACH_SHORT(M) BLAS_REAL(M, , int) BLAS_COMPLEX(M, , int)
#define BLAS_BOTH(M) M(, int) M(_64, std::int64_t)
