// Asynchronous copies: only the primitives of the toolkit's header of this name.
#pragma once
#pragma GCC system_header

#include "cuda_pipeline_primitives.h"
