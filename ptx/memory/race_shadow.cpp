// Judges an access by the records of the words that it touches; see race_shadow.hpp.
#include "race_shadow.hpp"

#include <algorithm>
#include <bit>

#include "../../model/gpu/rule.hpp"

namespace bankproof::ptx {
namespace {

/// A part of an access that is judged alone. A piece lies in one word and, in a strong access, in
/// one element.
struct Piece {
  std::uint32_t lane = 0;
  std::uint64_t at = 0;  // offset in the memory
};

class Judge {
 public:
  Judge(const JudgedAccess& judged, const Viewer& viewer, const Shadow& shadow, Suspects& suspects)
      : judged_(judged),
        touched_(judged.touched),
        viewer_(viewer),
        shadow_(shadow),
        suspects_(suspects) {
    const Access& access = judged.access;
    strong_ = access.semantics != Semantics::weak;
    unit_ = std::min({word_bytes, touched_.bytes, strong_ ? access.bytes_at_once() : word_bytes});
    mine_ = ShadowWord::of(judged.warp, judged.now, 0, (1U << unit_) - 1U);
    // Records hold no scope. So in global memory, only an access with the device's scope is
    // recorded as strong.
    if (strong_ && (viewer_.shared || access.scope == Scope::device)) {
      mine_ = mine_.made_strong(Bound::launch, ShadowWord::wide_of(access.bytes_at_once()));
    }
  }

  std::vector<FoundRace> judge() {
    // Sector records are of weak accesses by warps. A copy is an access by a copier.
    const bool weak = !strong_ && judged_.warp == viewer_.warp && !viewer_.by_words;
    if (weak && touched_.contiguous && touched_.at[0] % word_bytes == 0) {
      row();
    } else if (weak && unit_ == word_bytes && (judged_.apart || !touched_.writes)) {
      each_lane(touched_.lanes, [this](std::uint32_t lane) { words_of(lane); });
    } else {
      words(touched_.lanes, 0, ~std::uint64_t{0});
    }
    return found();
  }

  std::vector<FoundRace> judge(std::uint64_t from, std::uint64_t to) {
    words(touched_.lanes, from, to);
    return found();
  }

 private:
  bool judge_sector(std::size_t sector, SectorRecord mine) const {
    const SectorRecords records = shadow_.records.sector(sector);
    return touched_.writes ? write_sector(records, viewer_, mine)
                           : read_sector(records, viewer_, mine);
  }
  /// Consecutive lanes access consecutive elements that fill words.
  void row() {
    const SectorRow row(touched_.at[0], touched_.bytes, mine_.warp(), judged_.now);
    for (std::size_t k = 0; k < row.sectors(); ++k) {
      const SectorRecord mine = row.record(k);
      if (!judge_sector(row.first_sector() + k, mine))
        words(touched_.lanes, row.from(k), row.to(k));
    }
  }

  /// One lane of an access to whole words. The words of a lane lie in one sector.
  void words_of(std::uint32_t lane) {
    const std::uint64_t at = touched_.at[lane];
    const auto word = static_cast<std::uint32_t>(at % sector_bytes / word_bytes);
    const WordMask words = ((1U << touched_.bytes / word_bytes) - 1U) << word;
    const SectorRecord mine =
        SectorRecord::of(mine_.warp(), judged_.now, SectorForm::one, lane, words);
    if (judge_sector(at / sector_bytes, mine)) return;
    this->words(LaneMask{1} << lane, at, at + touched_.bytes);
  }

  /// Calls the function with each piece of these lanes in the bytes [from, to).
  template <class Function>
  void each_piece(LaneMask lanes, std::uint64_t from, std::uint64_t to,
                  const Function& function) const {
    each_lane(lanes, [&](std::uint32_t lane) {
      const std::uint64_t begin = std::max(touched_.at[lane], from);
      const std::uint64_t end = std::min(touched_.at[lane] + touched_.bytes, to);
      for (std::uint64_t at = begin; at < end; at += unit_) function(lane, at);
    });
  }

  /// Judges the pieces of these lanes in the bytes [from, to) by the records of words.
  [[gnu::noinline]] void words(LaneMask lanes, std::uint64_t from, std::uint64_t to) {
    const bool whole = !strong_ && unit_ == word_bytes;
    if (!touched_.writes) {
      each_piece(lanes, from, to, [&](std::uint32_t lane, std::uint64_t at) {
        if (whole && read_settled(word(at), viewer_, record(lane, at))) return;
        if (mine_.strong() && read_strongly_again(word(at), viewer_, record(lane, at))) return;
        read(lane, at);
      });
    } else if (mine_.strong()) {
      // Strong writes of one element do not race, so they may be judged in any order.
      LaneMask others = 0;
      each_piece(lanes, from, to, [&](std::uint32_t lane, std::uint64_t at) {
        const bool again = write_strongly_again(word(at), viewer_, record(lane, at));
        others |= LaneMask{!again} << lane;
      });
      if (others != 0) write_together(others, from, to);
    } else if (judged_.apart && touched_.bytes >= word_bytes) {
      each_piece(lanes, from, to, [&](std::uint32_t lane, std::uint64_t at) {
        if (whole && write_settled(word(at), viewer_, record(lane, at))) return;
        write(lane, at);
      });
    } else {
      write_together(lanes, from, to);
    }
  }

