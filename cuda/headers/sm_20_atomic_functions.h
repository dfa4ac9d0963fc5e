// Atomic functions of device code; cuda_runtime.h already has them.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
