// BANKPROOF_HOST_DEVICE marks the functions that kernels call, too: address maps and their
// arithmetic. To nvcc a constexpr function is the host's alone, unless it says otherwise; to a
// compiler of plain C++ the mark is nothing.
//
// Example: `BANKPROOF_HOST_DEVICE constexpr N diagonal(const N& i, const N& j, const N& w)`.
#pragma once

#ifdef __CUDACC__
#define BANKPROOF_HOST_DEVICE __host__ __device__
#else
#define BANKPROOF_HOST_DEVICE
#endif
