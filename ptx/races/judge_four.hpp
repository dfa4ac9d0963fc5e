// Judges the usual scattered accesses of four lanes at once, by vectors; judge_sector.hpp does it
// lane by lane.
#pragma once

#include <cstddef>
#include <cstdint>

#include "judge_sector.hpp"

namespace bankproof::ptx {

/// The records of weak accesses of a warp's lanes to whole words, for four lanes at once.
class RecordsOfLanes {
 public:
  using Four = SectorLine::Four;

  /// A lane accesses `words` words, one after the other, within a sector. `form`: words, pairs,
  /// quads or one.
  RecordsOfLanes(WarpNumber warp, Epoch now, SectorForm form, std::uint32_t words)
      : of_lane_0_(SectorRecord::of(warp, now, form, 0, 0).bits()),
        words_((std::uint64_t{1} << words) - 1),
        right_(SectorRecord::right(form)) {}

  /// The records of lanes `first` to `first` + 3, which access these offsets.
  [[gnu::always_inline]] void of(std::uint32_t first, const Four& at, Four& records) const {
    const Four word = at / (sector_bytes / words_of_sector) % words_of_sector;
    const Four lane = (Four{0, 1, 2, 3} + first - (word >> right_)) % warp_lanes;
    records = of_lane_0_ | lane << ShadowWord::lane_shift | words_ << word;
  }

 private:
  std::uint64_t of_lane_0_;
  std::uint64_t words_;
  std::uint32_t right_;
};

namespace detail {

/// Does what the functions of judge_sector.hpp do, for four records of global memory. All bits of a
/// result are set, or none.
class FourJudge {
 public:
  using Four = SectorLine::Four;
  using Truth [[gnu::vector_size(sizeof(Four))]] = std::int64_t;

  FourJudge(const Scattering& launch, const Four& mine) : launch_(launch), mine_(mine) {}

  [[gnu::always_inline]] void is_usual(const Four& records, Truth& found) const {
    // Warps and epochs have 48 bits: processors compare them fastest as signed numbers.
    constexpr int shift = ShadowWord::epoch_shift;
    const auto quiet = static_cast<std::int64_t>(launch_.past.quiet >> shift);
    found = (reinterpret_cast<Truth>(records >> shift) < quiet) | (records == mine_);
  }
  [[gnu::always_inline]] void is_of_other_blocks(const Four& records, Truth& found) const {
    constexpr std::uint64_t form = SectorRecord::form_bits;
    constexpr std::uint64_t split = SectorRecord().with(SectorForm::split).bits();
    const auto warp = reinterpret_cast<Truth>((records >> ShadowWord::warp_shift) - launch_.first);
    const Truth own = (warp > -1) & (warp < static_cast<std::int64_t>(launch_.warps));
    const Truth of_any = ((records ^ of_blocks) & (form | SectorRecord::lane_bits)) == 0;
    found = of_any | ~(own | ((records & form) == split));
  }
  [[gnu::always_inline]] void with_other_blocks(const Four& before, const Truth& is_past,
                                                Four& found) const {
    constexpr std::uint64_t changed = SectorRecord::lane_bits | SectorRecord::form_bits | all_words;
    const Four merged = (mine_ & ~changed) | of_blocks | ((before | mine_) & all_words);
    found = is_past ? mine_ : merged;
  }

 private:
  static constexpr std::uint64_t of_blocks = SectorRecord().with_many(Form::blocks).bits();

  const Scattering& launch_;
  const Four& mine_;
};

[[gnu::always_inline]] inline bool all_hold(const FourJudge::Truth& truth) {
  using Two [[gnu::vector_size(sizeof truth / 2)]] = std::int64_t;
  const Two both =
      __builtin_shufflevector(truth, truth, 0, 1) & __builtin_shufflevector(truth, truth, 2, 3);
  return (both[0] & both[1]) != 0;
}

}  // namespace detail

/// Judges and records the accesses `mine` of four lanes to global memory, as
/// judge_usual<writes, false> does one by one. Returns false, and has changed nothing, if one of
/// them is not usual or if two are to the same sector.
template <bool writes>
[[gnu::always_inline]] inline bool judge_four(SectorLine* lines, const SectorLine::Four& at,
                                              const Scattering& launch,
                                              const SectorLine::Four& mine) {
  using Four = SectorLine::Four;
  using Truth = detail::FourJudge::Truth;
  const Four line = at / SectorLine::bytes;
  const Four sector = at / sector_bytes;
  const auto write_of = [&](std::size_t k) __attribute__((always_inline))->SectorRecord& {
    return lines[line[k]].writes[sector[k] % SectorLine::sectors];
  };
  const auto read_of = [&](std::size_t k) __attribute__((always_inline))->SectorRecord& {
    return lines[line[k]].reads[sector[k] % SectorLine::sectors];
  };
  const Four write{write_of(0).bits(), write_of(1).bits(), write_of(2).bits(), write_of(3).bits()};
  const Four read{read_of(0).bits(), read_of(1).bits(), read_of(2).bits(), read_of(3).bits()};
  const detail::FourJudge judge(launch, mine);
  Truth other;  // The records of the other kind have to be usual.
  judge.is_usual(writes ? read : write, other);
  const Four& same = writes ? write : read;
  Truth anew;
  judge.is_usual(same, anew);
  Truth joins;
  judge.is_of_other_blocks(same, joins);
  joins &= Truth{} - std::int64_t{launch.merges};
  if (writes) joins &= (same & mine & all_words) == 0;
  const Truth together = (sector == __builtin_shufflevector(sector, sector, 1, 2, 3, 0)) |
                         (sector == __builtin_shufflevector(sector, sector, 2, 3, 0, 1));
  if (!detail::all_hold(other & (anew | joins) & ~together)) return false;
  Four after;
  judge.with_other_blocks(same, anew, after);
  for (std::size_t k = 0; k < 4; ++k) {
    (writes ? write_of(k) : read_of(k)) = SectorRecord(after[k]);
    if (writes) read_of(k) = {};
  }
  return true;
}

}  // namespace bankproof::ptx
