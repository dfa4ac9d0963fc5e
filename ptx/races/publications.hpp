// What strong writes published: the release patterns that a strong read can see (PTX ISA, "Release
// and Acquire Patterns").
//
// A publication belongs to the element that was written, and ends when anything else writes to one
// of its bytes. A read-modify-write hands on what was there and adds its own, if it and the write
// before it are morally strong.
// A plain strong write hands on nothing but what its own thread has released there.
//
// What arrivals at an mbarrier publish can be seen when the phase is complete for which they are: a
// test that comes before, or that asks for another phase, has not waited for them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "clock.hpp"

namespace bankproof::ptx {

struct Publication {
  std::uint32_t bytes = 0;
  // Who wrote the element last: the block, and whether with the scope of the device.
  std::uint64_t written_by = 0;
  bool written_to_device = false;
  Clock device;  // for all threads
  // For threads of the block with that number, which published it: with the scope of the block too.
  std::unordered_map<std::uint64_t, Clock> block;
  // For those that fence with fence.sc: see LaneClocks::sequential.
  Clock sequential;

  /// Whether an access by that block, with the scope of the device or not, and the last write are
  /// each in the scope of the other.
  bool reaches(std::uint64_t reader, bool of_device) const {
    return reader == written_by || (of_device && written_to_device);
  }
  /// Adds what the next write publishes.
  void join(const Publication& next);
};

class Publications {
 public:
  bool empty() const { return of_.empty() && arrived_.empty(); }
  void clear();
  /// Of the element with that address and size; null if nothing was published there.
  const Publication* find(std::uint64_t address, std::uint32_t bytes) const;
  /// Replaces what was published at the element.
  void put(std::uint64_t address, Publication publication);
  /// Adds to it, as a read-modify-write does; replaces it if that is out of its reach.
  void add(std::uint64_t address, const Publication& publication);
  /// The same for an arrival at an mbarrier; `completes`: it is the last one of its phase.
  void arrive(std::uint64_t address, const Publication& publication, bool completes);
  /// Ends the publications that lie in [address, address + bytes), even if only in part.
  void end(std::uint64_t address, std::uint32_t bytes);

 private:
  using Elements = std::unordered_map<std::uint64_t, Publication>;
  static void add_to(Elements& elements, std::uint64_t address, const Publication& publication);
  static void end_in(Elements& elements, std::uint64_t address, std::uint32_t bytes);

  Elements of_;
  Elements arrived_;  // for phases that are not complete
};

}  // namespace bankproof::ptx
