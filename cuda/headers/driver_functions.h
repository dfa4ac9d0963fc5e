// Makes positions, extents and pitched pointers; the runtime's header already has them.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"
