// Performs small rows; see small_rows.hpp.
#include "small_rows.hpp"

#include <bit>

#include "direct_memory.hpp"
#include "lane_bits.hpp"
#include "scattered_lanes.hpp"
#include "steps.hpp"
#include "synchronization.hpp"

namespace bankproof::ptx {
namespace {

/// Sets the address of lane 0, for which the addresses of the active lanes are consecutive. Returns
/// false if there is none.
template <class Number>
[[gnu::always_inline]] inline bool find_small_row(const Number* addresses, LaneMask lanes,
                                                  std::uint32_t bytes, Number& of_lane_0) {
  const std::uint32_t first = first_of(lanes);
  const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(lanes));
  const Number begin = addresses[first] - static_cast<Number>(first * bytes);
  if (addresses[last] != begin + static_cast<Number>(last * bytes)) return false;
  Number difference = 0;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const auto active = static_cast<Number>(-static_cast<Number>(lanes >> lane & 1U));
    difference |= (addresses[lane] ^ (begin + static_cast<Number>(lane * bytes))) & active;
  }
  of_lane_0 = begin;
  return difference == 0;
}

/// Sets row.begin to an address in the space of the access.
bool find_small_row(const MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                    LaneBits& row) {
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  if (operands.wide_address) {
    std::uint64_t begin = 0;
    if (!find_small_row(warp.lanes<const std::uint64_t>(operands.address), row.lanes, row.bytes,
                        begin))
      return false;
    row.begin = begin + offset;
    return true;
  }
  std::uint32_t begin = 0;
  if (!find_small_row(warp.lanes<const std::uint32_t>(operands.address), row.lanes, row.bytes,
                      begin))
    return false;
  row.begin = begin + static_cast<std::uint32_t>(offset);
  return true;
}

SectorForm form_of_elements(std::uint32_t bytes) {
  return bytes == 1 ? SectorForm::bytes : bytes == 2 ? SectorForm::halves : SectorForm::words;
}

template <bool writes>
bool is_clear(const MemoryWarp& warp, bool shared, const Scattering& launch, SectorRecords sector,
              SectorRecord mine) {
  const bool usual = shared ? judge_usual<writes, true>(sector, launch, mine)
                            : judge_usual<writes, false>(sector, launch, mine);
  if (usual) [[likely]]
    return true;
  const Viewer viewer = viewer_of(warp, shared);
  return writes ? detail::write_busy_sector(sector, viewer, mine)
                : detail::read_busy_sector(sector, viewer, mine);
}

template <bool writes>
void judge_small_row(const Request& request, const DirectMemory& in, const LaneBits& row) {
  MemoryWarp& warp = request.warp;
  const Scattering launch = scattering_of(warp, in);
  // Whether a record may stand for all lanes of a word. Other warps may store to the word in which
  // a row begins, and other threads to the word of a single lane.
  const bool several = (row.lanes & (row.lanes - 1)) != 0;
  const bool whole = launch.merges && several && (!writes || row.begin % word_bytes == 0);
  const SectorForm form = form_of_elements(row.bytes);
  LaneMask by_words = 0;
  for (std::uint32_t k = 0; k < row.sectors(); ++k) {
    const WordMask words = row.words(k);
    if (words == 0) continue;
    const auto mine = SectorRecord::of(warp.number, warp.now, form, row.first_lane(k), words);
    const bool has_record = whole || row.whole_words(k) == words;
    if (has_record && is_clear<writes>(warp, in.buffer == nullptr, launch,
                                       in.records.sector(row.first_sector() + k), mine)) {
      continue;
    }
    by_words |= row.lanes_in(k);
  }
  if (by_words == 0) return;
  Request rest = request;
  rest.lanes = by_words;
  rest.contiguous = false;
  check_races_by_words(rest, whole_memory(warp, in), 0, in.bytes);
}

/// Prices the row, and counts it.
void count_small_row(const Request& request, const DirectMemory& in, const LaneBits& row) {
  CostLog& costs = request.warp.worker->costs;
  const CostPlace place = cost_place(request.warp, in, request.site);
  if (row.lanes == all_lanes) {
    costs.add_row(place, row.begin, row.bytes);
  } else if (in.buffer == nullptr) {
    costs.add(place, request);
  } else {
    costs.add_lanes_of_row(place, request, row);
  }
}

/// Notes that the launch uses the pages of the row, and saves those that it writes.
template <bool writes>
void use_pages_of(const MemoryWarp& warp, const DirectMemory& in, const LaneBits& row) {
  LaunchMemory& launch = *warp.launch;
  const std::uint64_t last = (row.to() - 1) / GlobalMemory::page_bytes;
  for (std::uint64_t page = row.from() / GlobalMemory::page_bytes; page <= last; ++page) {
    if (writes && !in.buffer->saved.has(page))
      launch.global->save(*in.buffer, page, warp.worker->number);
    if (launch.several) {
      in.buffer->use(page, warp.worker->number, launch.first_of_launch, writes);
    }
  }
}

template <bool writes>
bool perform_small_row(MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                       LaneMask lanes) {
  LaneBits row{0, operands.access.bytes(), lanes};
  DirectMemory in;
  LaunchMemory& launch = *warp.launch;
  if (launch.records == RaceRecording::words) return false;
  if (!find_small_row(warp, op, operands, row)) return false;
  if (!find_memory(warp, operands.access, row.from(), in)) return false;
  row.begin -= in.begin;
  if (!row.is_within(in.bytes)) return false;
  if (writes && warp.clocks && published_in(warp, in)) return false;
  LaneBytes values;
  Request request{warp, operands, op->site, operands.access.operation, row.bytes, values};
  request.at = row_addresses(row.begin, row.bytes);
  request.lanes = lanes;
  request.contiguous = lanes == all_lanes;
  fill_inactive(request.at, lanes);
  if (!writes && in.written != nullptr && in.written->missing(request) != 0) return false;
  if (launch.records != RaceRecording::none) {
    count_small_row(request, in, row);
    judge_small_row<writes>(request, in, row);
  }
  if (in.buffer != nullptr) use_pages_of<writes>(warp, in, row);
  if constexpr (writes) {
    if (in.written != nullptr) {
      in.written->set(request, in.buffer != nullptr && launch.several);
    }
    read_registers(request);
    warp.worker->changes += store_bytes(in.data, request, values);
  } else {
    load_bytes(in.data, request, values);
    write_registers(request, operands.access.vector, lanes);
  }
  return true;
}

bool load_small(MemoryWarp& warp, const Op* op, const MemoryOperands& operands, LaneMask lanes) {
  return perform_small_row<false>(warp, op, operands, lanes) ||
         load_small_lanes(warp, op, operands, lanes);
}

}  // namespace

PerformShort small_row_of(const MemoryOperands& operands) {
  const Access& access = operands.access;
  const bool moves = access.operation == Operation::load || access.operation == Operation::store;
  const bool known = access.space == Space::global || access.space == Space::shared;
  if (!moves || !known || access.semantics != Semantics::weak || operands.address == no_slot ||
      access.bytes() > word_bytes)
    return nullptr;
  return access.operation == Operation::store ? perform_small_row<true> : load_small;
}

}  // namespace bankproof::ptx
