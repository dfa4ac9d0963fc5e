// reduce() over a tile or a coalesced group, by a tree of shuffles. The operation has to be
// associative. Every lane gets the result.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <class Group, class T, class Operation>
BANKPROOF_DEVICE T reduce(const Group& group, T value, Operation operation) {
  const unsigned int count = group.size();
  const unsigned int rank = group.thread_rank();
  for (unsigned int offset = 1; offset < count; offset *= 2) {
    const T other = group.shfl_down(value, offset);
    if (rank + offset < count) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups
