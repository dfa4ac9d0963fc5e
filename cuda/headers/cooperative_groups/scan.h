// inclusive_scan() and exclusive_scan() over a tile or a coalesced group, by shuffles. The
// operation has to be associative and need not commute.
#pragma once
#pragma GCC system_header

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
BANKPROOF_DEVICE T inclusive_scan(const Group& group, T value, Operation operation) {
  const unsigned int rank = group.thread_rank();
  for (unsigned int offset = 1; offset < group.size(); offset *= 2) {
    const T before = group.shfl_up(value, offset);
    if (rank >= offset) value = operation(before, value);
  }
  return value;
}
template <class Group, class T>
BANKPROOF_DEVICE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// The first lane gets T().
template <class Group, class T, class Operation>
BANKPROOF_DEVICE T exclusive_scan(const Group& group, T value, Operation operation) {
  const T sum = inclusive_scan(group, value, operation);
  const T before = group.shfl_up(sum, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
BANKPROOF_DEVICE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
