// BANKPROOF_HOST_DEVICE marks the functions that kernels also call: address maps and their
// arithmetic. nvcc compiles an unmarked constexpr function for the host only. For a plain C++
// compiler the mark is empty.
//
// Example: `BANKPROOF_HOST_DEVICE constexpr N diagonal(const N& i, const N& j, const N& w)`.
#pragma once

#ifdef __CUDACC__
#define BANKPROOF_HOST_DEVICE __host__ __device__
#else
#define BANKPROOF_HOST_DEVICE
#endif
