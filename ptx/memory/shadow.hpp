// Shadow: the engine's knowledge of a memory's bytes besides their values.
//
//   bit of a byte            whether the byte was written                written_bytes.hpp
//   two records of a sector  the last write and the last reads of it     race_records.hpp;
//                            of a buffer, by each worker                 worker_records.hpp
//   history of a memory      what no record can hold: the accesses to watched words one by one, and
//                            what strong writes published
//
// The shadow of shared memory is in BlockMemory, that of a buffer in Buffer. Local memory has only
// the bits of its bytes, in LocalMemory. Memory that kernels only read has no shadow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../races/publications.hpp"
#include "../races/watch.hpp"
#include "worker_records.hpp"
#include "written_bytes.hpp"
#include "zeroed_array.hpp"

namespace bankproof::ptx {

/// The history of a block's shared memory, or of all global memory.
struct History {
  Publications published;
  WatchedWords watched;  // by offset in shared memory, or by generic address
};

/// The shadow of the shared memory of a block.
struct SharedShadow {
  std::vector<SectorLine> lines;  // the last line may be cut off
  std::vector<SplitSector> split;
  WrittenBytes written;
  History history;

  /// Prepares the shadow for a block that begins; `watched` are the offsets of the watched words.
  /// If `follows`, all records in the shadow are of earlier warps and can stay.
  void reset(std::uint32_t bytes, bool follows, const std::vector<std::uint64_t>& watched);
  RaceRecords records() { return {lines.data(), split.data()}; }
};

/// The shadow of a buffer; it lives across launches.
struct BufferShadow {
  BufferShadow() = default;
  BufferShadow(std::uint64_t bytes, bool all_written);

  // The records of each worker (worker_records.hpp). One worker is enough for most launches.
  std::vector<WorkerRecords> of_workers = std::vector<WorkerRecords>(1);
  bool defined = true;         // all bytes have been written
  WrittenBytes written;        // which bytes have been written, unless all have
  std::uint64_t missing = 0;   // a byte that was not written the last time somebody looked
  bool has_published = false;  // a release wrote here in this launch
};

/// The shadow of one memory, as an access sees it.
struct Shadow {
  RaceRecords records;              // null if threads share no bytes that they can write
  WrittenBytes* written = nullptr;  // null if all bytes were written
  History* history = nullptr;       // null if `records` is
  bool* has_published = nullptr;    // BufferShadow::has_published; null for shared memory
};

}  // namespace bankproof::ptx
