// The part of CUDA that golden kernels need if clang compiles them without the toolkit's headers
// (-nocudainc): the attributes, the built-in variables and the few functions that they call.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct float4 {
  float x, y, z, w;
} __attribute__((aligned(16)));

// The x and y of a special register.
template <int (*read_x)(), int (*read_y)()>
struct SpecialRegister {
  struct X {
    __device__ operator int() const { return read_x(); }
  } x;
  struct Y {
    __device__ operator int() const { return read_y(); }
  } y;
};

__device__ inline int tid_x() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline int tid_y() { return __nvvm_read_ptx_sreg_tid_y(); }
__device__ inline int ctaid_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__device__ inline int ctaid_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
__device__ inline int ntid_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
__device__ inline int ntid_y() { return __nvvm_read_ptx_sreg_ntid_y(); }

#define threadIdx (SpecialRegister<tid_x, tid_y>{})
#define blockIdx (SpecialRegister<ctaid_x, ctaid_y>{})
#define blockDim (SpecialRegister<ntid_x, ntid_y>{})

__device__ inline float __shfl_down_sync(unsigned mask, float value, int delta) {
  return __nvvm_shfl_sync_down_f32(mask, value, delta, 31);
}
__device__ inline int atomicAdd(int* address, int value) {
  return __nvvm_atom_add_gen_i(address, value);
}
