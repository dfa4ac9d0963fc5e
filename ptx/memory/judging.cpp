// Judges an access of a warp by the records of the words that it touches.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "../isa/thread_text.hpp"
#include "mbarrier.hpp"
#include "request.hpp"
#include "synchronization.hpp"

namespace bankproof::ptx {
namespace {

/// The part of a word that is judged as one access. In a strong access, a piece does not exceed an
/// element.
struct Piece {
  std::uint32_t lane = 0;
  std::uint64_t at = 0;  // offset in the memory
};

class Judge {
 public:
  Judge(const Request& request, const Memory& memory)
      : request_(request),
        memory_(memory),
        viewer_(viewer_of(request.warp, memory.space == Space::shared)) {
    const Access& access = request.detail.access;
    strong_ = access.semantics != Semantics::weak;
    unit_ = std::min({word_bytes, request.bytes, strong_ ? access.element_bytes : word_bytes});
    const bool copies = request.detail.access.operation == Operation::copy;
    const WarpNumber number = copies ? request.warp.copier() : request.warp.number;
    mine_ = Record::of(number, request.warp.now, 0, (1U << unit_) - 1U);
    // Records hold no scope: in global memory, only an access with the device's scope is recorded
    // as strong.
    if (strong_ && (viewer_.shared || access.scope == Scope::device)) {
      mine_ = mine_.made_strong(Bound::launch, wide_of(access.element_bytes));
    }
  }

  void judge(LaneMask lanes, bool apart, bool contiguous) {
    if (contiguous && !strong_ && quiet_run()) return;
    const bool words = !strong_ && unit_ == word_bytes;
    if (!request_.writes()) {
      each_piece(lanes, [&](std::uint32_t lane, std::uint64_t at) {
        if (words && read_settled(word(at), viewer_, record(lane, at))) return;
        read(lane, at);
      });
    } else if (apart && request_.bytes >= word_bytes) {
      each_piece(lanes, [&](std::uint32_t lane, std::uint64_t at) {
        if (words && write_settled(word(at), viewer_, record(lane, at))) return;
        write(lane, at);
      });
    } else {
      // Lanes may share a word: no lane may see the records that other lanes of this access write.
      each_piece(lanes, [&](std::uint32_t lane, std::uint64_t at) {
        note(check_write(word(at), viewer_, record(lane, at)), lane, at);
      });
      each_piece(lanes, [&](std::uint32_t lane, std::uint64_t at) {
        if (word(at).write.form() == Form::watched) return;
        record_write(word(at), viewer_, record(lane, at));
      });
    }
    if (!watched_.empty()) judge_watched();
  }

 private:
  static std::uint32_t wide_of(std::uint32_t element_bytes) {
    return element_bytes <= word_bytes ? 0 : element_bytes == 8 ? 1 : 2;
  }

  WordRecord word(std::uint64_t at) const { return memory_.records[at / word_bytes]; }

  Record record(std::uint32_t lane, std::uint64_t at) const {
    const Record of_lane(mine_.bits() | std::uint64_t{lane} << Record::lane_shift);
    return unit_ == word_bytes ? of_lane : of_lane.with_bytes(mine_.bytes() << (at % word_bytes));
  }

  template <class Function>
  void each_piece(LaneMask lanes, const Function& function) const {
    each_lane(lanes, [&](std::uint32_t lane) {
      const std::uint64_t from = request_.at[lane];
      for (std::uint64_t at = from; at < from + request_.bytes; at += unit_) function(lane, at);
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
      request_.warp.launch->suspects.add(memory_.begin + at / word_bytes * word_bytes);
    }
  }

  /// The usual case: consecutive lanes access words that this launch has not touched, or that the
  /// same lanes have read before. Returns false in any other case.
  bool quiet_run() {
    const std::uint64_t first = request_.at[0];
    const std::uint64_t bytes = std::uint64_t{warp_lanes} * request_.bytes;
    if (first % word_bytes != 0) return false;
    Record* const writes = &word(first).write;
    Record* const reads = &word(first).read;
    const std::size_t count = bytes / word_bytes;
    // The record of word k: it stands for one lane, or for all lanes whose elements are in the
    // word.
    const Record whole = mine_.with_bytes(15);
    const Record base = request_.bytes == 1   ? whole.with(Form::bytes)
                        : request_.bytes == 2 ? whole.with(Form::halves)
                                              : whole;
    const auto shift = static_cast<std::uint64_t>(std::countr_zero(request_.bytes));
    const auto of_word = [&](std::uint64_t k) {
      return base.bits() | k * word_bytes >> shift << Record::lane_shift;
    };
    // Sets the highest bit if any record is not quiet: vector instructions may not compare such
    // numbers.
    std::uint64_t loud = 0;
    if (request_.writes()) {
      for (std::size_t k = 0; k < count; ++k) {
        loud |= not_below(writes[k].bits(), viewer_.quiet);
        loud |= not_below(reads[k].bits(), viewer_.quiet);
      }
      if (loud >> 63U != 0) return false;
      for (std::size_t k = 0; k < count; ++k) writes[k] = Record(of_word(k));
    } else {
      for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t read = reads[k].bits();
        const std::uint64_t other = read ^ of_word(k);
        loud |= not_below(writes[k].bits(), viewer_.quiet);
        loud |= not_below(read, viewer_.quiet) & (other | (0 - other));
      }
      if (loud >> 63U != 0) return false;
      for (std::size_t k = 0; k < count; ++k) reads[k] = Record(of_word(k));
    }
    return true;
  }

