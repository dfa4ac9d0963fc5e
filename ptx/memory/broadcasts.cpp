// Performs broadcasts; see broadcasts.hpp.
#include "broadcasts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "direct_memory.hpp"
#include "synchronization.hpp"

namespace bankproof::ptx {
namespace {

/// The element of all lanes: a place in its space, later an offset in its memory.
struct Broadcast {
  std::uint64_t at = 0;
  std::uint32_t bytes = 0;  // of a lane

  bool is_within(std::uint64_t memory_bytes) const {
    return at % bytes == 0 && at <= memory_bytes && memory_bytes - at >= bytes;
  }
};

/// Whether the lanes have the same number; `first` is one of them.
template <class Number>
[[gnu::always_inline]] inline bool are_equal(const Number* numbers, LaneMask lanes,
                                             std::uint32_t first) {
  // The last lane differs in nearly all accesses that are no broadcasts.
  if (numbers[31 - std::countl_zero(lanes)] != numbers[first]) return false;
  Number difference = 0;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const auto active = static_cast<Number>(-static_cast<Number>(lanes >> lane & 1U));
    difference |= (numbers[lane] ^ numbers[first]) & active;
  }
  return difference == 0;
}

/// Sets the place of the element. Returns false if the lanes have several.
[[gnu::always_inline]] inline bool find_element(const MemoryWarp& warp, const Op* op,
                                                const MemoryOperands& operands, LaneMask lanes,
                                                Broadcast& element) {
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  const std::uint32_t first = first_of(lanes);
  if (operands.address == no_slot) {
    element.at = offset;
    return true;
  }
  if (operands.wide_address) {
    const auto* const from = warp.lanes<const std::uint64_t>(operands.address);
    element.at = from[first] + offset;
    return are_equal(from, lanes, first);
  }
  const auto* const from = warp.lanes<const std::uint32_t>(operands.address);
  element.at = from[first] + static_cast<std::uint32_t>(offset);
  return are_equal(from, lanes, first);
}

/// Judges the element by the records of its words. These stand for the same accesses after the
/// first two lanes as after all: only one lane can be the one that has written the word, and the
/// record of two lanes is that of any lanes of the warp. Lists of accesses have each lane, and with
/// clocks or copies in flight each lane knows other accesses.
[[gnu::noinline]] void judge_words_of(MemoryWarp& warp, const Op* op,
                                      const MemoryOperands& operands, const DirectMemory& in,
                                      const Broadcast& element, LaneMask lanes) {
  const bool watches =
      in.buffer == nullptr ? !warp.launch->watched_shared.empty() : warp.launch->global->watches();
  if (!watches && warp.clocks == nullptr && warp.copies == nullptr) {
    const LaneMask rest = lanes & (lanes - 1);
    lanes ^= rest & (rest - 1);
  }
  LaneBytes unused;
  Request request{warp, operands, op->site, Operation::load, element.bytes, unused};
  request.lanes = lanes;
  request.at.fill(element.at);
  check_races_by_words(request, whole_memory(warp, in), element.at, element.at + element.bytes);
}

[[gnu::always_inline]] inline void judge_broadcast(MemoryWarp& warp, const Op* op,
                                                   const MemoryOperands& operands,
                                                   const DirectMemory& in, const Broadcast& element,
                                                   LaneMask lanes) {
  const Scattering launch = scattering_of(warp, in);
  // If records may merge, the record of a part of a word is that of the word.
  const bool small = element.bytes < word_bytes;
  if (small && !launch.merges) return judge_words_of(warp, op, operands, in, element, lanes);
  const auto word = static_cast<std::uint32_t>(element.at % sector_bytes / word_bytes);
  const WordMask words = (small ? 1U : (1U << element.bytes / word_bytes) - 1U) << word;
  const SectorRecords sector = in.records.sector(element.at / sector_bytes);
  SectorRecord mine =
      SectorRecord::of(warp.number, warp.now, SectorForm::one, first_of(lanes), words);
  if ((lanes & (lanes - 1)) != 0) mine = mine.with_many(Form::lanes);
  if (in.buffer == nullptr ? judge_usual<false, true>(sector, launch, mine)
                           : judge_usual<false, false>(sector, launch, mine)) {
    return;
  }
  if (detail::read_busy_sector(sector, viewer_of(warp, in.buffer == nullptr), mine)) return;
  judge_words_of(warp, op, operands, in, element, lanes);
}

/// Gives the lanes of a register the value.
template <class Lane>
[[gnu::always_inline]] inline void fill_lanes(std::byte* to, std::uint64_t value, LaneMask lanes) {
  auto* const of = reinterpret_cast<Lane*>(to);
  if (lanes == all_lanes) {
    std::fill_n(of, warp_lanes, static_cast<Lane>(value));
  } else {
    each_lane(lanes, [&](std::uint32_t lane) { of[lane] = static_cast<Lane>(value); });
  }
}

/// The value at `from` in 64 bits, with its sign if Number is signed.
template <class Number>
std::uint64_t widened(const std::byte* from) {
  Number value;
  std::memcpy(&value, from, sizeof value);
  using Wide = std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>;
  return static_cast<std::uint64_t>(Wide{value});
}

std::uint64_t value_at(const std::byte* from, std::uint32_t bytes, bool sign) {
  switch (bytes) {
    case 1:
      return sign ? widened<std::int8_t>(from) : widened<std::uint8_t>(from);
    case 2:
      return sign ? widened<std::int16_t>(from) : widened<std::uint16_t>(from);
    case 4:
      return sign ? widened<std::int32_t>(from) : widened<std::uint32_t>(from);
    default:
      return widened<std::uint64_t>(from);
  }
}

[[gnu::always_inline]] inline void load_broadcast(const MemoryWarp& warp,
                                                  const MemoryOperands& operands,
                                                  const std::byte* from, LaneMask lanes) {
  const Access& access = operands.access;
  for (std::size_t k = 0; k < access.vector; ++k) {
    if (operands.values[k] == no_slot) continue;
    std::byte* const to = warp.frame + operands.values[k];
    const std::uint64_t value =
        value_at(from + k * access.element_bytes, access.element_bytes, access.sign_extended);
    switch (operands.type) {
      case LaneType::b16:
        fill_lanes<std::uint16_t>(to, value, lanes);
        break;
      case LaneType::b64:
        fill_lanes<std::uint64_t>(to, value, lanes);
        break;
      default:
        fill_lanes<std::uint32_t>(to, value, lanes);
    }
  }
}

/// A broadcast from the constants of the launch.
bool perform_constant(MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                      LaneMask lanes) {
  Broadcast element{0, operands.access.bytes()};
  const std::vector<std::byte>& constants = warp.launch->constants;
  if (!find_element(warp, op, operands, lanes, element) || !element.is_within(constants.size()))
    return false;
  load_broadcast(warp, operands, constants.data() + element.at, lanes);
  return true;
}

/// A broadcast from global or shared memory.
bool perform_broadcast(MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                       LaneMask lanes) {
  Broadcast element{0, operands.access.bytes()};
  DirectMemory in;
  if (!find_element(warp, op, operands, lanes, element)) return false;
  LaunchMemory& launch = *warp.launch;
  if (launch.records == RaceRecording::words) return false;
  if (!find_memory(warp, operands.access, element.at, in)) return false;
  element.at -= in.begin;
  if (!element.is_within(in.bytes)) return false;
  if (in.written != nullptr && !in.written->all(element.at, element.bytes)) return false;
  if (launch.records != RaceRecording::none) {
    warp.worker->costs.add_element(cost_place(warp, in, op->site), element.at, lanes,
                                   element.bytes);
    judge_broadcast(warp, op, operands, in, element, lanes);
  }
  if (in.buffer != nullptr && launch.several) {
    in.buffer->use(element.at / GlobalMemory::page_bytes, warp.worker->number,
                   launch.first_of_launch, false);
  }
  load_broadcast(warp, operands, in.data + element.at, lanes);
  return true;
}

}  // namespace

PerformShort broadcast_of(const MemoryOperands& operands) {
  const Access& access = operands.access;
  const bool simple = access.operation == Operation::load && access.semantics == Semantics::weak &&
                      access.element_bytes <= 8 && operands.type != LaneType::b128;
  if (!simple) return nullptr;
  if (access.space == Space::constant && !access.generic) return perform_constant;
  const bool known = access.space == Space::global || access.space == Space::shared;
  return known ? perform_broadcast : nullptr;
}

}  // namespace bankproof::ptx
