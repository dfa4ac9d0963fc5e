// CUDA's keywords.
#pragma once
#pragma GCC system_header

#include "../parts/attributes.h"
