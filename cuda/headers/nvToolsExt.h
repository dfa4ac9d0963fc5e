// NVTX by the name that it had before version 3.
#pragma once
#pragma GCC system_header

#include "nvtx3/nvToolsExt.h"
