// The publications of strong writes: the release patterns that a strong read can see (PTX ISA,
// "Release and Acquire Patterns").
//
// A publication belongs to the element that was written. It ends when any other write touches one
// of the element's bytes. A read-modify-write keeps the publication that it finds and adds its own,
// if it and the write before it are morally strong. A strong write that is no read-modify-write
// publishes only what its own thread has released at the element.
//
// What arrivals at an mbarrier publish can be seen only by tests after the end of their phase: an
// earlier test has not waited for these arrivals.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "clock.hpp"

namespace bankproof::ptx {

struct Publication {
  std::uint32_t bytes = 0;
  // The last write of the element: the first warp of its block, and whether its scope was the
  // device.
  WarpNumber written_by = 0;
  bool written_to_device = false;
  Clock device;  // published for all threads
  // For each block, by its first warp, the events that its writes published for its own threads, in
  // the scope of the block or of the device.
  std::unordered_map<WarpNumber, Clock> block;
  // Published for threads that execute a fence.sc: see LaneClocks::sequential.
  Clock sequential;

  /// Whether the last write and an access by the block with first warp `reader` are each in the
  /// scope of the other.
  /// `of_device` says that the access has the scope of the device.
  bool reaches(WarpNumber reader, bool of_device) const {
    return reader == written_by || (of_device && written_to_device);
  }
  /// Adds the publication of the next write of the element.
  void join(const Publication& next);
};

class Publications {
 public:
  bool empty() const { return of_.empty() && arrived_.empty(); }
  void clear();
  /// The publication of the element with that address and size; null if nothing was published
  /// there.
  const Publication* find(std::uint64_t address, std::uint32_t bytes) const;
  /// Replaces what was published at the element.
  void put(std::uint64_t address, Publication publication);
  /// Adds to the publication, as a read-modify-write does. If the last write and this write are not
  /// each in the scope of the other, replaces the publication.
  void add(std::uint64_t address, const Publication& publication);
  /// add() for an arrival at an mbarrier; `completes` says that the arrival is the last of its
  /// phase.
  void arrive(std::uint64_t address, const Publication& publication, bool completes);
  /// Ends each publication whose element overlaps [address, address + bytes).
  void end(std::uint64_t address, std::uint32_t bytes);

 private:
  using Elements = std::unordered_map<std::uint64_t, Publication>;
  static void add_to(Elements& elements, std::uint64_t address, const Publication& publication);
  static void end_in(Elements& elements, std::uint64_t address, std::uint32_t bytes);

  Elements of_;
  Elements arrived_;  // by arrivals in phases that are not complete
};

}  // namespace bankproof::ptx
