// Asynchronous copies; of the toolkit's header of this name the primitives.
#pragma once
#pragma GCC system_header

#include "cuda_pipeline_primitives.h"
