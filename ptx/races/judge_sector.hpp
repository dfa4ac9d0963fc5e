// Judges weak accesses to whole words of a sector by the records of the sector (sector_record.hpp).
//
// The functions do for all words of an access at once what judge.hpp does word by word. They return
// false if they cannot: then the access may race, or no sector record stands for its records. In
// that case they have changed nothing, and the caller judges the access by the records of words.
//
// If Viewer::merges, a record may stand for accesses of several warps to different words, as if
// each of them had accessed all of these words. Then the records of random accesses need no words.
// If such a record suspects a race, the launch is repeated without merging.
#pragma once

#include <cstdint>
#include <cstring>

#include "judge.hpp"
#include "sector_record.hpp"

namespace bankproof::ptx {

namespace detail {

/// Whether the accesses of the record to common words happened before the access `mine`, as far as
/// it can be told without the clocks of lanes; Viewer::ordered for words.
inline bool ordered(const Viewer& viewer, SectorRecord record, SectorRecord mine) {
  if (record.bits() < viewer.quiet) return true;
  WordMask common = record.words() & mine.words();
  if (common == 0) return true;
  const ShadowWord any = record.word(0);
  if (viewer.block_knows(any)) return true;
  if (record.warp() != viewer.warp) return false;
  if (any.form() <= Form::lanes && record.epoch() <= viewer.known) return true;
  if (record.form() == SectorForm::many) return false;
  // The same lanes have accessed the same bytes.
  if (record.form() == mine.form()) return record.lane() == mine.lane();
  if (any.form() != Form::one || mine.word_form() != Form::one) return false;
  for (; common != 0; common &= common - 1) {
    const auto word = static_cast<std::uint32_t>(std::countr_zero(common));
    if (record.lane_of(word) != mine.lane_of(word)) return false;
  }
  return true;
}

/// Whether some common word has the same lane in both records.
inline bool share_a_lane(SectorRecord record, SectorRecord mine) {
  if (record.form() == SectorForm::many) return false;
  for (WordMask common = record.words() & mine.words(); common != 0; common &= common - 1) {
    const auto word = static_cast<std::uint32_t>(std::countr_zero(common));
    if (record.lane_of(word) == mine.lane_of(word)) return true;
  }
  return false;
}

/// The form of the record of unordered accesses by the record and by `mine`; as in
/// detail::combined for words.
inline Form combined_form(const Viewer& viewer, SectorRecord record, SectorRecord mine) {
  const ShadowWord any = record.word(0);
  if (!viewer.in_block(any) || any.form() == Form::blocks) return Form::blocks;
  return record.warp() == mine.warp() && any.form() != Form::warps ? Form::lanes : Form::warps;
}

inline SectorRecord merged(SectorRecord record, SectorRecord mine, Form form) {
  return mine.with_many(form).with_words(record.words() | mine.words());
}

/// The record of unordered reads by the record and by `mine`. No bits: the words need records of
/// their own.
inline SectorRecord combined(const Viewer& viewer, SectorRecord record, SectorRecord mine) {
  if (viewer.clocks != nullptr) return {};
  const Form form = combined_form(viewer, record, mine);
  const WordMask common = record.words() & mine.words();
  if (form == Form::lanes) {
    // Several lanes that read the same words are never the lanes of the record alone.
    const bool many = mine.form() == SectorForm::many;
    const bool parts = record.word_form() == Form::halves || record.word_form() == Form::bytes ||
                       (!many && mine.word_form() != Form::one);
    if (common == 0 || (!many && !parts && share_a_lane(record, mine))) return {};
    if (parts && !viewer.merges) return {};
  }
  const bool exact = record.words() == mine.words();
  return exact || viewer.merges ? merged(record, mine, form) : SectorRecord();
}

/// Whether later accesses need not know of the record: those that see shared memory know it too.
inline bool is_past(const Viewer& viewer, SectorRecord record) {
  return record.bits() < viewer.quiet || (viewer.shared && viewer.block_knows(record.word(0)));
}

[[gnu::noinline]] inline bool write_busy_sector(SectorRecords sector, const Viewer& viewer,
                                                SectorRecord mine) {
  const SectorRecord write = sector.write;
  const SectorRecord read = sector.read;
  if (write.is_split() && write.bits() >= viewer.quiet) return false;
  if (!ordered(viewer, write, mine) || !ordered(viewer, read, mine)) return false;
  SectorRecord after = mine;
  if ((write.words() & ~mine.words()) != 0 && !is_past(viewer, write)) {
    if (write.agrees(mine)) {
      after = mine.with_words(write.words() | mine.words());
    } else {
      const Form form = combined_form(viewer, write, mine);
      if (!viewer.merges || viewer.clocks != nullptr || form == Form::lanes) return false;
      after = merged(write, mine, form);
    }
  }
  sector.write = after;
  const WordMask unread = read.words() & ~mine.words();
  sector.read = unread == 0 || is_past(viewer, read) ? SectorRecord() : read.with_words(unread);
  return true;
}

[[gnu::noinline]] inline bool read_busy_sector(SectorRecords sector, const Viewer& viewer,
                                               SectorRecord mine) {
  const SectorRecord write = sector.write;
  const SectorRecord read = sector.read;
  if (write.bits() >= viewer.quiet && (write.is_split() || !ordered(viewer, write, mine))) {
    return false;
  }
  const bool more = (read.words() & ~mine.words()) != 0;
  if (is_past(viewer, read) || (!more && ordered(viewer, read, mine))) {
    sector.read = mine;
  } else if (read.agrees(mine)) {
    sector.read = mine.with_words(read.words() | mine.words());
  } else if (read.word_form() == Form::blocks) {
    // Another read by any threads of the launch changes nothing.
    if ((mine.words() & ~read.words()) != 0) {
      if (!viewer.merges) return false;
      sector.read = merged(read, mine, Form::blocks);
    }
  } else {
    const SectorRecord both = combined(viewer, read, mine);
    if (both.bits() == 0) return false;
    sector.read = both;
  }
  return true;
}

}  // namespace detail

/// `a || b` and `a && b` without a branch, for conditions that no processor could predict.
inline bool either(bool a, bool b) {
  return (static_cast<unsigned>(a) | static_cast<unsigned>(b)) != 0;
}
inline bool both(bool a, bool b) {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

/// Which sector records no later access of this launch has to know: those of earlier launches or
/// blocks and, in shared memory, those from before the block's last full barrier.
struct Past {
  std::uint64_t quiet = 0;  // Viewer::quiet
  Epoch settled = 0;        // Viewer::settled for shared memory, 0 for global memory

  bool has(SectorRecord record) const {
    return either(record.bits() < quiet, record.epoch() <= settled);
  }
};

/// Judge and record the usual accesses: all records of the sector are past, or of the same lanes at
/// the same epoch. Return false, and have changed nothing, in any other case.
inline bool is_usual(SectorRecord record, const Past& past, SectorRecord mine) {
  return either(past.has(record), record.bits() == mine.bits());
}
inline bool write_usual_sector(SectorRecords sector, const Past& past, SectorRecord mine) {
  if (!both(is_usual(sector.write, past, mine), is_usual(sector.read, past, mine))) return false;
  sector.write = mine;
  sector.read = {};
  return true;
}
inline bool read_usual_sector(SectorRecords sector, const Past& past, SectorRecord mine) {
  if (!both(is_usual(sector.write, past, mine), is_usual(sector.read, past, mine))) return false;
  if (sector.write.is_split()) sector.write = {};
  sector.read = mine;
  return true;
}
/// Likewise for all sectors of a line.
[[gnu::always_inline]] inline bool is_usual(const SectorLine& line, const Past& past,
                                            const SectorLine::Four& mine) {
  // Warps and epochs have 48 bits: processors compare them fastest as signed numbers.
  using Four [[gnu::vector_size(sizeof mine)]] = std::int64_t;
  using Two [[gnu::vector_size(sizeof mine / 2)]] = std::int64_t;
  constexpr int shift = ShadowWord::epoch_shift;
  const auto quiet = static_cast<std::int64_t>(past.quiet >> shift);
  const auto unsettled = static_cast<std::int64_t>(past.settled) + 1;
  const auto usual = [&](const SectorLine::Records& records, Four& found) {
    SectorLine::Four bits;
    std::memcpy(&bits, records.data(), sizeof bits);
    const auto times = reinterpret_cast<Four>(bits >> shift);
    found = (times < quiet) | ((times & latest_epoch) < unsettled) | (bits == mine);
  };
  Four writes;
  Four reads;
  usual(line.writes, writes);
  usual(line.reads, reads);
  const Four all = writes & reads;
  const Two two = __builtin_shufflevector(all, all, 0, 1) & __builtin_shufflevector(all, all, 2, 3);
  return (two[0] & two[1]) != 0;
}
[[gnu::always_inline]] inline bool write_usual_line(SectorLine& line, const Past& past,
                                                    const SectorLine::Four& mine) {
  if (!is_usual(line, past, mine)) return false;
  SectorLine::set(line.writes, mine);
  line.reads = {};
  return true;
}
[[gnu::always_inline]] inline bool read_usual_line(SectorLine& line, const Past& past,
                                                   const SectorLine::Four& mine) {
  if (!is_usual(line, past, mine)) return false;
  for (SectorRecord& write : line.writes) {
    if (write.is_split()) write = {};
  }
  SectorLine::set(line.reads, mine);
  return true;
}

/// Likewise for a read that overlaps reads of the block since its last barriers, by other lanes of
/// the warp or by other warps: neighbors read one another's elements.
inline bool read_overlapping_sector(SectorRecords sector, const Viewer& viewer, const Past& past,
                                    SectorRecord mine) {
  const SectorRecord read = sector.read;
  const bool exact = read.words() == mine.words();
  if (viewer.clocks != nullptr || !(exact || viewer.merges)) return false;
  if (mine.word_form() != Form::one || !is_usual(sector.write, past, mine)) return false;
  const Form form = read.word_form();
  const std::uint32_t index = read.warp() - viewer.first;
  if (read.warp() == mine.warp() && form != Form::warps) {
    const bool now = read.epoch() == mine.epoch() && (read.words() & mine.words()) != 0;
    const bool other_lanes = read.form() == mine.form() && read.lane() != mine.lane();
    if (!now || (!other_lanes && form != Form::lanes)) return false;
    sector.read = detail::merged(read, mine, Form::lanes);
    return true;
  }
  if (index >= viewer.warps || form == Form::blocks) return false;
  if (read.epoch() <= viewer.block_known[index]) return false;
  sector.read = detail::merged(read, mine, Form::warps);
  return true;
}

/// What scattered accesses to one memory need to know of the launch.
struct Scattering {
  Past past;
  WarpNumber first = 0;     // Viewer::first
  std::uint32_t warps = 0;  // Viewer::warps
  bool merges = false;      // Viewer::merges, and there are no clocks of lanes
};

/// The record of several blocks, or a record of another block that becomes one by merging.
inline bool is_of_other_blocks(SectorRecord record, const Scattering& launch) {
  const bool other = record.warp() - launch.first >= launch.warps;
  return either(record.is_of_blocks(), both(other, !record.is_split()));
}
/// The record `mine` or, if `before` is not past, of the accesses of both by any threads.
inline SectorRecord with_other_blocks(SectorRecord before, bool is_past, SectorRecord mine) {
  return is_past ? mine : detail::merged(before, mine, Form::blocks);
}

/// Likewise for scattered accesses to global memory. Other blocks may have accessed other words of
/// the sector, or may have read the same. There is no branch for this.
inline bool write_scattered(SectorRecords sector, const Scattering& launch, SectorRecord mine) {
  const SectorRecord write = sector.write;
  const SectorRecord read = sector.read;
  const bool anew = either(launch.past.has(write), write.bits() == mine.bits());
  const bool apart = (write.words() & mine.words()) == 0;
  const bool joins = both(both(launch.merges, apart), is_of_other_blocks(write, launch));
  const bool unread = either(launch.past.has(read), read.bits() == mine.bits());
  if (!both(unread, either(anew, joins))) return false;
  sector.write = with_other_blocks(write, anew, mine);
  sector.read = {};
  return true;
}
inline bool read_scattered(SectorRecords sector, const Scattering& launch, SectorRecord mine) {
  const SectorRecord write = sector.write;
  const SectorRecord read = sector.read;
  const bool anew = either(launch.past.has(read), read.bits() == mine.bits());
  const bool joins = both(launch.merges, is_of_other_blocks(read, launch));
  const bool unwritten = either(launch.past.has(write), write.bits() == mine.bits());
  if (!both(unwritten, either(anew, joins))) return false;
  sector.read = with_other_blocks(read, anew, mine);
  return true;
}

/// Likewise for shared memory, of which several warps of the block have read other words.
inline bool read_scattered_in_block(SectorRecords sector, const Scattering& launch,
                                    SectorRecord mine) {
  const SectorRecord read = sector.read;
  if (!launch.merges || !launch.past.has(sector.write) || launch.past.has(read)) return false;
  if (read.form() != SectorForm::many || read.word_form() != Form::warps) return false;
  sector.read = detail::merged(read, mine, Form::warps);
  return true;
}

/// Judge and record the usual scattered accesses. Return false, and have changed nothing, in any
/// other case.
template <bool writes, bool shared>
[[gnu::always_inline]] inline bool judge_usual(SectorRecords sector, const Scattering& launch,
                                               SectorRecord mine) {
  if constexpr (shared) {
    return writes ? write_usual_sector(sector, launch.past, mine)
                  : read_usual_sector(sector, launch.past, mine) ||
                        read_scattered_in_block(sector, launch, mine);
  } else {
    return writes ? write_scattered(sector, launch, mine) : read_scattered(sector, launch, mine);
  }
}

inline Past past_of(const Viewer& viewer) {
  return {viewer.quiet, viewer.shared ? viewer.settled : 0};
}

/// Judges the write `mine` and records it. No two lanes of the access touch the same word, or they
/// touch whole elements of it as SectorForm says.
inline bool write_sector(SectorRecords sector, const Viewer& viewer, SectorRecord mine) {
  return write_usual_sector(sector, past_of(viewer), mine) ||
         detail::write_busy_sector(sector, viewer, mine);
}

/// Judges the read `mine` and records it.
inline bool read_sector(SectorRecords sector, const Viewer& viewer, SectorRecord mine) {
  const Past past = past_of(viewer);
  return read_usual_sector(sector, past, mine) ||
         read_overlapping_sector(sector, viewer, past, mine) ||
         detail::read_busy_sector(sector, viewer, mine);
}

/// Gives the words the records for which the sector's records stand, and marks the sector as split
/// by the warp `warp` for an access at `now`.
inline void split_sector(SectorRecords sector, SplitSector& split, std::uint64_t quiet,
                         WarpNumber warp, Epoch now) {
  const auto word_of = [quiet](SectorRecord record, std::uint32_t word) {
    const bool touched = record.bits() >= quiet && (record.words() >> word & 1U) != 0;
    return touched ? record.word(word) : ShadowWord();
  };
  for (std::uint32_t word = 0; word < words_of_sector; ++word) {
    split.words[word] = {word_of(sector.write, word), word_of(sector.read, word)};
  }
  for (const SectorRecord record : {sector.write, sector.read}) {
    if (record.bits() >= quiet) now = std::max(now, record.epoch());
  }
  sector.write = SectorRecord::split(warp, now);
  sector.read = {};
}

}  // namespace bankproof::ptx
