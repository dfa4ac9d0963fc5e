// Cooperative groups (Programming Guide, "Cooperative Groups"): the block, tiles of a warp,
// coalesced groups, and the grid.
//
// Left out: clusters, multi-grids and tiles larger than a warp. Partitions whose size is known only
// at run time are coalesced groups here.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
#include "parts/groups.h"
