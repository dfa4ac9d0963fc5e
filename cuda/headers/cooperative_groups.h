// Cooperative groups (Programming Guide, "Cooperative Groups"): the block, tiles of a warp, the
// lanes that came together, and the grid.
//
// Left out: clusters, multi-grids and tiles larger than a warp. Partitions of a group
// whose size is known at run time only are coalesced groups here.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
#include "parts/groups.h"
