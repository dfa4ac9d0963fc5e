// Judges by the records of words whether an access may race with an earlier access.
//
// If an access races, the judgement is never `clear`. If it does not race, the judgement may still
// be `suspect`, since a record may stand for more accesses than there were.
#pragma once

#include <bit>
#include <cstdint>

#include "copies.hpp"
#include "lane_clocks.hpp"
#include "shadow_word.hpp"

namespace bankproof::ptx {

/// The judgement of an access to a word: no race, perhaps a race, or a watched word, which
/// watch.hpp must judge.
enum class Judgement : std::uint8_t { clear, suspect, watched };

/// A warp at one of its accesses.
struct Viewer {
  std::uint64_t quiet = 0;  // smaller records are of earlier launches or blocks
  WarpNumber warp = 0;
  Epoch known = 0;  // all lanes of the warp know its accesses up to this epoch
  // `warps` numbers belong to the viewer's block: the numbers from `first` on are its warps, and
  // those from first + copiers on are their copiers (copies.hpp). For each of these numbers,
  // block_known has the epoch up to which all threads of the block know its accesses.
  WarpNumber first = 0;
  std::uint32_t warps = 0;
  std::uint32_t copiers = 0;
  const Epoch* block_known = nullptr;
  Epoch settled = 0;                   // the least block_known of the warps
  const LaneClocks* clocks = nullptr;  // null unless the launch is precise
  const Copies* copies = nullptr;      // null unless the warp has issued copies
  bool shared = false;                 // the accessed memory is shared memory
  bool by_words = false;               // no sector record may stand for the records of its words
  bool merges = false;                 // sector records may merge warps (judge_sector.hpp)

  bool is_quiet(ShadowWord record) const { return record.bits() < quiet; }
  bool in_block(ShadowWord record) const { return record.warp() - first < warps; }
  /// Whether the warp is a copier in the viewer's block.
  bool is_copier(WarpNumber of) const { return of - first - copiers < warps - copiers; }
  bool is_own_copier(WarpNumber of) const { return copies != nullptr && of == warp + copiers; }
  /// Whether all threads of the block know the record: its accesses happened before their next
  /// accesses.
  bool block_knows(ShadowWord record) const {
    const std::uint32_t index = record.warp() - first;
    return index < warps && record.form() != Form::blocks && record.epoch() <= block_known[index];
  }
  /// Whether the record happened before the launch, or all threads of the block know it. The check
  /// is quick: it may also return false for a record that the block knows, if the block's warps are
  /// at different epochs.
  bool is_settled(ShadowWord record) const {
    if (is_quiet(record)) return true;
    const std::uint32_t index = record.warp() - first;
    if (index < copiers) [[likely]] {
      return record.form() < Form::blocks && record.epoch() <= settled;
    }
    return block_knows(record);
  }
  /// Whether the viewer's lane `lane` has acquired the accesses of lane `of_lane` of warp `of_warp`
  /// up to `epoch`; `of_warp` may be the viewer's warp.
  bool acquired(WarpNumber of_warp, std::uint32_t of_lane, Epoch epoch, std::uint32_t lane) const {
    return clocks != nullptr && clocks->acquired[lane].of(of_warp, of_lane) >= epoch;
  }

  /// Whether the record's accesses happened before the current access of each of the warp's lanes.
  /// This does not depend on the lane that made them.
  bool all_lanes_know(ShadowWord record) const {
    if (is_quiet(record) || block_knows(record)) return true;
    if (record.form() > Form::lanes) return false;
    return (record.warp() == warp && record.epoch() <= known) ||
           (is_own_copier(record.warp()) && record.epoch() <= copies->known_to_warp);
  }

