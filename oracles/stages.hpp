// Oracle for the cost of one access: how many stages it takes on a DMM and on a UMM, and which
// stage serves which thread (docs/model.md, rules 2 and 3; THS 3.1 and 3.2, MOD 2, HMM II).
//
// It queues the requests of a warp one by one, and the memory serves them one time unit after the
// other. It must stay this slow and plain: no counting, no sorting, no bit masks. A reader who
// knows the definition must recognize it here.
//
// Example, width 4, threads 0 to 3 at addresses 7, 5, 15, 0: 7 and 15 lie in bank 3, so a DMM
// serves 7, 5 and 0 in stage 0 and 15 in stage 1; a UMM serves group 1 (7, 5), then 3, then 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <vector>

namespace bankproof::oracle {

/// One address for each thread of the warp, in thread order; nothing for a masked thread.
using Addresses = std::vector<std::optional<std::uint64_t>>;

struct Stages {
  std::uint64_t count = 0;
  /// The stage that serves each thread, from 0; nothing for a masked thread.
  std::vector<std::optional<std::uint64_t>> of_lane;
};

/// Waiting addresses, in the order of the first thread that asks for each.
using WaitingAddresses = std::deque<std::uint64_t>;

/// A request joins the queue unless its address already waits in the queue: requests to one address
/// merge.
inline void enqueue(WaitingAddresses& queue, std::uint64_t address) {
  for (std::uint64_t waiting : queue) {
    if (waiting == address) return;
  }
  queue.push_back(address);
}

/// This stage serves every thread that asked for this address.
inline void serve(const Addresses& addresses, std::uint64_t address, std::uint64_t stage,
                  Stages& stages) {
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    if (addresses[lane] == address) stages.of_lane[lane] = stage;
  }
}

inline void require_width(std::uint64_t width) {
  if (width == 0) throw std::runtime_error("oracle: width 0");
}

/// A DMM: in a time unit each bank (address mod width) serves the next address of its own queue.
inline Stages dmm_stages(const Addresses& addresses, std::uint64_t width) {
  require_width(width);
  std::vector<WaitingAddresses> queue_of_bank(width);
  std::uint64_t waiting = 0;
  for (const auto& address : addresses) {
    if (address) enqueue(queue_of_bank[*address % width], *address);
  }
  for (const auto& queue : queue_of_bank) waiting += queue.size();

  Stages stages{0, std::vector<std::optional<std::uint64_t>>(addresses.size())};
  for (; waiting > 0; ++stages.count) {
    for (auto& queue : queue_of_bank) {
      if (queue.empty()) continue;
      serve(addresses, queue.front(), stages.count, stages);
      queue.pop_front();
      --waiting;
    }
  }
  return stages;
}

/// A UMM: each time unit serves the first waiting address and every waiting address of the same
/// group (address div width).
inline Stages umm_stages(const Addresses& addresses, std::uint64_t width) {
  require_width(width);
  WaitingAddresses queue;
  for (const auto& address : addresses) {
    if (address) enqueue(queue, *address);
  }

  Stages stages{0, std::vector<std::optional<std::uint64_t>>(addresses.size())};
  for (; !queue.empty(); ++stages.count) {
    const std::uint64_t group = queue.front() / width;
    WaitingAddresses other_groups;
    for (std::uint64_t address : queue) {
      if (address / width == group) {
        serve(addresses, address, stages.count, stages);
      } else {
        other_groups.push_back(address);
      }
    }
    queue = other_groups;
  }
  return stages;
}

}  // namespace bankproof::oracle
