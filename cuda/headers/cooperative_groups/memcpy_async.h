// memcpy_async(): the threads of a group share one copy. Each call makes one cp.async group in each
// thread. After wait() or wait_prior(), every thread sees what all threads copied.
//
// cp.async copies pieces of 4, 8 and 16 bytes from global to shared memory. Other pieces, and
// copies between other memories, are copied by ordinary loads and stores at once.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace bankproof_parts {

template <class Piece, class Group>
BANKPROOF_DEVICE void copy_pieces(const Group& group, void* to, const void* from,
                                  unsigned long long bytes) {
  const bool asynchronous = sizeof(Piece) >= 4 && __isShared(to) && __isGlobal(from);
  for (unsigned long long k = group.thread_rank(); k < bytes / sizeof(Piece); k += group.size()) {
    if (asynchronous) {
      __pipeline_memcpy_async(static_cast<Piece*>(to) + k, static_cast<const Piece*>(from) + k,
                              sizeof(Piece));
    } else {
      static_cast<Piece*>(to)[k] = static_cast<const Piece*>(from)[k];
    }
  }
}

}  // namespace bankproof_parts

namespace cooperative_groups {

/// Copies in the largest pieces whose size divides both addresses and the number of bytes.
template <class Group, class Element, class Size>
BANKPROOF_DEVICE void memcpy_async(const Group& group, Element* to, const Element* from,
                                   const Size& size) {
  const unsigned long long bytes = size;
  const unsigned long long all =
      reinterpret_cast<unsigned long long>(to) | reinterpret_cast<unsigned long long>(from) | bytes;
  if (all % 16 == 0) {
    bankproof_parts::copy_pieces<uint4>(group, to, from, bytes);
  } else if (all % 8 == 0) {
    bankproof_parts::copy_pieces<uint2>(group, to, from, bytes);
  } else if (all % 4 == 0) {
    bankproof_parts::copy_pieces<unsigned int>(group, to, from, bytes);
  } else {
    bankproof_parts::copy_pieces<unsigned char>(group, to, from, bytes);
  }
  __pipeline_commit();
}

/// Copies `size` elements, but at most `room` elements.
template <class Group, class Element, class Room, class Size>
BANKPROOF_DEVICE void memcpy_async(const Group& group, Element* to, const Room& room,
                                   const Element* from, const Size& size) {
  const unsigned long long most = room;
  const unsigned long long there = size;
  memcpy_async(group, to, from, (most < there ? most : there) * sizeof(Element));
}

template <class Group>
BANKPROOF_DEVICE void wait(const Group& group) {
  __pipeline_wait_prior(0);
  group.sync();
}
/// Waits until all but the last `stages` calls are complete.
template <unsigned int stages, class Group>
BANKPROOF_DEVICE void wait_prior(const Group& group) {
  __pipeline_wait_prior(stages);
  group.sync();
}

}  // namespace cooperative_groups
