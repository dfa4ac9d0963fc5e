// All types of CUDA's runtime API, and the vector types.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"