  /// The highest bit is set if a ≥ b, so that a - b borrows nothing.
  static std::uint64_t not_below(std::uint64_t a, std::uint64_t b) {
    return ~((~a & b) | ((~a | b) & (a - b)));
  }

  WatchedWords& lists() const {
    return viewer_.shared ? request_.warp.block->watched : request_.warp.launch->watched;
  }
  std::vector<WatchedAccess>& list(std::uint64_t at) const {
    const std::uint64_t word = at / word_bytes * word_bytes;
    return lists().at(viewer_.shared ? word : memory_.begin + word);
  }

  WatchedAccess access(const Piece& piece) const {
    const Access& access = request_.detail.access;
    return {.warp = mine_.warp(),
            .tick = request_.warp.now,
            .lanes = LaneMask{1} << piece.lane,
            .site = request_.site,
            .bytes = static_cast<std::uint8_t>(record(piece.lane, piece.at).bytes()),
            .element = static_cast<std::uint8_t>(access.element_bytes),
            .write = request_.writes(),
            .strong = strong_,
            .device = access.scope == Scope::device};
  }

  void judge_watched() {
    for (const Piece& piece : watched_) {
      const WatchedAccess mine = access(piece);
      const Race race = race_of(list(piece.at), viewer_, mine, piece.lane);
      if (race.other != nullptr) tell(piece, race);
    }
    for (const Piece& piece : watched_) {
      watch(list(piece.at), viewer_, access(piece), piece.lane);
    }
  }

  void tell(const Piece& piece, const Race& race) const {
    LaunchMemory& launch = *request_.warp.launch;
    launch.told_race = true;
    request_.warp.worker->faults.add(
        FaultKind::race, request_.site, race.other->site, request_.warp.name(piece.lane), [&] {
          const ThreadName other = launch.name(race.other->warp, race.lane);
          std::string text = std::string(request_.verb()) + " at " +
                             shown(memory_, request_.at[piece.lane]) + " is not ordered with a " +
                             (race.other->write ? "write" : "read") + " by " +
                             thread_text(other, launch.grid, launch.block);
          text += copy_text(*race.other, race.lane, piece.lane);
          // Cache operators such as that of __ldcg order no accesses.
          if (strong_ != race.other->strong) {
            text += std::string(", which is ") + (strong_ ? "plain" : "atomic or volatile") +
                    ": plain accesses race even with atomic operations; access it by atomic "
                    "operations or as volatile everywhere";
          }
          return text;
        });
  }

  /// What is missing between a copy and the access that races with it; empty if `other` is no copy.
  std::string copy_text(const WatchedAccess& other, std::uint32_t of_lane,
                        std::uint32_t lane) const {
    const LaunchMemory& launch = *request_.warp.launch;
    if (!launch.is_copier(other.warp)) return {};
    if (viewer_.is_own_copier(other.warp) && of_lane == lane) {
      return ", the same thread, whose cp.async may still be in flight: it must first wait for the "
             "copy (cp.async.wait_group with fewer groups, cp.async.wait_all, or an mbarrier)";
    }
    if (viewer_.is_copier(other.warp)) {
      const MemoryWarp& copying =
          *request_.warp.block->warps[other.warp - viewer_.first - viewer_.copiers];
      if (copying.copies->done(of_lane) >= other.tick) {
        return ", which has waited for its cp.async: a barrier must follow that wait";
      }
    }
    return ", whose cp.async may still be in flight: that thread must first wait for the copy "
           "(cp.async.wait_group with fewer groups, cp.async.wait_all, or an mbarrier), and a "
           "barrier must follow that wait";
  }

