// Performs accesses of scattered lanes; see scattered_lanes.hpp.
#include "scattered_lanes.hpp"

#include <cstring>
#include <optional>

#include "../races/judge_four.hpp"
#include "bounds.hpp"
#include "direct_memory.hpp"
#include "short_way.hpp"
#include "steps.hpp"
#include "synchronization.hpp"
#include "touched_parts.hpp"

namespace bankproof::ptx {
namespace {

/// The lanes of an access: their offsets in a memory.
using Lanes = Footprint;

/// Sets the offsets of the lanes and finds their memory. Returns false if a lane is out of bounds,
/// or if not all lanes are in the memory. `Number`: of the addresses.
template <class Number>
[[gnu::always_inline]] inline bool find_lanes(const MemoryWarp& warp, const Op* op,
                                              const MemoryOperands& operands, Lanes& lanes,
                                              DirectMemory& in) {
  const auto offset = static_cast<Number>(op->immediate);
  const auto* const from = warp.lanes<const Number>(operands.address);
  const auto address = [&](std::size_t lane) -> std::uint64_t {
    return static_cast<Number>(from[lane] + offset);
  };
  if (!find_memory(warp, operands.access, address(first_of(lanes.lanes)), in)) return false;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) lanes.at[lane] = address(lane) - in.begin;
  fill_inactive(lanes.at, lanes.lanes);
  return all_in_bounds(lanes, in.bytes);
}
[[gnu::always_inline]] inline bool find_lanes(const MemoryWarp& warp, const Op* op,
                                              const MemoryOperands& operands, Lanes& lanes,
                                              DirectMemory& in) {
  return operands.wide_address ? find_lanes<std::uint64_t>(warp, op, operands, lanes, in)
                               : find_lanes<std::uint32_t>(warp, op, operands, lanes, in);
}

/// Lanes that are far apart wait for memory together. Small memories are in the cache anyway.
[[gnu::always_inline]] inline void prefetch_lanes(const DirectMemory& in, const Lanes& lanes) {
  constexpr std::uint64_t small = std::uint64_t{1} << 17;
  if (in.buffer == nullptr || in.bytes <= small) return;
  for (LaneMask rest = lanes.lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t at = lanes.at[first_of(rest)];
    __builtin_prefetch(in.records.lines + at / RaceRecords::line_bytes, 1);
    __builtin_prefetch(in.data + at);
    if (in.written != nullptr) __builtin_prefetch(in.written->bits().data() + at / 8);
  }
}

/// Judges the accesses of lanes in which not only the usual happened.
class BusyLanes {
 public:
  BusyLanes(MemoryWarp& warp, const Op* op, const MemoryOperands& operands, const DirectMemory& in,
            const Lanes& lanes)
      : warp_(warp), op_(op), operands_(operands), in_(in), lanes_(lanes) {}

  void judge(LaneMask of, SectorRecords sector, SectorRecord mine) {
    if (!viewer_) viewer_.emplace(viewer_of(warp_, in_.buffer == nullptr));
    const bool clear = lanes_.writes ? detail::write_busy_sector(sector, *viewer_, mine)
                                     : detail::read_busy_sector(sector, *viewer_, mine);
    if (!clear) by_words_ |= of;
  }

  /// Judges by words the lanes of which no sector record can be made. All of them are judged
  /// together, since each call costs more than the words of a lane. The order of the lanes does not
  /// matter: those that store touch different words.
  void finish() {
    if (by_words_ != 0) [[unlikely]]
      judge_by_words();
  }

 private:
  [[gnu::noinline]] void judge_by_words() {
    LaneBytes unused;
    Request request{warp_, operands_, op_->site, operands_.access.operation, lanes_.bytes, unused};
    static_cast<Footprint&>(request) = lanes_;
    request.lanes = by_words_;
    check_races_by_words(request, whole_memory(warp_, in_), 0, in_.bytes);
  }

  MemoryWarp& warp_;
  const Op* op_;
  const MemoryOperands& operands_;
  const DirectMemory& in_;
  const Lanes& lanes_;
  std::optional<Viewer> viewer_;  // made when it is needed first
  LaneMask by_words_ = 0;
};

/// Lanes that follow one another and access one sector, so that one record stands for all.
struct LaneRun {
  std::uint64_t sector = 0;
  SectorRecord mine;
  LaneMask lanes = 0;

