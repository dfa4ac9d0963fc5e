// Performs rows; see rows.hpp.
#include "rows.hpp"

#include <cstring>
#include <mutex>
#include <optional>

#include "request.hpp"
#include "spaces.hpp"
#include "synchronization.hpp"

namespace bankproof::ptx {
namespace {

/// A row: lane l accesses `bytes` bytes from offset begin + l * bytes on.
struct Row {
  std::uint64_t begin = 0;
  std::uint32_t bytes = 0;
  std::uint64_t size() const { return std::uint64_t{warp_lanes} * bytes; }
  std::uint64_t end() const { return begin + size(); }
  bool is_within(std::uint64_t memory_bytes) const {
    return begin <= memory_bytes && memory_bytes - begin >= size();
  }
};

template <class Number>
bool are_consecutive(const Number* addresses, std::uint32_t bytes) {
  Number difference = 0;
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    difference |= addresses[lane] ^ (addresses[0] + static_cast<Number>(lane * bytes));
  }
  return difference == 0;
}

/// The address of the first lane, if the lanes access consecutive elements.
std::optional<std::uint64_t> first_address(const MemoryWarp& warp, const Op* op,
                                           const MemoryOperands& operands, std::uint32_t bytes) {
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  if (operands.wide_address) {
    const auto* const from = warp.lanes<const std::uint64_t>(operands.address);
    if (!are_consecutive(from, bytes)) return std::nullopt;
    return from[0] + offset;
  }
  const auto* const from = warp.lanes<const std::uint32_t>(operands.address);
  if (!are_consecutive(from, bytes)) return std::nullopt;
  return from[0] + static_cast<std::uint32_t>(offset);
}

/// Judges the sectors of the row from the k-th on, in which not only the usual happened.
[[gnu::noinline]] void judge_busy_sectors(Request& request, const Memory& memory,
                                          const SectorRow& row, std::size_t k) {
  const MemoryWarp& warp = request.warp;
  const Viewer viewer = viewer_of(warp, memory.space == Space::shared);
  bool has_addresses = false;
  for (; k < row.sectors(); ++k) {
    const SectorRecords sector = memory.shadow.records.sector(row.first_sector() + k);
    const SectorRecord mine = row.record(k, warp.number, warp.now);
    const bool clear = !viewer.by_words && (request.writes ? write_sector(sector, viewer, mine)
                                                           : read_sector(sector, viewer, mine));
    if (clear) continue;
    if (!has_addresses) {
      request.lanes = all_lanes;
      request.at = row_addresses(row.begin(), request.bytes);
      has_addresses = true;
    }
    check_races_by_words(request, memory, row.from(k), row.to(k));
  }
}

template <Operation operation>
void judge_row(MemoryWarp& warp, const Op* op, const MemoryOperands& operands, const Memory& memory,
               const Row& touched) {
  constexpr bool writes = operation == Operation::store;
  const std::uint64_t quiet = ShadowWord::first_of(
      memory.buffer == nullptr ? warp.block->first_warp : warp.launch->first_warp);
  const SectorRow row(touched.begin, touched.bytes);
  const bool by_words = warp.launch->records == RaceRecording::words;
  for (std::size_t k = 0; k < row.sectors(); ++k) {
    const SectorRecords sector = memory.shadow.records.sector(row.first_sector() + k);
    const SectorRecord mine = row.record(k, warp.number, warp.now);
    const bool usual = !by_words && (writes ? write_usual_sector(sector, quiet, mine)
                                            : read_usual_sector(sector, quiet, mine));
    if (usual) [[likely]]
      continue;
    LaneBytes unused;
    Request request{warp, operands, op->site, operation, touched.bytes, unused};
    judge_busy_sectors(request, memory, row, k);
    return;
  }
}

/// Moves the lanes of the registers to the memory. Returns whether a byte of the memory changed.
bool store_row(const MemoryWarp& warp, const MemoryOperands& operands, std::byte* to) {
  const std::uint32_t bytes = operands.access.element_bytes;
  const std::size_t count = operands.access.vector;
  if (count == 1) {
    const std::byte* const from = warp.frame + operands.values[0];
    const std::size_t size = warp_lanes * bytes;
    const bool changed = std::memcmp(to, from, size) != 0;
    std::memcpy(to, from, size);
    return changed;
  }
  bool changed = false;
  for (std::size_t k = 0; k < count; ++k) {
    const std::byte* const from = warp.frame + operands.values[k];
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      std::byte* const at = to + (lane * count + k) * bytes;
      changed = changed || std::memcmp(at, from + lane * bytes, bytes) != 0;
      std::memcpy(at, from + lane * bytes, bytes);
    }
  }
  return changed;
}

