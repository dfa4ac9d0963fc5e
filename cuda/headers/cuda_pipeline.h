// Asynchronous copies: the primitives of the toolkit's header of this name, not its classes.
#pragma once
#pragma GCC system_header

#include "cuda_pipeline_primitives.h"
