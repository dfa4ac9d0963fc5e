// The built-in variables. They are not in memory: each component reads a special register.
#pragma once
#pragma GCC system_header

#include "../vector_types.h"

// A variable whose components are the special registers tid, ctaid, ntid or nctaid.
#define BANKPROOF_SPECIAL(Type, register)                                                     \
  struct Type {                                                                               \
    static __inline__ __attribute__((device, always_inline, nodebug)) unsigned int read_x() { \
      return static_cast<unsigned int>(__nvvm_read_ptx_sreg_##register##_x());                \
    }                                                                                         \
    static __inline__ __attribute__((device, always_inline, nodebug)) unsigned int read_y() { \
      return static_cast<unsigned int>(__nvvm_read_ptx_sreg_##register##_y());                \
    }                                                                                         \
    static __inline__ __attribute__((device, always_inline, nodebug)) unsigned int read_z() { \
      return static_cast<unsigned int>(__nvvm_read_ptx_sreg_##register##_z());                \
    }                                                                                         \
    __declspec(property(get = read_x)) unsigned int x;                                        \
    __declspec(property(get = read_y)) unsigned int y;                                        \
    __declspec(property(get = read_z)) unsigned int z;                                        \
    __attribute__((device, always_inline, nodebug)) operator uint3() const {                  \
      return uint3{read_x(), read_y(), read_z()};                                             \
    }                                                                                         \
    __attribute__((device, always_inline, nodebug)) operator dim3() const {                   \
      return dim3(read_x(), read_y(), read_z());                                              \
    }                                                                                         \
    Type() = delete;                                                                          \
    Type(const Type&) = delete;                                                               \
    void operator=(const Type&) const = delete;                                               \
  };

namespace bankproof_parts {
BANKPROOF_SPECIAL(ThreadIndex, tid)
BANKPROOF_SPECIAL(BlockIndex, ctaid)
BANKPROOF_SPECIAL(BlockSize, ntid)
BANKPROOF_SPECIAL(GridSize, nctaid)
}  // namespace bankproof_parts
#undef BANKPROOF_SPECIAL

extern const __device__ bankproof_parts::ThreadIndex threadIdx;
extern const __device__ bankproof_parts::BlockIndex blockIdx;
extern const __device__ bankproof_parts::BlockSize blockDim;
extern const __device__ bankproof_parts::GridSize gridDim;
__host__ __device__ constexpr int warpSize = 32;
