// Functions of textures and surfaces; cuda_runtime.h already declares them.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