  /// Lanes may share a word. So all lanes are checked before any lane is recorded: no lane may see
  /// the record of another lane of this access.
  void write_together(LaneMask lanes, std::uint64_t from, std::uint64_t to) {
    each_piece(lanes, from, to, [&](std::uint32_t lane, std::uint64_t at) {
      note(check_write(word(at), viewer_, record(lane, at)), lane, at);
    });
    each_piece(lanes, from, to, [&](std::uint32_t lane, std::uint64_t at) {
      if (word(at).write.form() == Form::watched) return;
      record_write(word(at), viewer_, record(lane, at));
    });
  }

  ShadowWords word(std::uint64_t at) {
    const std::size_t of = at / sector_bytes;
    if (of != sector_) {
      // Barriers settle nothing in global memory, and no copies in flight.
      const bool settles = viewer_.shared && judged_.warp == viewer_.warp;
      sector_ = of;
      words_ = &shadow_.records.words_of(of, viewer_.quiet, viewer_.warp,
                                         settles ? judged_.now : latest_epoch);
    }
    SplitSector::Word& here = words_->words[at % sector_bytes / word_bytes];
    return {here.write, here.read};
  }

  ShadowWord record(std::uint32_t lane, std::uint64_t at) const {
    const ShadowWord of_lane(mine_.bits() | std::uint64_t{lane} << ShadowWord::lane_shift);
    return unit_ == word_bytes ? of_lane : of_lane.with_bytes(mine_.bytes() << (at % word_bytes));
  }

  [[gnu::noinline]] void read(std::uint32_t lane, std::uint64_t at) {
    note(read_word(word(at), viewer_, record(lane, at)), lane, at);
  }

  [[gnu::noinline]] void write(std::uint32_t lane, std::uint64_t at) {
    const Judgement judgement = check_write(word(at), viewer_, record(lane, at));
    note(judgement, lane, at);
    if (judgement != Judgement::watched) record_write(word(at), viewer_, record(lane, at));
  }

  void note(Judgement judgement, std::uint32_t lane, std::uint64_t at) {
    if (judgement == Judgement::clear) return;
    if (judgement == Judgement::watched) {
      watched_.push_back({lane, at});
    } else {
      suspects_.add(judged_.begin + at / word_bytes * word_bytes);
    }
  }

  /// The accesses to the word. Lanes often share it.
  std::vector<WatchedAccess>& list(std::uint64_t at) {
    const std::uint64_t word = at / word_bytes * word_bytes;
    if (list_ == nullptr || list_word_ != word) {
      list_ = &shadow_.history->watched.at(viewer_.shared ? word : judged_.begin + word);
      list_word_ = word;
    }
    return *list_;
  }

  WatchedAccess access(const Piece& piece) const {
    const Access& access = judged_.access;
    return {.warp = mine_.warp(),
            .epoch = judged_.now,
            .lanes = LaneMask{1} << piece.lane,
            .site = judged_.site,
            .bytes = static_cast<std::uint8_t>(record(piece.lane, piece.at).bytes()),
            .element = static_cast<std::uint8_t>(access.bytes_at_once()),
            .write = touched_.writes,
            .strong = strong_,
            .device = access.scope == Scope::device};
  }

  std::vector<FoundRace> found() {
    return watched_.empty() ? std::vector<FoundRace>() : judge_watched();
  }

  std::vector<FoundRace> judge_watched() {
    std::vector<FoundRace> found;
    const Piece* harmless = nullptr;  // no lane that makes this access races
    for (const Piece& piece : watched_) {
      if (harmless != nullptr && harmless->at == piece.at) continue;
      const WatchedAccess mine = access(piece);
      if (all_lanes_know_conflicts(list(piece.at), viewer_, mine)) {
        harmless = &piece;
        continue;
      }
      const Race race = race_of(list(piece.at), viewer_, mine, piece.lane);
      if (race.other != nullptr) found.push_back({piece.lane, *race.other, race.lane});
    }
    for (const Piece& piece : watched_) {
      watch(list(piece.at), viewer_, access(piece), piece.lane);
    }
    return found;
  }

  const JudgedAccess& judged_;
  const Footprint& touched_;
  const Viewer& viewer_;
  const Shadow& shadow_;
  Suspects& suspects_;
  bool strong_ = false;
  std::uint32_t unit_ = 0;  // bytes of a piece
  ShadowWord mine_;         // the record of lane 0, at the beginning of a word
  std::vector<Piece> watched_;
  // The sector of the last word, and the records of its words.
  std::size_t sector_ = ~std::size_t{0};
  SplitSector* words_ = nullptr;
  // The last watched word, and its accesses.
  std::uint64_t list_word_ = 0;
  std::vector<WatchedAccess>* list_ = nullptr;
};

}  // namespace

std::vector<FoundRace> judge_races(const JudgedAccess& judged, const Viewer& viewer,
                                   const Shadow& shadow, Suspects& suspects) {
  return Judge(judged, viewer, shadow, suspects).judge();
}

std::vector<FoundRace> judge_by_words(const JudgedAccess& judged, const Viewer& viewer,
                                      const Shadow& shadow, Suspects& suspects, std::uint64_t from,
                                      std::uint64_t to) {
  return Judge(judged, viewer, shadow, suspects).judge(from, to);
}

}  // namespace bankproof::ptx
