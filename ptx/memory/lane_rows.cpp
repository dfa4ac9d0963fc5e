// Performs rows of lanes; see lane_rows.hpp.
#include "lane_rows.hpp"

#include <cstring>

#include "direct_memory.hpp"
#include "short_way.hpp"
#include "synchronization.hpp"

namespace bankproof::ptx {
namespace {

/// The bytes that lane l accesses begin at begin + l * bytes.
struct LaneRow {
  std::uint64_t begin = 0;
  std::uint32_t bytes = 0;  // a power of two

  std::uint32_t size() const { return warp_lanes * bytes; }
  std::uint64_t end() const { return begin + size(); }
  bool is_aligned() const { return (begin & (bytes - 1)) == 0; }
  bool is_within(std::uint64_t memory_bytes) const {
    return begin <= memory_bytes && memory_bytes - begin >= size();
  }
};

/// Judges the part of the row in its k-th sector by the records of words. `address` and `row` are
/// where the row begins.
[[gnu::noinline]] void judge_sector_by_words(MemoryWarp& warp, const Op* op,
                                             const MemoryOperands& operands, std::uint64_t address,
                                             const SectorRow& row, std::size_t k) {
  const Access& access = operands.access;
  DirectMemory in;
  find_memory(warp, access, address, in);
  LaneBytes unused;
  Request request{warp, operands, op->site, access.operation, access.bytes(), unused};
  request.lanes = all_lanes;
  request.at = row_addresses(row.begin(), access.bytes());
  check_races_by_words(request, whole_memory(warp, in), row.from(k), row.to(k));
}

/// Judges the sectors of the row, which begins at `address`; in its memory, whose records begin
/// with `lines`, that is `begin`.
template <bool writes>
[[gnu::noinline]] void judge_sectors(MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                                     std::uint64_t address, SectorLine* lines,
                                     std::uint64_t begin) {
  const SectorRow row(begin, operands.access.bytes(), warp.number, warp.now);
  const Viewer viewer = viewer_of(warp, is_shared(operands.access, address));
  for (std::size_t k = 0; k < row.sectors(); ++k) {
    const SectorRecords sector = RaceRecords{lines, nullptr}.sector(row.first_sector() + k);
    const SectorRecord mine = row.record(k);
    const bool clear = !viewer.by_words && (writes ? write_sector(sector, viewer, mine)
                                                   : read_sector(sector, viewer, mine));
    if (!clear) judge_sector_by_words(warp, op, operands, address, row, k);
  }
}

template <bool writes>
[[gnu::always_inline]] inline void judge_row(MemoryWarp& warp, const Op* op,
                                             const MemoryOperands& operands, const DirectMemory& in,
                                             const LaneRow& touched) {
  const bool fills_lines = ((touched.begin | touched.size()) & (SectorLine::bytes - 1)) == 0;
  if (fills_lines && warp.launch->records != RaceRecording::words) {
    const SectorRow row(touched.begin, touched.bytes, warp.number, warp.now);
    const Past past = past_of(warp, in);
    bool usual = true;
    for (std::size_t k = 0; usual && k < touched.size() / SectorLine::bytes; ++k) {
      SectorLine& line = in.records.lines[row.first_line() + k];
      SectorLine::Four mine;
      row.line(k, mine);
      usual = writes ? write_usual_line(line, past, mine) : read_usual_line(line, past, mine);
    }
    if (usual) return;
  }
  // What has been judged may be judged again, at the same epoch.
  judge_sectors<writes>(warp, op, operands, in.begin + touched.begin, in.records.lines,
                        touched.begin);
}

/// The processor forwards what was stored to a load that is no longer, so that registers are
/// written in pieces as long as those in which compiled code reads them.
using Strip [[gnu::vector_size(32)]] = std::uint64_t;
template <std::uint32_t bytes>
[[gnu::always_inline]] inline void copy_strips(std::byte* to, const std::byte* from) {
  for (std::size_t at = 0; at < std::size_t{warp_lanes} * bytes; at += sizeof(Strip)) {
    Strip strip;
    std::memcpy(&strip, from + at, sizeof strip);
    std::memcpy(to + at, &strip, sizeof strip);
  }
}

/// Moves registers of `bytes` bytes a lane to the memory. Returns whether a byte of it changed.
template <std::uint32_t bytes, bool vectors>
[[gnu::always_inline]] inline bool store_lanes(const MemoryWarp& warp,
                                               const MemoryOperands& operands, std::byte* to) {
  if constexpr (!vectors) {
    // Two passes, since a processor's long loads wait for its short stores to the same bytes.
    const std::byte* const from = warp.frame + operands.values[0];
    Strip difference{};
    for (std::size_t at = 0; at < std::size_t{warp_lanes} * bytes; at += sizeof difference) {
      Strip before;
      Strip after;
      std::memcpy(&before, to + at, sizeof before);
      std::memcpy(&after, from + at, sizeof after);
      difference |= before ^ after;
    }
    copy_strips<bytes>(to, from);
    return (difference[0] | difference[1] | difference[2] | difference[3]) != 0;
  }
  const std::size_t count = operands.access.vector;
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

template <std::uint32_t bytes, bool vectors>
[[gnu::always_inline]] inline void load_lanes_of_row(const MemoryWarp& warp,
                                                     const MemoryOperands& operands,
                                                     const std::byte* from) {
  const std::size_t count = vectors ? operands.access.vector : 1;
  for (std::size_t k = 0; k < count; ++k) {
    if (operands.values[k] == no_slot) continue;
    std::byte* const to = warp.frame + operands.values[k];
    if constexpr (!vectors) {
      copy_strips<bytes>(to, from);
      continue;
    }
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      std::memcpy(to + lane * bytes, from + (lane * count + k) * bytes, bytes);
    }
  }
}

/// Fetches what the same warp of the next block will probably access or, if the site is in a loop,
/// what the next warp will access. A processor does not find out by itself, since the sites of a
/// kernel take turns.
[[gnu::always_inline]] inline void prefetch_next(const MemoryWarp& warp, const Op* op,
                                                 const DirectMemory& in, const LaneRow& row) {
  if (in.buffer == nullptr) return;
  Worker::Stride& stride = warp.worker->strides[op->site];
  if (warp.index == 0) {
    const std::uint64_t block = warp.block->number + 1;
    stride.step = stride.block == block ? row.size() : row.begin - stride.last;
    stride.last = row.begin;
    stride.block = block;
  }
  const LaneRow next{row.begin + stride.step, row.bytes};
  if (!next.is_within(in.bytes)) return;
  constexpr std::size_t cache_line = 64;
  for (std::size_t at = next.begin; at < next.end(); at += cache_line) {
    __builtin_prefetch(in.data + at);
  }
  __builtin_prefetch(in.records.lines + next.begin / RaceRecords::line_bytes, 1);
}

/// `bytes`: of an element. Lanes that access one element each are the usual case: then the code
/// knows all numbers but addresses. `shared`: the access is to .shared.
template <bool writes, std::uint32_t bytes, bool vectors, bool shared>
struct RowAt {
  template <Level level>
  [[gnu::always_inline]] static bool perform(WarpState& state, const Op* op,
                                             const MemoryOperands& operands, std::uint64_t begin) {
    auto& warp = static_cast<MemoryWarp&>(state);
    LaunchMemory& launch = *warp.launch;
    if (!launch.short_ways) return false;
    DirectMemory in;
    if constexpr (shared) {
      in = shared_memory_of(warp);
    } else if (!find_memory(warp, operands.access, begin, in)) {
      return false;
    }
    const LaneRow row{begin - in.begin, vectors ? operands.access.bytes() : bytes};
    if (!row.is_aligned() || !row.is_within(in.bytes)) return false;
    if (writes && warp.clocks && published_in(warp, in)) return false;
    if (!writes && in.written != nullptr && !in.written->all_words(row.begin, row.size()))
      return false;
    if constexpr (!shared) prefetch_next(warp, op, in, row);
    if (launch.records != RaceRecording::none) {
      warp.worker->costs.add_row(cost_place(warp, in, op->site), row.begin, row.bytes);
      judge_row<writes>(warp, op, operands, in, row);
    }
    if (!shared && in.buffer != nullptr && (writes || launch.several)) {
      const std::uint64_t last_page = (row.end() - 1) / GlobalMemory::page_bytes;
      for (std::uint64_t page = row.begin / GlobalMemory::page_bytes; page <= last_page; ++page) {
        if (writes && !in.buffer->saved.has(page))
          launch.global->save(*in.buffer, page, warp.worker->number);
        if (launch.several) {
          in.buffer->use(page, warp.worker->number, launch.first_of_launch, writes);
        }
      }
    }
    if constexpr (writes) {
      if (in.written != nullptr) {
        const bool several = in.buffer != nullptr && launch.several;
        in.written->set_words(row.begin, row.size(), several);
      }
      if (store_lanes<bytes, vectors>(warp, operands, in.data + row.begin)) ++warp.worker->changes;
    } else {
      load_lanes_of_row<bytes, vectors>(warp, operands, in.data + row.begin);
    }
    return true;
  }
};

template <bool writes, std::uint32_t bytes>
using RowOfVectors = RowAt<writes, bytes, true, false>;
template <bool writes, std::uint32_t bytes>
using SharedRow = RowAt<writes, bytes, false, true>;
template <bool writes, std::uint32_t bytes>
using OtherRow = RowAt<writes, bytes, false, false>;

/// Whether lane l has the address from[0] + l * bytes.
template <class Number>
[[gnu::always_inline]] inline bool are_consecutive(const Number* from, std::uint32_t bytes) {
  Number difference = 0;
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    difference |= from[lane] ^ (from[0] + static_cast<Number>(lane * bytes));
  }
  return difference == 0;
}

/// Looks for a row of lanes that access `known_bytes` bytes each, or any number for 0.
template <std::uint32_t known_bytes>
struct FindRow {
  template <Level level>
  [[gnu::always_inline]] static bool perform(MemoryWarp& warp, const Op* op,
                                             const MemoryOperands& operands, LaneMask /*all*/) {
    const std::uint32_t bytes = known_bytes != 0 ? known_bytes : operands.access.bytes();
    const auto offset = static_cast<std::uint64_t>(op->immediate);
    if (operands.wide_address) {
      const auto* const from = warp.lanes<const std::uint64_t>(operands.address);
      return are_consecutive(from, bytes) && operands.row_at(warp, op, operands, from[0] + offset);
    }
    const auto* const from = warp.lanes<const std::uint32_t>(operands.address);
    return are_consecutive(from, bytes) &&
           operands.row_at(warp, op, operands, from[0] + static_cast<std::uint32_t>(offset));
  }
};

}  // namespace

void choose_lane_row(MemoryOperands& operands, Level level) {
  const Access& access = operands.access;
  if (!has_short_way(operands)) return;
  if (access.vector > 1) {
    choose_way<FindRow<0>>(operands.row, level);
    choose_way<RowOfVectors>(operands.row_at, operands, level);
    return;
  }
  if (access.element_bytes == 4) {
    choose_way<FindRow<4>>(operands.row, level);
  } else {
    choose_way<FindRow<8>>(operands.row, level);
  }
  if (access.space == Space::shared && !access.generic) {
    choose_way<SharedRow>(operands.row_at, operands, level);
  } else {
    choose_way<OtherRow>(operands.row_at, operands, level);
  }
}

}  // namespace bankproof::ptx
