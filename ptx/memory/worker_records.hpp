// Launches on several workers: each worker records in records of its own, and an access waits for
// no other worker. After the launch, the records of the workers are compared.
//
// Blocks run on several workers only if they do not communicate. Then nothing orders an access of
// one worker before an access of another, so that any two that conflict race. Such a race is not
// reported from these records: the launch is repeated on one worker, as any launch with a fault.
// Host threads race with one another only where the kernel's blocks do.
#pragma once

#include <cstdint>
#include <vector>

#include "../races/clock.hpp"
#include "footprint.hpp"
#include "race_records.hpp"
#include "zeroed_array.hpp"

namespace bankproof::ptx {

struct LaunchMemory;
class GlobalMemory;

/// The records that one worker has of one buffer. They are made when the worker first touches the
/// buffer.
struct WorkerRecords {
  static constexpr std::uint64_t page_bytes = 4096;

  /// The last launches that have read and written a page of the buffer, by their first warps.
  struct PageUse {
    WarpNumber read = 0;
    WarpNumber written = 0;
  };

  ZeroedArray<SectorLine> lines;  // the last line may be cut off
  ZeroedArray<SplitSector> split;
  std::vector<PageUse> pages;  // empty unless a launch has used several workers

  bool made() const { return lines.size() != 0; }
  /// `bytes`: of the buffer.
  RaceRecords of(std::uint64_t bytes) {
    if (lines.size() == 0) [[unlikely]]
      make(bytes);
    return {lines.data(), split.data()};
  }
  /// Notes that the launch with this first warp reads or writes the page.
  void use(std::uint64_t page, WarpNumber launch, bool writes, std::uint64_t bytes) {
    if (pages.empty()) [[unlikely]]
      make_pages(bytes);
    PageUse& known = pages[page];
    if (known.read == 0 && known.written == 0) [[unlikely]]
      provide_after(page, bytes);
    (writes ? known.written : known.read) = launch;
  }
  /// Whether all these pages are noted so.
  bool uses(const LaneAddresses& at, WarpNumber launch, bool writes) const {
    if (pages.empty()) return false;
    bool all = true;
    for (const std::uint64_t offset : at) {
      const PageUse& known = pages[offset / page_bytes];
      all &= (writes ? known.written : known.read) == launch;
    }
    return all;
  }
  /// Forgets everything.
  void clear();

 private:
  void make(std::uint64_t bytes);
  void make_pages(std::uint64_t bytes);
  void provide_after(std::uint64_t page, std::uint64_t bytes);
};

/// Makes room for the records of this many workers, before the last of them begins.
void make_records(GlobalMemory& memory, std::size_t workers);

/// Whether accesses of two workers of the launch that has just ended conflict.
bool workers_conflict(const LaunchMemory& launch);

}  // namespace bankproof::ptx
