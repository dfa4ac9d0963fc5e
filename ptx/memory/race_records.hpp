// The records of the races of one memory: two records for each sector and, for sectors that are
// split, two for each word.
//
// A sector is split when its records could not be exact otherwise (../races/judge_sector.hpp). It
// stays so until its record is quiet, or settled by a barrier: then the records of its words are
// quiet or settled, too, and the sector begins anew. A sector with a watched word is split in every
// launch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../races/judge_sector.hpp"

namespace bankproof::ptx {

struct RaceRecords {
  SectorLine* lines = nullptr;
  SplitSector* split = nullptr;  // for each sector

  explicit operator bool() const { return lines != nullptr; }

  static constexpr std::uint64_t line_bytes = SectorLine::bytes;
  static constexpr std::size_t lines_for(std::uint64_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes;
  }
  static constexpr std::size_t sectors_for(std::uint64_t bytes) {
    return SectorLine::sectors * lines_for(bytes);
  }

  SectorRecords sector(std::size_t sector) const {
    SectorLine& line = lines[sector / SectorLine::sectors];
    return {line.writes[sector % SectorLine::sectors], line.reads[sector % SectorLine::sectors]};
  }
  /// The records of the words of a sector, which is split by `warp` if it is not split yet. Records
  /// below `quiet` are of earlier launches or blocks. An access at `now` is recorded next; for
  /// accesses that no barrier settles, this is latest_epoch.
  SplitSector& words_of(std::size_t sector, std::uint64_t quiet, WarpNumber warp, Epoch now) const {
    const SectorRecords records = this->sector(sector);
    if (!records.write.is_split() || records.write.bits() < quiet) {
      split_sector(records, split[sector], quiet, warp, now);
    } else if (records.write.epoch() < now) {
      records.write = SectorRecord::split(records.write.warp(), now);
    }
    return split[sector];
  }

  /// Watches this word of 4 bytes; called between launches.
  void watch(std::size_t word) const;
  /// Forgets all accesses to the sector of this word, so that none of its words is watched.
  void forget(std::size_t word) const;
};

/// The records of one word.
struct WordRecords {
  ShadowWord write;
  ShadowWord read;
};
/// The records of word `word` as far as they are not below `quiet`; others have no bits.
WordRecords records_of(const RaceRecords& records, std::size_t word, std::uint64_t quiet);

}  // namespace bankproof::ptx