  /// Whether the record's accesses to `bytes` happened before the lane's current access.
  bool ordered(ShadowWord record, std::uint32_t lane, std::uint32_t bytes) const;
};

namespace detail {

/// The lane that touched byte `byte`, if the record has one lane for each byte. Lanes count modulo
/// 32.
inline std::uint32_t lane_of(ShadowWord record, std::uint32_t byte) {
  switch (record.form()) {
    case Form::bytes:
      return (record.lane() + byte) % warp_lanes;
    case Form::halves:
      return (record.lane() + byte / 2) % warp_lanes;
    default:
      return record.lane();
  }
}

/// Whether the lane knows the record without a barrier of the whole block: it made the accesses, or
/// it issued them as copies and has waited for these copies, or it has acquired the accesses.
inline bool lane_knows(const Viewer& viewer, ShadowWord record, std::uint32_t lane,
                       std::uint32_t bytes) {
  if (record.form() == Form::lanes) {
    return viewer.clocks != nullptr &&
           viewer.clocks->acquired[lane].of_all_lanes(record.warp()) >= record.epoch();
  }
  if (record.form() > Form::lanes) return false;
  for (std::uint32_t rest = record.bytes() & bytes; rest != 0; rest &= rest - 1) {
    const std::uint32_t other = lane_of(record, static_cast<std::uint32_t>(std::countr_zero(rest)));
    if (record.warp() == viewer.warp && other == lane) continue;
    if (viewer.is_own_copier(record.warp()) && other == lane &&
        record.epoch() <= viewer.copies->done(lane)) {
      continue;
    }
    if (!viewer.acquired(record.warp(), other, record.epoch(), lane)) return false;
    if (record.form() == Form::one) break;
  }
  return true;
}

/// Adds the lane of `mine` to the record, which has the same warp and epoch. This is possible if
/// consecutive lanes touch consecutive elements, of one byte each or of two bytes each. If they do
/// not, returns a record of no access (bits 0).
inline ShadowWord spread(ShadowWord record, ShadowWord mine) {
  const auto place = static_cast<std::uint32_t>(std::countr_zero(mine.bytes()));
  const bool halves = std::popcount(mine.bytes()) == 2;
  const Form form = halves ? Form::halves : Form::bytes;
  const std::uint32_t rank = halves ? place / 2 : place;
  if (std::popcount(mine.bytes()) > 2 || mine.lane() < rank) return {};
  const std::uint32_t lane = mine.lane() - rank;
  if (record.form() == Form::one) {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(record.bytes()));
    if (std::popcount(record.bytes()) != (halves ? 2 : 1) ||
        record.lane() != lane + (halves ? other / 2 : other)) {
      return {};
    }
  } else if (record.form() != form || record.lane() != lane) {
    return {};
  }
  return mine.with(form).with_lane(lane).with_bytes(record.bytes() | mine.bytes());
}

/// A weak record that stands for the accesses of `record` and of `mine`. Both may belong to
/// different warps. `mine` has Form::one.
inline ShadowWord combined(const Viewer& viewer, ShadowWord record, ShadowWord mine) {
  const ShadowWord both = mine.made_weak().with_bytes(record.bytes() | mine.bytes());
  if (!viewer.in_block(record) || record.form() == Form::blocks) return both.with(Form::blocks);
  if (record.warp() != mine.warp() || record.form() == Form::warps) {
    // Form::warps says that the block's next full barrier orders the accesses, but a barrier does
    // not order copies in flight.
    const bool copied = viewer.is_copier(record.warp()) || viewer.is_copier(mine.warp());
    return both.with(copied ? Form::blocks : Form::warps);
  }
  if (record.form() == Form::one && record.lane() == mine.lane()) return both;
  if (record.epoch() == mine.epoch()) {
    const ShadowWord spreading = spread(record, mine.made_weak());
    if (spreading.bits() != 0) return spreading;
  }
  return both.with(Form::lanes);
}

/// Whether both are strong accesses to the same element, or to elements of the same size that have
/// no byte in common or all. Such accesses do not race with each other.
inline bool same_element(ShadowWord a, ShadowWord b) {
  return a.strong() && b.strong() && a.wide() == b.wide() &&
         (a.bytes() == b.bytes() || ShadowWord::is_small(a.wide()));
}

/// A strong record may hide an earlier weak access. Returns whether this hidden access is ordered
/// before the viewer's access.
inline bool within_bound(const Viewer& viewer, ShadowWord record) {
  switch (record.bound()) {
    case Bound::launch:
      return true;
    case Bound::block:
      return viewer.in_block(record);
    case Bound::warp:
      break;
  }
  return record.warp() == viewer.warp || viewer.block_knows(record);
}

/// Whether the record may race with `mine`; one of them must be a write.
inline bool suspect(const Viewer& viewer, ShadowWord record, ShadowWord mine) {
  if (viewer.is_quiet(record) || (record.bytes() & mine.bytes()) == 0) return false;
  if (same_element(record, mine)) return !within_bound(viewer, record);
  return !viewer.ordered(record, mine.lane(), mine.bytes());
}

/// The record after the strong write `mine`. It also stands for the earlier write `before` and for
/// a weak access that `before` hides, if later accesses can race with these.
inline ShadowWord strong_write(const Viewer& viewer, ShadowWord before, ShadowWord mine) {
  if (viewer.is_quiet(before)) return mine;
  const bool all_know = viewer.block_knows(before);
  const Bound of_block = viewer.shared ? Bound::launch : Bound::block;
  const bool covers = (before.bytes() & ~mine.bytes()) == 0;
  // If `before` has other elements, `mine` has not been checked against what they hide. The bound
  // of both together holds only if it holds for the viewer.
  if (same_element(before, mine) && (covers || within_bound(viewer, before))) {
    const Bound bound = before.bound() != Bound::launch && all_know ? of_block : before.bound();
    const bool forgets = covers && viewer.ordered(before, mine.lane(), mine.bytes());
    const ShadowWord after = forgets ? mine : combined(viewer, before, mine);
    return after.made_strong(bound, mine.wide());
  }
  if (!before.strong() && covers) {
    if (all_know) return mine.made_strong(of_block, mine.wide());
    if (before.warp() == viewer.warp && before.form() <= Form::lanes &&
        before.epoch() <= viewer.known) {
      return mine.made_strong(Bound::warp, mine.wide());
    }
  }
  return combined(viewer, before, mine);
}

}  // namespace detail

