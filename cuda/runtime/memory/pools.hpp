// What memory pools know of the memory that is allocated from them.
#pragma once

#include <cstdint>

#include "../../headers/cuda_runtime_api.h"

namespace bankproof::cuda {

/// Memory of the pool is allocated now, or freed if `bytes` is negative.
void count_in_pool(cudaMemPool_t pool, std::int64_t bytes);

}  // namespace bankproof::cuda
