// The built-in variables, which the runtime's header already has.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
