// Launches kernel<<<...>>>() of programs whose default streams are per thread.
//
// The function that clang makes for a kernel calls cudaLaunchKernel, whatever macros say. In files
// of such programs, this name is a function of the file, which launches in the thread's stream; all
// other calls go to the library by the name that per_thread.h gives them. As with nvcc, the macro
// has to be defined on the command line: the compiler reads this header before the file.
#pragma once
#pragma GCC system_header

#include "../vector_types.h"
#include "runtime_types.h"

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && defined(__CUDA__) && !defined(__CUDA_ARCH__)
extern "C" cudaError_t cudaLaunchKernel_ptsz(const void* kernel, dim3 grid, dim3 block,
                                             void** arguments, size_t shared, cudaStream_t stream);
static cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) __asm__("cudaLaunchKernel")
    __attribute__((used, nodebug));
static cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel_ptsz(kernel, grid, block, arguments, shared, stream);
}
#endif