inline bool Viewer::ordered(ShadowWord record, std::uint32_t lane, std::uint32_t bytes) const {
  return all_lanes_know(record) || detail::lane_knows(*this, record, lane, bytes);
}

/// Checks the write `mine`, which has Form::one, but does not record it.
inline Judgement check_write(ShadowWords word, const Viewer& viewer, ShadowWord mine) {
  if (word.write.form() == Form::watched) return Judgement::watched;
  return detail::suspect(viewer, word.write, mine) || detail::suspect(viewer, word.read, mine)
             ? Judgement::suspect
             : Judgement::clear;
}

/// Records the write.
inline void record_write(ShadowWords word, const Viewer& viewer, ShadowWord mine) {
  if (mine.strong()) {
    // The record of reads stays: a later strong write need not be ordered after this write, and may
    // race with the reads.
    word.write = detail::strong_write(viewer, word.write, mine);
    return;
  }
  // If the old write is neither ordered before this write nor suspected, other lanes of the same
  // instruction made it.
  const bool covers =
      viewer.is_quiet(word.write) || ((word.write.bytes() & ~mine.bytes()) == 0 &&
                                      viewer.ordered(word.write, mine.lane(), mine.bytes()));
  word.write = covers ? mine : detail::combined(viewer, word.write, mine);
  const std::uint32_t unread = word.read.bytes() & ~mine.bytes();
  word.read = unread == 0 ? ShadowWord() : word.read.with_bytes(unread);
}

namespace detail {

/// A quick way to the record of the access `before`, which has not happened before `mine`, and of
/// `mine`, or of `mine` alone if it has; both touch the same bytes. No bits: it takes longer.
inline ShadowWord joined(const Viewer& viewer, ShadowWord before, ShadowWord mine) {
  if (before.form() == Form::blocks) return mine.with(Form::blocks);
  if (viewer.clocks != nullptr || viewer.warps != viewer.copiers) return {};
  if (!viewer.in_block(before)) return mine.with(Form::blocks);
  if (viewer.block_knows(before)) return mine;
  if (before.form() == Form::warps || before.warp() != mine.warp()) return mine.with(Form::warps);
  if (before.epoch() != mine.epoch()) return {};
  if (before.form() == Form::lanes) return mine.with(Form::lanes);
  if (before.form() != Form::one) return {};
  return before.lane() == mine.lane() ? mine : mine.with(Form::lanes);
}

/// Likewise for strong accesses, which may touch different elements of the word.
inline ShadowWord joined_strong(const Viewer& viewer, ShadowWord before, ShadowWord mine) {
  if (before.bytes() == mine.bytes()) return joined(viewer, before, mine);
  const bool apart = viewer.clocks == nullptr && !viewer.in_block(before);
  if (before.form() != Form::blocks && !apart) return {};
  return mine.with(Form::blocks).with_bytes(before.bytes() | mine.bytes());
}

/// Whether there was no access, or only strong accesses that do not race with `mine` and hide
/// none that may.
inline bool is_clear_of(const Viewer& viewer, ShadowWord before, ShadowWord mine) {
  return viewer.is_quiet(before) || (same_element(before, mine) && before.bound() == Bound::launch);
}

}  // namespace detail

