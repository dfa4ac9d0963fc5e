// CUDA's keywords that say where a function runs and where a variable lies (Programming Guide, "C++
// Language Extensions").
#pragma once
#pragma GCC system_header

#define __HOST_DEFINES_H__  // Thrust 1.17 removes the keywords if this is not defined
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

// Host code may be C, too, which has no default arguments, and enumerations without a type.
#ifdef __cplusplus
#define BANKPROOF_OR(value) = value
#define BANKPROOF_OF_TYPE(type) : type
#else
#define BANKPROOF_OR(value)
#define BANKPROOF_OF_TYPE(type)
#endif

// A host compiler reads only the host API, without CUDA's keywords.
#ifndef __CUDA__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define CUDARTAPI
#define CUDART_CB
#define BANKPROOF_BOTH static inline
#else

#define __CUDACC__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#ifdef __CUDA_ARCH__
#define __global__ __attribute__((global))
#else
// The host's function launches the kernel. It keeps its frame, so that launches have the caller's
// line.
#define __global__ __attribute__((global, noinline))
#endif
#define __shared__ __attribute__((shared))
// `used`, because the host may write the variable. Without `used`, clang before 19 takes a
// __constant__ variable of an unnamed namespace for one that nothing changes, and leaves it out of
// the PTX.
#define __constant__ __attribute__((constant, used))
// clang makes no managed variables, but the host's code of a program would find a variable of its
// own under the name. Code that is compiled for the device alone has no such host.
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ \
  _Pragma("GCC error \"clang makes no __managed__ variables; use cudaMallocManaged, or nvcc\"")
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Needs no attribute: such a parameter is const, and clang passes it by reference to the parameter
// space anyway.
#define __grid_constant__
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define CUDARTAPI
#define CUDART_CB
// nvcc's questions about lambdas, which it replaces by types of its own; clang's are the same on
// both sides.
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false

// The attributes of functions of these headers: BANKPROOF_DEVICE for the device, BANKPROOF_BOTH for
// host and device. The functions have no debug information, so that their inlined code has the line
// of the call.
#define BANKPROOF_DEVICE static __inline__ __attribute__((device, always_inline, nodebug, unused))
#define BANKPROOF_BOTH \
  static __inline__ __attribute__((host, device, always_inline, nodebug, unused))

#endif