void load_row(const MemoryWarp& warp, const MemoryOperands& operands, const std::byte* from) {
  const std::uint32_t bytes = operands.access.element_bytes;
  const std::size_t count = operands.access.vector;
  for (std::size_t k = 0; k < count; ++k) {
    if (operands.values[k] == no_slot) continue;
    std::byte* const to = warp.frame + operands.values[k];
    if (count == 1) {
      std::memcpy(to, from, std::size_t{warp_lanes} * bytes);
      continue;
    }
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      std::memcpy(to + lane * bytes, from + (lane * count + k) * bytes, bytes);
    }
  }
}

/// The memory that contains the row, and the row's offset in it. Empty if there is none.
std::optional<Memory> memory_of(MemoryWarp& warp, const Access& access, Row& row) {
  const bool in_window = access.generic && space_of(row.begin) == Space::shared;
  if (access.space == Space::shared || in_window) {
    if (in_window) row.begin = address_in(Space::shared, row.begin);
    if (!row.is_within(warp.block->shared_bytes)) return std::nullopt;
    return shared_memory(*warp.block);
  }
  const std::uint64_t index = (row.begin >> buffer_shift) - 1;
  GlobalMemory& global = *warp.launch->global;
  if (index >= global.size()) return std::nullopt;
  row.begin %= most_buffer_bytes;
  if (!row.is_within(global[index].bytes)) return std::nullopt;
  return buffer_memory(*warp.launch, static_cast<std::uint32_t>(index));
}

bool published_in(const Memory& memory) {
  const Shadow& shadow = memory.shadow;
  return shadow.has_published == nullptr ? !shadow.history->published.empty()
                                         : *shadow.has_published;
}

}  // namespace

bool can_be_row(const MemoryOperands& operands) {
  const Access& access = operands.access;
  const bool moves = access.operation == Operation::load || access.operation == Operation::store;
  const bool known = access.space == Space::global || access.space == Space::shared;
  return moves && known && access.semantics == Semantics::weak && operands.address != no_slot &&
         access.element_bytes >= word_bytes && lane_bytes(operands.type) == access.element_bytes;
}

template <Operation operation>
bool perform_row(MemoryWarp& warp, const Op* op, const MemoryOperands& operands) {
  constexpr bool writes = operation == Operation::store;
  const Access& access = operands.access;
  Row row{0, access.bytes()};
  const auto first = first_address(warp, op, operands, row.bytes);
  if (!first || *first % row.bytes != 0) return false;
  row.begin = *first;
  LaunchMemory& launch = *warp.launch;
  const std::optional<Memory> memory = memory_of(warp, access, row);
  if (!memory) return false;
  const Shadow& shadow = memory->shadow;
  if (writes && warp.clocks && published_in(*memory)) return false;
  const auto size = static_cast<std::uint32_t>(row.size());
  if (shadow.written != nullptr) {
    if (row.begin % 8 != 0 || (!writes && !shadow.written->all(row.begin, size))) return false;
  }
  const std::uint64_t first_page = row.begin / GlobalMemory::page_bytes;
  const std::uint64_t last_page = (row.end() - 1) / GlobalMemory::page_bytes;
  std::unique_lock<PageLock> lock;
  if (launch.workers > 1 && memory->buffer != nullptr) {
    if (first_page != last_page) return false;
    lock = std::unique_lock(launch.lock_of(memory->index, first_page));
  }
  warp.worker->costs.add_row({.site = op->site,
                              .shared = memory->buffer == nullptr,
                              .buffer = memory->index,
                              .warp = warp.name(0),
                              .events = warp.events},
                             row.begin, row.bytes);
  judge_row<operation>(warp, op, operands, *memory, row);
  std::byte* const data = memory->storage.data + row.begin;
  if constexpr (writes) {
    if (memory->buffer != nullptr) {
      for (std::uint64_t page = first_page; page <= last_page; ++page) {
        if (!memory->buffer->saved.has(page)) launch.global->save(*memory->buffer, page);
      }
    }
    if (shadow.written != nullptr) shadow.written->set(row.begin, size);
    if (store_row(warp, operands, data)) ++warp.worker->changes;
  } else {
    load_row(warp, operands, data);
  }
  return true;
}

template bool perform_row<Operation::load>(MemoryWarp&, const Op*, const MemoryOperands&);
template bool perform_row<Operation::store>(MemoryWarp&, const Op*, const MemoryOperands&);

}  // namespace bankproof::ptx
