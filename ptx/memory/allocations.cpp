// Allocates and frees for a lane; see allocations.hpp.
#include "allocations.hpp"

#include <algorithm>

#include "access_faults.hpp"
#include "request.hpp"

namespace bankproof::ptx {
namespace {

/// Judges a store of the lane to each sector of the buffer. The last sector may end behind the
/// buffer; its records do not.
void judge_free(MemoryWarp& warp, std::uint32_t site, std::uint32_t lane, std::uint32_t index) {
  if (warp.launch->records == RaceRecording::none) return;
  static const MemoryOperands operands = [] {
    MemoryOperands store;
    store.access.operation = Operation::store;
    store.access.vector = sector_bytes / store.access.element_bytes;
    return store;
  }();
  LaneBytes values;
  Request request(warp, operands, site, Operation::store, sector_bytes, values);
  request.frees = true;
  request.lanes = LaneMask{1} << lane;
  const Memory memory = buffer_memory(warp, index);
  for (std::uint64_t at = 0; at < memory.storage.bytes; at += sector_bytes) {
    request.at.fill(at);
    check_races(request, memory, true);
  }
}

}  // namespace

std::uint64_t allocate(MemoryWarp& warp, std::uint64_t bytes) {
  const auto index = warp.launch->global->allocate_in_heap(bytes);
  if (!index) return 0;
  ++warp.worker->changes;
  return buffer_address(*index);
}

bool free_allocation(MemoryWarp& warp, std::uint32_t site, std::uint32_t lane,
                     std::uint64_t address) {
  if (address == 0) return true;
  Heap& heap = warp.launch->global->heap();
  const std::uint64_t number = address >> buffer_shift;
  if (number == 0 || !heap.has(number - 1)) return false;
  const auto index = static_cast<std::uint32_t>(number - 1);
  if (address != buffer_address(index)) return false;
  if (heap.has_freed(index)) {
    report_double_free(warp, site, lane, index);
    return true;
  }
  judge_free(warp, site, lane, index);
  heap.free(index, site);
  ++warp.worker->changes;
  return true;
}

}  // namespace bankproof::ptx