  /// Adds the lane with this record. Returns false, and changes nothing, if it does not fit. If
  /// `merges`, all lanes in a sector fit: then the record is as if all had read all of its words.
  template <bool writes, bool merges>
  [[gnu::always_inline]] bool add(std::uint64_t of, SectorRecord next, std::uint32_t lane) {
    if (of != sector) return false;
    const WordMask words = mine.words() | next.words();
    if (next.agrees(mine)) {
      mine = mine.with_words(words);
    } else if (merges || (!writes && next.words() == mine.words())) {
      mine = next.with_many(Form::lanes).with_words(words);  // another lane reads the same
    } else {
      return false;
    }
    lanes |= LaneMask{1} << lane;
    return true;
  }
};

/// Whether the first two lanes access one sector. Then other lanes probably do so, too.
inline bool begin_with_a_run(const Lanes& lanes) {
  const LaneMask others = lanes.lanes & (lanes.lanes - 1);
  if (others == 0) return false;
  return lanes.at[first_of(lanes.lanes)] / sector_bytes ==
         lanes.at[first_of(others)] / sector_bytes;
}

/// The distance between the lanes of a row, as the first two suggest; 0 if there is only one.
inline std::uint64_t stride_of(const Lanes& lanes) {
  const LaneMask others = lanes.lanes & (lanes.lanes - 1);
  if (others == 0) return 0;
  const std::uint32_t first = first_of(lanes.lanes);
  const std::uint32_t second = first_of(others);
  return (lanes.at[second] - lanes.at[first]) / (second - first);
}

/// Whether lanes probably share words: the first two do, or the last two. A row of pixels may have
/// an end in it.
inline bool share_words(const Lanes& lanes) {
  const LaneMask others = lanes.lanes & (lanes.lanes - 1);
  if (others == 0) return false;
  const std::uint32_t last = 31 - static_cast<std::uint32_t>(std::countl_zero(lanes.lanes));
  const LaneMask before = lanes.lanes & ~(LaneMask{1} << last);
  const std::uint32_t last_but_one = 31 - static_cast<std::uint32_t>(std::countl_zero(before));
  return lanes.at[first_of(others)] - lanes.at[first_of(lanes.lanes)] < word_bytes ||
         lanes.at[last] - lanes.at[last_but_one] < word_bytes;
}

/// The form in which the records of lanes with this distance, in one sector, probably agree.
/// Elements do not cross groups of words with one lane.
inline SectorForm form_of(std::uint64_t stride, std::uint32_t bytes) {
  if (stride < bytes) return SectorForm::one;
  switch (stride) {
    case 4:
      return SectorForm::words;
    case 8:
      return SectorForm::pairs;
    case 16:
      return SectorForm::quads;
    default:
      return SectorForm::one;
  }
}

/// Judges accesses to words in global memory, four lanes at once. Returns the lanes that are left.
template <bool writes>
[[gnu::always_inline]] inline LaneMask judge_fours(const MemoryWarp& warp, const DirectMemory& in,
                                                   const Lanes& lanes) {
  constexpr std::uint32_t four = 4;
  constexpr LaneMask of_four = (1U << four) - 1;
  const Scattering launch = scattering_of(warp, in);
  const SectorForm form = form_of(stride_of(lanes), lanes.bytes);
  const RecordsOfLanes records(warp.number, warp.now, form, lanes.bytes / word_bytes);
  LaneMask rest = lanes.lanes;
  for (std::uint32_t first = 0; first < warp_lanes; first += four) {
    if ((lanes.lanes >> first & of_four) != of_four) continue;
    SectorLine::Four at;
    std::memcpy(&at, &lanes.at[first], sizeof at);
    SectorLine::Four mine;
    records.of(first, at, mine);
    if (judge_four<writes>(in.records.lines, at, launch, mine)) rest &= ~(of_four << first);
  }
  return rest;
}

/// Judges those lanes that are left, in runs if `in_runs`. If `small`, a lane accesses a part of a
/// word, and its record is that of the word.
template <bool writes, bool shared, bool in_runs, bool small>
[[gnu::always_inline]] inline void judge_each(const MemoryWarp& warp, const DirectMemory& in,
                                              const Lanes& lanes, LaneMask rest, BusyLanes& busy) {
  const Scattering launch = scattering_of(warp, in);
  const WordMask words_of_lane = small ? 1U : (1U << lanes.bytes / word_bytes) - 1U;
  const SectorForm form = form_of(stride_of(lanes), lanes.bytes);
  // The records of lanes that share words agree if each stands for all lanes.
  const bool is_close = small && share_words(lanes);
  LaneRun run;
  const auto judge = [&]() __attribute__((always_inline)) {
    const SectorRecords sector = in.records.sector(run.sector);
    if (!judge_usual<writes, shared>(sector, launch, run.mine)) {
      busy.judge(run.lanes, sector, run.mine);
    }
  };
  for (; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = first_of(rest);
    const std::uint64_t at = lanes.at[lane];
    const auto word = static_cast<std::uint32_t>(at % sector_bytes / word_bytes);
    const std::uint32_t first = SectorRecord::first_lane(form, lane, word);
    SectorRecord mine = SectorRecord::of(warp.number, warp.now, form, first, words_of_lane << word);
    if (is_close) mine = mine.with_many(Form::lanes);
    if (in_runs && run.add<writes, small>(at / sector_bytes, mine, lane)) continue;
    if (in_runs && run.lanes != 0) judge();
    run = {at / sector_bytes, mine, LaneMask{1} << lane};
    if (!in_runs) judge();
  }
  if (in_runs) judge();
}

template <Level level, bool writes, bool shared, bool small = false>
[[gnu::always_inline]] inline void judge_lanes(MemoryWarp& warp, const Op* op,
                                               const MemoryOperands& operands,
                                               const DirectMemory& in, const Lanes& lanes) {
  BusyLanes busy(warp, op, operands, in, lanes);
  if (begin_with_a_run(lanes)) {
    judge_each<writes, shared, true, small>(warp, in, lanes, lanes.lanes, busy);
  } else {
    LaneMask rest = lanes.lanes;
    if constexpr (level == Level::avx2 && !shared && !small) {
      rest = judge_fours<writes>(warp, in, lanes);
    }
    judge_each<writes, shared, false, small>(warp, in, lanes, rest, busy);
  }
  busy.finish();
}

/// The cost of an access, which is not counted yet.
template <Level level>
[[gnu::always_inline]] inline Cost price_of(CostLog& costs, const CostPlace& place,
                                            const Lanes& lanes, std::uint64_t memory_bytes) {
  if constexpr (level == Level::avx2) {
    const bool fits = memory_bytes <= most_bytes_in_parts && lanes.bytes <= widest_element;
    if (!place.shared && fits) return costs.price(touched_parts(lanes.at), lanes.bytes);
  }
  return costs.price(place, lanes);
}

/// Calls visit(lane) for each lane, faster if all take part.
template <class Visit>
[[gnu::always_inline]] inline void visit_lanes(LaneMask lanes, const Visit& visit) {
  if (lanes == all_lanes) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) visit(lane);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) visit(first_of(lanes));
  }
}

