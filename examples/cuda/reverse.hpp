// A project's own kernel, for host code and tests.
#pragma once

#include <cuda_runtime_api.h>

/// Reverses each group of 128 consecutive numbers of `in`, whose size is a multiple of 128. The
/// arrays do not overlap.
void reverse_blocks(const int* in, int* out, unsigned blocks, cudaStream_t stream = nullptr);
