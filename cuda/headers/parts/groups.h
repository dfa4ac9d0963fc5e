// The classes of groups; see cooperative_groups.h.
#pragma once
#pragma GCC system_header

#include "block.h"
#include "integers.h"
#include "registers.h"
#include "warp.h"

namespace bankproof_parts {

BANKPROOF_DEVICE unsigned int rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
BANKPROOF_DEVICE unsigned int lane() {
  return static_cast<unsigned int>(__nvvm_read_ptx_sreg_laneid());
}

/// The number of arrivals of blocks at the grid's barrier, summed over all uses of the barrier. The
/// struct is a template, so that only programs that use the barrier contain the counter.
template <class Unused>
struct GridBarrier {
  static __device__ unsigned int arrived;
};
template <class Unused>
__device__ unsigned int GridBarrier<Unused>::arrived = 0;

/// Every block waits for all others. In each use of the barrier, each block adds 1 to the counter,
/// which never decreases. A use ends when the counter reaches the next multiple of the number of
/// blocks. The fences order all writes before the barrier before all reads after it.
BANKPROOF_DEVICE void grid_barrier() {
  __syncthreads();
  if (rank_in_block() == 0) {
    const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
    unsigned int* const arrived = &GridBarrier<void>::arrived;
    __threadfence();
    const unsigned int ticket =
        static_cast<unsigned int>(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(arrived), 1));
    const unsigned int goal = ticket - ticket % blocks + blocks;
    while (static_cast<int>(*const_cast<volatile unsigned int*>(arrived) - goal) < 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

}  // namespace bankproof_parts

namespace cooperative_groups {

#define BANKPROOF_MEMBER __device__ __inline__ __attribute__((always_inline, nodebug))

/// All threads of the block.
class thread_block {
 public:
  BANKPROOF_MEMBER static void sync() { __syncthreads(); }
  BANKPROOF_MEMBER static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  BANKPROOF_MEMBER static unsigned int num_threads() { return size(); }
  BANKPROOF_MEMBER static unsigned int thread_rank() { return bankproof_parts::rank_in_block(); }
  BANKPROOF_MEMBER static dim3 group_index() { return blockIdx; }
  BANKPROOF_MEMBER static dim3 thread_index() { return threadIdx; }
  BANKPROOF_MEMBER static dim3 group_dim() { return blockDim; }
  BANKPROOF_MEMBER static dim3 dim_threads() { return blockDim; }
};
BANKPROOF_DEVICE thread_block this_thread_block() { return thread_block(); }

/// All threads of the launch. sync() waits for all blocks, which must all be resident at once.
class grid_group {
 public:
  BANKPROOF_MEMBER static void sync() { bankproof_parts::grid_barrier(); }
  BANKPROOF_MEMBER static bool is_valid() { return true; }
  BANKPROOF_MEMBER static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  BANKPROOF_MEMBER static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  BANKPROOF_MEMBER static unsigned long long size() { return num_blocks() * thread_block::size(); }
  BANKPROOF_MEMBER static unsigned long long num_threads() { return size(); }
  BANKPROOF_MEMBER static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  BANKPROOF_MEMBER static dim3 group_dim() { return gridDim; }
  BANKPROOF_MEMBER static dim3 dim_blocks() { return gridDim; }
  BANKPROOF_MEMBER static dim3 block_index() { return blockIdx; }
};
BANKPROOF_DEVICE grid_group this_grid() { return grid_group(); }

/// Lanes of one warp: bit i of the mask stands for lane i. A lane's rank is the number of lower
/// lanes in the group.
class coalesced_group {
  friend class lanes_of_group;

 public:
  BANKPROOF_MEMBER explicit coalesced_group(unsigned int mask) : mask_(mask) {}
  BANKPROOF_MEMBER void sync() const { __syncwarp(mask_); }
  BANKPROOF_MEMBER unsigned int size() const { return static_cast<unsigned int>(__popc(mask_)); }
  BANKPROOF_MEMBER unsigned int num_threads() const { return size(); }
  BANKPROOF_MEMBER unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(mask_ & ((1U << bankproof_parts::lane()) - 1U)));
  }
  template <class T>
  BANKPROOF_MEMBER T shfl(T value, unsigned int rank) const {
    return __shfl_sync(mask_, value, lane_of(rank % size()));
  }
  /// The value of the lane whose rank is lower by `delta` or, if no lane has that rank, the
  /// thread's own value. In shfl_down(), the rank is higher by `delta`.
  template <class T>
  BANKPROOF_MEMBER T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, value, lane_of(rank < delta ? rank : rank - delta));
  }
  template <class T>
  BANKPROOF_MEMBER T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, value, lane_of(rank + delta < size() ? rank + delta : rank));
  }
  BANKPROOF_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
  BANKPROOF_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
  BANKPROOF_MEMBER unsigned int ballot(int predicate) const {
    const unsigned int lanes = __ballot_sync(mask_, predicate);
    unsigned int ranks = 0;
    unsigned int rank = 0;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      if ((lanes & rest & (0U - rest)) != 0) ranks |= 1U << rank;
    }
    return ranks;
  }

 private:
  BANKPROOF_MEMBER int lane_of(unsigned int rank) const {
    unsigned int rest = mask_;
    for (unsigned int i = 0; i < rank; ++i) rest &= rest - 1;
    return __ffs(static_cast<int>(rest)) - 1;
  }
  unsigned int mask_;
};
BANKPROOF_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int width, class Parent>
class thread_block_tile;

