// Oracle for contiguous access (MOD 3, HMM IV; docs/model.md, rules 4 and 5). The oracle says which
// thread touches which word at which time, and how long the accesses take on a DMM or a UMM,
// overlapped and in lockstep. It also says what a contiguous copy writes. Each step accesses all
// arrays, one after the other; a copy accesses two arrays, the source first.
//
// It must stay slow and plain: it counts times dispatch by dispatch and round by round. It computes
// no quotient n/p or p/w, so it does not share the mistakes of the closed forms that it judges. It
// assumes nothing: n, p and w need not divide each other, and arrays may start anywhere.
//
// Example: n = 8 words, p = 4 threads, w = 2, l = 3. Overlapped, W(0) is dispatched at 0, W(1) at
// 1, W(0) again at 3, W(1) at 4; the last access completes at 7. In lockstep, two rounds of 2 + 3 −
// 1 take 8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "stages.hpp"

namespace bankproof::oracle {

struct ContiguousAccess {
  enum class Memory { dmm, umm };

  Memory memory = Memory::dmm;
  std::uint64_t words = 0;                  ///< n, of each array
  std::uint64_t threads = 1;                ///< p
  std::uint64_t width = 1;                  ///< w
  std::uint64_t latency = 1;                ///< l
  std::vector<std::uint64_t> arrays = {0};  ///< the first address of each
};

/// In step t, thread i accesses word p·t + i of the array. A thread whose word lies past the end of
/// the array is masked.
inline Addresses contiguous_addresses(const ContiguousAccess& access, std::uint64_t array,
                                      std::uint64_t step, std::uint64_t warp) {
  Addresses addresses;
  for (std::uint64_t lane = 0; lane < access.width; ++lane) {
    const std::uint64_t thread = warp * access.width + lane;
    if (thread >= access.threads) break;
    const std::uint64_t word = access.threads * step + thread;
    addresses.push_back(word < access.words ? std::optional(array + word) : std::nullopt);
  }
  return addresses;
}

inline std::uint64_t number_of_warps(const ContiguousAccess& access) {
  std::uint64_t warps = 0;
  while (warps * access.width < access.threads) ++warps;
  return warps;
}

inline std::uint64_t contiguous_stages(const ContiguousAccess& access, std::uint64_t array,
                                       std::uint64_t step, std::uint64_t warp) {
  const Addresses addresses = contiguous_addresses(access, array, step, warp);
  return access.memory == ContiguousAccess::Memory::dmm ? dmm_stages(addresses, access.width).count
                                                        : umm_stages(addresses, access.width).count;
}

/// Every warp makes its access in turn; then all wait until the last access completes.
inline std::uint64_t contiguous_time_lockstep(const ContiguousAccess& access) {
  std::uint64_t time = 0;
  for (std::uint64_t step = 0; step * access.threads < access.words; ++step) {
    for (std::uint64_t array : access.arrays) {
      std::uint64_t stages = 0;
      for (std::uint64_t warp = 0; warp < number_of_warps(access); ++warp) {
        stages += contiguous_stages(access, array, step, warp);
      }
      if (stages > 0) time += stages + access.latency - 1;
    }
  }
  return time;
}

/// Warps become ready again in the order in which they were dispatched. So the round robin serves
/// them in this order, and the loop below follows it.
inline std::uint64_t contiguous_time_overlapped(const ContiguousAccess& access) {
  std::uint64_t port_free_at = 0;
  std::uint64_t last_completes_at = 0;
  std::vector<std::uint64_t> ready_at(number_of_warps(access), 0);
  for (std::uint64_t step = 0; step * access.threads < access.words; ++step) {
    for (std::uint64_t array : access.arrays) {
      for (std::uint64_t warp = 0; warp < ready_at.size(); ++warp) {
        const std::uint64_t stages = contiguous_stages(access, array, step, warp);
        if (stages == 0) continue;
        port_free_at = std::max(port_free_at, ready_at[warp]) + stages;
        ready_at[warp] = port_free_at + access.latency - 1;
        last_completes_at = std::max(last_completes_at, ready_at[warp]);
      }
    }
  }
  return last_completes_at;
}

/// The copy of an array, word by word.
template <typename T>
std::vector<T> copied(const std::vector<T>& source) {
  std::vector<T> destination(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) destination[i] = source[i];
  return destination;
}

}  // namespace bankproof::oracle
