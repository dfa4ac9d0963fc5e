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
    unit_ = std::min({word_bytes, touched_.bytes, strong_ ? access.element_bytes : word_bytes});
    mine_ = ShadowWord::of(judged.warp, judged.now, 0, (1U << unit_) - 1U);
    // Records hold no scope. So in global memory, only an access with the device's scope is
    // recorded as strong.
    if (strong_ && (viewer_.shared || access.scope == Scope::device)) {
      mine_ = mine_.made_strong(Bound::launch, wide_of(access.element_bytes));
    }
  }

  std::vector<FoundRace> judge() {
    if (touched_.contiguous && !strong_ && quiet_run()) return {};
    const bool words = !strong_ && unit_ == word_bytes;
    if (!touched_.writes) {
      each_piece([&](std::uint32_t lane, std::uint64_t at) {
        if (words && read_settled(word(at), viewer_, record(lane, at))) return;
        read(lane, at);
      });
    } else if (judged_.apart && touched_.bytes >= word_bytes) {
      each_piece([&](std::uint32_t lane, std::uint64_t at) {
        if (words && write_settled(word(at), viewer_, record(lane, at))) return;
        write(lane, at);
      });
    } else {
      // Lanes may share a word. So all lanes are checked before any lane is recorded: no lane may
      // see the record of another lane of this access.
      each_piece([&](std::uint32_t lane, std::uint64_t at) {
        note(check_write(word(at), viewer_, record(lane, at)), lane, at);
      });
      each_piece([&](std::uint32_t lane, std::uint64_t at) {
        if (word(at).write.form() == Form::watched) return;
        record_write(word(at), viewer_, record(lane, at));
      });
    }
    return watched_.empty() ? std::vector<FoundRace>() : judge_watched();
  }

 private:
  static std::uint32_t wide_of(std::uint32_t element_bytes) {
    return element_bytes <= word_bytes ? 0 : element_bytes == 8 ? 1 : 2;
  }

  ShadowWords word(std::uint64_t at) const { return shadow_.words[at / word_bytes]; }

  ShadowWord record(std::uint32_t lane, std::uint64_t at) const {
    const ShadowWord of_lane(mine_.bits() | std::uint64_t{lane} << ShadowWord::lane_shift);
    return unit_ == word_bytes ? of_lane : of_lane.with_bytes(mine_.bytes() << (at % word_bytes));
  }

  template <class Function>
  void each_piece(const Function& function) const {
    each_lane(touched_.lanes, [&](std::uint32_t lane) {
      const std::uint64_t from = touched_.at[lane];
      for (std::uint64_t at = from; at < from + touched_.bytes; at += unit_) function(lane, at);
    });
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

  /// Judges and records the usual case, and returns true: consecutive lanes access words that this
  /// launch has not touched, or that the same lanes have read before. Returns false in any other
  /// case.
  bool quiet_run() {
    const std::uint64_t first = touched_.at[0];
    const std::uint64_t bytes = std::uint64_t{warp_lanes} * touched_.bytes;
    if (first % word_bytes != 0) return false;
    ShadowWord* const writes = &word(first).write;
    ShadowWord* const reads = &word(first).read;
    const std::size_t count = bytes / word_bytes;
    // of_word(k), the record of word k, stands for one lane or, if several elements lie in the
    // word, for all their lanes.
    const ShadowWord whole = mine_.with_bytes(15);
    const ShadowWord base = touched_.bytes == 1   ? whole.with(Form::bytes)
                            : touched_.bytes == 2 ? whole.with(Form::halves)
                                                  : whole;
    const auto shift = static_cast<std::uint64_t>(std::countr_zero(touched_.bytes));
    const auto of_word = [&](std::uint64_t k) {
      return base.bits() | k * word_bytes >> shift << ShadowWord::lane_shift;
    };
    // The highest bit of `loud` is set if any record is not quiet. The loops compute this bit
    // instead of comparing, since a processor may have no vector comparison of 64-bit numbers.
    std::uint64_t loud = 0;
    if (touched_.writes) {
      for (std::size_t k = 0; k < count; ++k) {
        loud |= not_below(writes[k].bits(), viewer_.quiet);
        loud |= not_below(reads[k].bits(), viewer_.quiet);
      }
      if (loud >> 63U != 0) return false;
      for (std::size_t k = 0; k < count; ++k) writes[k] = ShadowWord(of_word(k));
    } else {
      for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t read = reads[k].bits();
        const std::uint64_t other = read ^ of_word(k);
        loud |= not_below(writes[k].bits(), viewer_.quiet);
        loud |= not_below(read, viewer_.quiet) & (other | (0 - other));
      }
      if (loud >> 63U != 0) return false;
      for (std::size_t k = 0; k < count; ++k) reads[k] = ShadowWord(of_word(k));
    }
    return true;
  }

  /// Returns a number whose highest bit is set if and only if a ≥ b.
  static std::uint64_t not_below(std::uint64_t a, std::uint64_t b) {
    return ~((~a & b) | ((~a | b) & (a - b)));
  }

  std::vector<WatchedAccess>& list(std::uint64_t at) const {
    const std::uint64_t word = at / word_bytes * word_bytes;
    return shadow_.history->watched.at(viewer_.shared ? word : judged_.begin + word);
  }

  WatchedAccess access(const Piece& piece) const {
    const Access& access = judged_.access;
    return {.warp = mine_.warp(),
            .epoch = judged_.now,
            .lanes = LaneMask{1} << piece.lane,
            .site = judged_.site,
            .bytes = static_cast<std::uint8_t>(record(piece.lane, piece.at).bytes()),
            .element = static_cast<std::uint8_t>(access.element_bytes),
            .write = touched_.writes,
            .strong = strong_,
            .device = access.scope == Scope::device};
  }

  std::vector<FoundRace> judge_watched() {
    std::vector<FoundRace> found;
    for (const Piece& piece : watched_) {
      const Race race = race_of(list(piece.at), viewer_, access(piece), piece.lane);
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
};

}  // namespace

std::vector<FoundRace> judge_races(const JudgedAccess& judged, const Viewer& viewer,
                                   const Shadow& shadow, Suspects& suspects) {
  return Judge(judged, viewer, shadow, suspects).judge();
}

}  // namespace bankproof::ptx