/// The thread's rank in the parent of a tile, and the parent's size. Without a given parent, it is
/// the block.
template <class Parent>
struct parent_of_tile {
  BANKPROOF_MEMBER static unsigned int thread_rank() { return bankproof_parts::rank_in_block(); }
  BANKPROOF_MEMBER static unsigned int size() { return thread_block::size(); }
};
template <unsigned int width, class Parent>
struct parent_of_tile<thread_block_tile<width, Parent>> {
  BANKPROOF_MEMBER static unsigned int thread_rank() {
    return bankproof_parts::rank_in_block() & (width - 1);
  }
  BANKPROOF_MEMBER static unsigned int size() { return width; }
};

/// `width` consecutive lanes of a warp. The warp's first tile begins at its first lane.
template <unsigned int width, class Parent = void>
class thread_block_tile {
  static_assert(width >= 1 && width <= 32 && (width & (width - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads in bankproof's cooperative groups");
  friend class lanes_of_group;

 public:
  BANKPROOF_MEMBER thread_block_tile() {}
  /// Functions take tiles without a parent, such as thread_block_tile<16>; any tile converts to
  /// such a tile.
  template <class Other>
  BANKPROOF_MEMBER thread_block_tile(const thread_block_tile<width, Other>&) {
    static_assert(__is_same(Parent, void),
                  "a tile converts only to thread_block_tile<N>, without a parent type");
  }
  BANKPROOF_MEMBER void sync() const { __syncwarp(mask()); }
  BANKPROOF_MEMBER static constexpr unsigned int size() { return width; }
  BANKPROOF_MEMBER static constexpr unsigned int num_threads() { return width; }
  BANKPROOF_MEMBER unsigned int thread_rank() const {
    return bankproof_parts::rank_in_block() & (width - 1);
  }
  BANKPROOF_MEMBER unsigned int meta_group_rank() const {
    return parent_of_tile<Parent>::thread_rank() / width;
  }
  BANKPROOF_MEMBER unsigned int meta_group_size() const {
    return (parent_of_tile<Parent>::size() + width - 1) / width;
  }
  template <class T>
  BANKPROOF_MEMBER T shfl(T value, int rank) const {
    return __shfl_sync(mask(), value, rank, width);
  }
  template <class T>
  BANKPROOF_MEMBER T shfl_up(T value, unsigned int delta) const {
    return __shfl_up_sync(mask(), value, delta, width);
  }
  template <class T>
  BANKPROOF_MEMBER T shfl_down(T value, unsigned int delta) const {
    return __shfl_down_sync(mask(), value, delta, width);
  }
  template <class T>
  BANKPROOF_MEMBER T shfl_xor(T value, unsigned int other) const {
    return __shfl_xor_sync(mask(), value, static_cast<int>(other), width);
  }
  BANKPROOF_MEMBER int any(int predicate) const { return __any_sync(mask(), predicate); }
  BANKPROOF_MEMBER int all(int predicate) const { return __all_sync(mask(), predicate); }
  BANKPROOF_MEMBER unsigned int ballot(int predicate) const {
    return (__ballot_sync(mask(), predicate) & mask()) >> first();
  }
  template <class T>
  BANKPROOF_MEMBER unsigned int match_any(T value) const {
    return (__match_any_sync(mask(), value) & mask()) >> first();
  }

 private:
  BANKPROOF_MEMBER unsigned int first() const { return bankproof_parts::lane() & ~(width - 1); }
  BANKPROOF_MEMBER unsigned int mask() const {
    return (width == 32 ? 0xffffffffU : (1U << (width & 31U)) - 1U) << first();
  }
};

/// Gives the lanes of a group that is part of a warp.
class lanes_of_group {
 public:
  BANKPROOF_MEMBER static unsigned int mask(const coalesced_group& group) { return group.mask_; }
  template <unsigned int width, class Parent>
  BANKPROOF_MEMBER static unsigned int mask(const thread_block_tile<width, Parent>& tile) {
    return tile.mask();
  }
};

/// The block, or lanes of one warp, for functions that take either.
class thread_group {
 public:
  BANKPROOF_MEMBER thread_group(const thread_block&) : mask_(0) {}
  BANKPROOF_MEMBER thread_group(const coalesced_group& group)
      : mask_(lanes_of_group::mask(group)) {}
  template <unsigned int width, class Parent>
  BANKPROOF_MEMBER thread_group(const thread_block_tile<width, Parent>& tile)
      : mask_(lanes_of_group::mask(tile)) {}
  BANKPROOF_MEMBER void sync() const {
    if (mask_ == 0) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  BANKPROOF_MEMBER unsigned int size() const {
    return mask_ == 0 ? thread_block::size() : coalesced_group(mask_).size();
  }
  BANKPROOF_MEMBER unsigned int num_threads() const { return size(); }
  BANKPROOF_MEMBER unsigned int thread_rank() const {
    return mask_ == 0 ? thread_block::thread_rank() : coalesced_group(mask_).thread_rank();
  }

 private:
  unsigned int mask_;  // 0: the block
};

template <unsigned int width, class Parent>
BANKPROOF_DEVICE thread_block_tile<width, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<width, Parent>();
}

/// The `width` consecutive lanes of the thread's warp that contain the thread.
BANKPROOF_DEVICE coalesced_group tiled_partition(const thread_block&, unsigned int width) {
  const unsigned int first = bankproof_parts::lane() & ~(width - 1);
  return coalesced_group((width >= 32 ? 0xffffffffU : (1U << width) - 1U) << first);
}

/// The threads of a group within a warp that have the same integer label as this thread.
template <class Group, class Label>
BANKPROOF_DEVICE coalesced_group labeled_partition(const Group& group, Label label) {
  static_assert(__is_integral(Label), "labels are integers");
  return coalesced_group(
      __match_any_sync(lanes_of_group::mask(group), static_cast<unsigned long long>(label)));
}

/// The threads of the group whose predicate has the same value as this thread's.
template <class Group>
BANKPROOF_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int all = lanes_of_group::mask(group);
  const unsigned int those = __ballot_sync(all, predicate);
  return coalesced_group(predicate ? those : all & ~those);
}

template <class Group>
BANKPROOF_DEVICE void sync(const Group& group) {
  group.sync();
}
template <class Group>
BANKPROOF_DEVICE unsigned int thread_rank(const Group& group) {
  return group.thread_rank();
}

#undef BANKPROOF_MEMBER

}  // namespace cooperative_groups
