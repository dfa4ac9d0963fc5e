// What strong writes published: the release patterns that a strong read can see (PTX ISA, "Release
// and Acquire Patterns").
//
// A publication belongs to the element that was written, and ends when anything else writes to one
// of its bytes. A read-modify-write hands on what was there and adds its own.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "clock.hpp"

namespace bankproof::ptx {

struct Publication {
  std::uint32_t bytes = 0;
  Clock device;  // for all threads
  // For threads of the block with that number, which published it: with the scope of the block too.
  std::unordered_map<std::uint64_t, Clock> block;
  // For those that fence with fence.sc: see LaneClocks::sequential.
  Clock sequential;

  void join(const Publication& other);
};

class Publications {
 public:
  bool empty() const { return of_.empty(); }
  void clear() { of_.clear(); }
  /// Of the element with that address and size; null if nothing was published there.
  const Publication* find(std::uint64_t address, std::uint32_t bytes) const;
  /// Replaces what was published at the element.
  void put(std::uint64_t address, Publication publication);
  /// Adds to it, as a read-modify-write does.
  void add(std::uint64_t address, const Publication& publication);
  /// Ends the publications that lie in [address, address + bytes), even if only in part.
  void end(std::uint64_t address, std::uint32_t bytes);

 private:
  std::unordered_map<std::uint64_t, Publication> of_;
};

}  // namespace bankproof::ptx
