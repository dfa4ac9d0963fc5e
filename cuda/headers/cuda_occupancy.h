// Thrust 1.17 includes this header and uses nothing of it. The functions that compute occupancies from
// properties of devices (cudaOcc…) are not here; cudaOccupancyMaxActiveBlocksPerMultiprocessor is.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"
