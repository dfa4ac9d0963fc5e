// Cooperative groups (Programming Guide, "Cooperative Groups"): the block, tiles of a warp,
// coalesced groups, and the grid.
//
// Left out: clusters, multi-grids and tiles larger than a warp. If the size of a partition is known
// only at run time, the partition is a coalesced group here.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
#include "parts/groups.h"
