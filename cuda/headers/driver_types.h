// The types of CUDA's runtime API.
#pragma once
#pragma GCC system_header

#include "parts/runtime_types.h"