/// Short cuts for the usual weak accesses to a whole word. If such a function returns true, the
/// access is clear, and the function has recorded it as record_write() or read_word() would.
inline bool write_settled(ShadowWords word, const Viewer& viewer, ShadowWord mine) {
  if (!viewer.is_settled(word.write) || !viewer.is_settled(word.read)) return false;
  word.write = mine;
  if (!viewer.is_quiet(word.read)) word.read = ShadowWord();
  return true;
}
inline bool read_settled(ShadowWords word, const Viewer& viewer, ShadowWord mine) {
  if (!viewer.is_settled(word.write)) return false;
  const ShadowWord before = word.read;
  if (before.bits() == mine.bits()) return true;
  if (viewer.is_settled(before)) {
    word.read = mine;
    return true;
  }
  if (before.strong() || before.bytes() != mine.bytes()) return false;
  const ShadowWord both = detail::joined(viewer, before, mine);
  if (both.bits() == 0) return false;
  word.read = both;
  return true;
}

/// Likewise for a strong write after strong writes of the same element, such as the operations of
/// many threads on one counter. Before these, a thread of the block may have cleared a counter in
/// global memory.
inline bool write_strongly_again(ShadowWords word, const Viewer& viewer, ShadowWord mine) {
  const ShadowWord before = word.write;
  const ShadowWord read = word.read;
  if (!detail::is_clear_of(viewer, read, mine) && (read.strong() || !viewer.is_settled(read))) {
    return false;
  }
  if (viewer.is_quiet(before)) {
    word.write = mine;
    return true;
  }
  const bool of_block = before.bound() == Bound::block && !viewer.shared && viewer.in_block(before);
  if (!detail::same_element(before, mine) || (before.bound() != Bound::launch && !of_block)) {
    return false;
  }
  const ShadowWord both = detail::joined_strong(viewer, before, mine);
  if (both.bits() == 0) return false;
  word.write = both.made_strong(before.bound(), mine.wide());
  return true;
}

/// Likewise for a strong read after strong accesses of elements of the same size.
inline bool read_strongly_again(ShadowWords word, const Viewer& viewer, ShadowWord mine) {
  const ShadowWord before = word.read;
  if (!detail::is_clear_of(viewer, word.write, mine)) return false;
  if (viewer.is_quiet(before)) {
    word.read = mine;
    return true;
  }
  if (!detail::same_element(before, mine)) return false;
  const ShadowWord both = detail::joined_strong(viewer, before, mine);
  if (both.bits() == 0) return false;
  word.read = both.made_strong(Bound::launch, mine.wide());
  return true;
}

/// Checks a read and records it.
inline Judgement read_word(ShadowWords word, const Viewer& viewer, ShadowWord mine) {
  if (word.write.form() == Form::watched) return Judgement::watched;
  const Judgement judgement =
      detail::suspect(viewer, word.write, mine) ? Judgement::suspect : Judgement::clear;
  const ShadowWord before = word.read;
  if (before.bits() == mine.bits()) return judgement;
  // The record can forget the earlier read if that read is ordered before this read, and if every
  // access that conflicts with the earlier read also conflicts with this read.
  const bool stronger = !mine.strong() || detail::same_element(before, mine);
  if (viewer.is_quiet(before) || (stronger && (before.bytes() & ~mine.bytes()) == 0 &&
                                  viewer.ordered(before, mine.lane(), 15))) {
    word.read = mine;
  } else {
    ShadowWord both = detail::combined(viewer, before, mine);
    if (detail::same_element(before, mine)) both = both.made_strong(Bound::launch, mine.wide());
    word.read = both;
  }
  return judgement;
}

}  // namespace bankproof::ptx