  const Request& request_;
  const Memory& memory_;
  Viewer viewer_;
  bool strong_ = false;
  std::uint32_t unit_ = 0;  // bytes of a piece
  Record mine_;             // for lane 0, at the beginning of a word
  std::vector<Piece> watched_;
};

Publications& published_in(const Request& request, const Memory& memory) {
  return memory.space == Space::shared ? request.warp.block->published
                                       : request.warp.launch->published;
}

bool acquires(const Access& access) {
  return access.semantics == Semantics::acquire_release || access.semantics == Semantics::acquire;
}

bool arrives(const Access& access) {
  return access.atomic == AtomicOperation::arrive ||
         access.atomic == AtomicOperation::arrive_and_drop;
}

/// Whether the lane's arrival at an mbarrier, already performed, was the last of its phase.
bool completes_phase(const Request& request, std::uint32_t lane) {
  const MemoryDetail& detail = request.detail;
  std::uint64_t before = 0;
  std::uint64_t arrivals = 0;
  std::memcpy(&before, request.values.bytes.data() + std::size_t{lane} * request.bytes,
              sizeof before);
  std::memcpy(&arrivals, request.warp.frame + detail.values[1] + lane * lane_bytes(detail.type),
              sizeof arrivals);
  const bool drop = detail.access.atomic == AtomicOperation::arrive_and_drop;
  return (before ^ after_arrivals(before, arrivals, drop)) >> mbarrier_phase_bit != 0;
}

/// Calls the function with each element of each lane.
template <class Function>
void each_element(const Request& request, const Memory& memory, LaneMask lanes,
                  const Function& function) {
  const Access& access = request.detail.access;
  each_lane(lanes, [&](std::uint32_t lane) {
    for (std::uint32_t k = 0; k < access.vector; ++k) {
      const std::uint32_t bytes = access.element_bytes;
      function(
          LaneElement{lane, memory.begin + request.at[lane] + std::uint64_t{k} * bytes, bytes});
    }
  });
}

}  // namespace

void judge_races(const Request& request, const Memory& memory, LaneMask lanes, bool apart,
                 bool contiguous) {
  Judge(request, memory).judge(lanes, apart, contiguous);
}

void acquire(const Request& request, const Memory& memory, LaneMask lanes) {
  const Access& access = request.detail.access;
  if (!request.reads() || !acquires(access)) return;
  const Publications& published = published_in(request, memory);
  each_element(request, memory, lanes, [&](const LaneElement& at) {
    observe(request.warp, at, published.find(at.address, at.bytes), true, access.scope);
  });
}

void synchronize(const Request& request, const Memory& memory, LaneMask lanes, LaneMask failed) {
  MemoryWarp& warp = request.warp;
  const Access& access = request.detail.access;
  Publications& published = published_in(request, memory);
  if (access.semantics == Semantics::weak) {
    const bool none = memory.buffer == nullptr ? published.empty() : !memory.buffer->has_published;
    if (!request.writes() || none) return;
    each_lane(lanes, [&](std::uint32_t lane) {
      published.end(memory.begin + request.at[lane], request.bytes);
    });
    return;
  }
  const bool releases =
      access.semantics == Semantics::acquire_release || access.semantics == Semantics::release;
  each_element(request, memory, lanes, [&](const LaneElement& at) {
    if (request.reads()) {
      observe(warp, at, published.find(at.address, at.bytes), acquires(access), access.scope);
    }
    if (!request.writes() || (failed >> at.lane & 1U) != 0) return;
    Publication publication =
        publication_of(warp, at, releases, access.scope, request.detail.after_copies);
    if (memory.buffer != nullptr) memory.buffer->has_published = true;
    if (arrives(access)) {
      published.arrive(at.address, publication, completes_phase(request, at.lane));
    } else if (request.reads()) {
      published.add(at.address, publication);
    } else {
      published.put(at.address, std::move(publication));
    }
  });
  if (releases) tick(warp);
}

}  // namespace bankproof::ptx
