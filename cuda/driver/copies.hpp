// Copies of rows and planes, as the runtime's functions take them.
#pragma once

#include "calls.hpp"

namespace bankproof::cuda::driver {

CUresult copy_of_runtime(const char* call, const CUDA_MEMCPY2D& of, cudaMemcpy3DParms& copy);
CUresult copy_of_runtime(const char* call, const CUDA_MEMCPY3D& of, cudaMemcpy3DParms& copy);

}  // namespace bankproof::cuda::driver
