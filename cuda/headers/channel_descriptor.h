// Channels of texels; cuda_runtime_api.h already has them.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"