/// Stores the elements, of `bytes` bytes each. Returns how many lanes have changed a byte.
template <std::size_t bytes>
[[gnu::always_inline]] inline std::uint64_t store_elements(const MemoryWarp& warp,
                                                           const MemoryOperands& operands,
                                                           std::byte* data, const Lanes& lanes) {
  const auto store = [&](std::uint32_t lane, std::size_t k) __attribute__((always_inline)) {
    std::byte* const to = data + lanes.at[lane] + k * bytes;
    const std::byte* const from = warp.frame + operands.values[k] + lane * bytes;
    const bool differs = std::memcmp(to, from, bytes) != 0;
    std::memcpy(to, from, bytes);
    return differs;
  };
  std::uint64_t changed = 0;
  if (operands.access.vector == 1) {
    visit_lanes(
        lanes.lanes, [&](std::uint32_t lane)
                         __attribute__((always_inline)) { changed += store(lane, 0); });
    return changed;
  }
  visit_lanes(
      lanes.lanes, [&](std::uint32_t lane) __attribute__((always_inline)) {
        bool differs = false;
        for (std::size_t k = 0; k < operands.access.vector; ++k) differs |= store(lane, k);
        changed += differs;
      });
  return changed;
}

template <std::size_t bytes>
[[gnu::always_inline]] inline void load_elements(const MemoryWarp& warp,
                                                 const MemoryOperands& operands,
                                                 const std::byte* data, const Lanes& lanes) {
  for (std::size_t k = 0; k < operands.access.vector; ++k) {
    if (operands.values[k] == no_slot) continue;
    std::byte* const to = warp.frame + operands.values[k];
    visit_lanes(
        lanes.lanes, [&](std::uint32_t lane) __attribute__((always_inline)) {
          std::memcpy(to + lane * bytes, data + lanes.at[lane] + k * bytes, bytes);
        });
  }
}

