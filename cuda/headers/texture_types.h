// Types of textures and surfaces; cuda_runtime_api.h already declares them.
#pragma once
#pragma GCC system_header

#include "parts/texture_types.h"