/// Notes which pages of a buffer the worker uses.
template <bool writes>
[[gnu::always_inline]] inline void use_pages_of_lanes(const MemoryWarp& warp,
                                                      const DirectMemory& in, const Lanes& lanes) {
  if (in.buffer == nullptr || !warp.launch->several) return;
  const WorkerRecords& records = in.buffer->shadow.of_workers[warp.worker->number];
  if (records.uses(lanes.at, warp.launch->first_warp, writes)) return;
  for (LaneMask rest = lanes.lanes; rest != 0; rest &= rest - 1) {
    in.buffer->use(lanes.at[first_of(rest)] / GlobalMemory::page_bytes, warp.worker->number,
                   warp.launch->first_of_launch, writes);
  }
}

template <Level level, bool writes, std::uint32_t bytes>
[[gnu::always_inline]] inline bool perform_lanes(MemoryWarp& warp, const Op* op,
                                                 const MemoryOperands& operands, LaneMask active) {
  if (warp.launch->records == RaceRecording::words) return false;
  Lanes lanes;
  lanes.lanes = active;
  lanes.bytes = operands.access.bytes();
  lanes.reads = !writes;
  lanes.writes = writes;
  DirectMemory in;
  if (!find_lanes(warp, op, operands, lanes, in)) return false;
  if (writes && warp.clocks && published_in(warp, in)) return false;
  prefetch_lanes(in, lanes);
  if (!writes && in.written != nullptr && in.written->missing(lanes) != 0) return false;
  const bool is_judged = warp.launch->records != RaceRecording::none;
  if (writes || is_judged) {
    CostLog& costs = warp.worker->costs;
    const CostPlace place = cost_place(warp, in, op->site);
    const Cost cost = price_of<level>(costs, place, lanes, in.bytes);
    // Lanes that store to one element may collide.
    if (writes && cost.distinct != static_cast<std::uint32_t>(std::popcount(active))) return false;
    if (is_judged) costs.add(place, lanes, cost);
  }
  if (!is_judged) {
  } else if (in.buffer == nullptr) {
    judge_lanes<level, writes, true>(warp, op, operands, in, lanes);
  } else {
    judge_lanes<level, writes, false>(warp, op, operands, in, lanes);
  }
  use_pages_of_lanes<writes>(warp, in, lanes);
  if constexpr (writes) {
    if (in.buffer != nullptr)
      warp.launch->global->save_pages(*in.buffer, lanes, warp.worker->number);
    if (in.written != nullptr) {
      in.written->set(lanes, in.buffer != nullptr && warp.launch->several);
    }
    warp.worker->changes += store_elements<bytes>(warp, operands, in.data, lanes);
  } else {
    load_elements<bytes>(warp, operands, in.data, lanes);
  }
  return true;
}

template <bool writes, std::uint32_t bytes>
struct ScatteredWay {
  template <Level level>
  [[gnu::always_inline]] static bool perform(MemoryWarp& warp, const Op* op,
                                             const MemoryOperands& operands, LaneMask lanes) {
    return perform_lanes<level, writes, bytes>(warp, op, operands, lanes);
  }
};

}  // namespace

bool load_small_lanes(MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                      LaneMask active) {
  const RaceRecording records = warp.launch->records;
  if (records == RaceRecording::words) return false;
  LaneBytes values;
  Request lanes{warp, operands, op->site, Operation::load, operands.access.bytes(), values};
  lanes.lanes = active;
  DirectMemory in;
  if (!find_lanes(warp, op, operands, lanes, in)) return false;
  const bool is_judged = records != RaceRecording::none;
  if (is_judged && !scattering_of(warp, in).merges) return false;
  prefetch_lanes(in, lanes);
  if (in.written != nullptr && in.written->missing(lanes) != 0) return false;
  if (is_judged) warp.worker->costs.add(cost_place(warp, in, op->site), lanes);
  if (!is_judged) {
  } else if (in.buffer == nullptr) {
    judge_lanes<Level::portable, false, true, true>(warp, op, operands, in, lanes);
  } else {
    judge_lanes<Level::portable, false, false, true>(warp, op, operands, in, lanes);
  }
  use_pages_of_lanes<false>(warp, in, lanes);
  load_bytes(in.data, lanes, values);
  write_registers(lanes, operands.access.vector, active);
  return true;
}

PerformShort scattered_lanes_of(const MemoryOperands& operands, Level level) {
  PerformShort way = nullptr;
  if (has_short_way(operands)) choose_way<ScatteredWay>(way, operands, level);
  return way;
}

}  // namespace bankproof::ptx
