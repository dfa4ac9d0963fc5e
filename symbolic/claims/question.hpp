// Claims about a kernel, and the questions for solvers that decide them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subject.hpp"

namespace bankproof::symbolic {

enum class Claim : std::uint8_t {
  race,
  blocks,
  barriers,
  bounds,
  banks,
  coalesced,
  overflow,
  initialized,
  asserts,
  address,
};

/// What can be asked of any kernel. The claim `address` needs a formula.
inline constexpr std::array all_claims = {Claim::race,     Claim::blocks,      Claim::barriers,
                                          Claim::bounds,   Claim::banks,       Claim::coalesced,
                                          Claim::overflow, Claim::initialized, Claim::asserts};

constexpr std::string_view name_of(Claim claim) {
  constexpr std::string_view names[] = {"race",    "blocks",    "barriers", "bounds",
                                        "banks",   "coalesced", "overflow", "initialized",
                                        "asserts", "address"};
  return names[static_cast<std::size_t>(claim)];
}

/// A thread of a question, and what it does: its indices are terms of 32 bits, along x, y and z.
struct Participant {
  const ptx::Instruction* instruction = nullptr;
  std::array<Term, 3> block{};
  std::array<Term, 3> thread{};
  /// Where it accesses memory; nothing for a barrier.
  std::optional<Term> object{};
  std::optional<Term> offset{};
};

/// Statements about a launch and some threads.
struct Statements {
  /// The question's own statements, and the facts that share unknowns with them.
  std::vector<Term> asked;
  /// Facts about other unknowns of the launch.
  std::vector<Term> others{};
  /// What is proved of loops if sizes are within bounds. Questions within such bounds use it.
  std::vector<Term> within_bounds{};

  std::vector<Term> all() const {
    std::vector<Term> both = asked;
    both.insert(both.end(), others.begin(), others.end());
    return both;
  }
};

/// Statements about some threads of a launch, which may hold or not.
struct Possibility {
  Statements statements;
  std::vector<Participant> participants;
};

/// Why a question cannot be asked.
enum class Unasked : std::uint8_t {
  no,
  address,     // it is no array's begin plus a number
  size,        // nobody states how large the array is
  alignment,   // the access is wider than the alignment with which the variable is declared
  wavefronts,  // a full warp takes more than is claimed, whatever its addresses are
  width,       // the access is wider than those of which sectors are counted
  length,      // it may access fewer bytes
  paths,       // too many paths lead from barriers to accesses
  under_way,   // the thread may end before the copy does, and others go on
};

/// Is each possibility excluded, in one of some ways? If so, the claim holds for these
/// participants.
struct Question {
  std::vector<Participant> participants;
  std::vector<std::vector<Possibility>> ways;
  Unasked unasked = Unasked::no;
  /// The most wavefronts, or sectors more than needed, that are claimed of an access.
  std::uint32_t most = 0;
  /// A thread makes the access: such a launch may show more than what a solver finds at length.
  std::optional<Possibility> reached{};
  /// The offsets, in bytes, of which the access should have one; it may lie up to `within` bytes
  /// behind, as a part of an element does.
  std::vector<Term> expected{};
  std::uint64_t within = 0;

  /// Can all of these statements hold at once?
  static Question can(Statements statements, const std::vector<Participant>& participants) {
    return {participants, {{{std::move(statements), participants}}}};
  }
  static Question cannot_be_asked(Unasked why, std::vector<Participant> participants) {
    return {std::move(participants), {}, why};
  }
};

/// A claim about a kernel.
struct Asked {
  Claim claim = Claim::race;
  /// How many accesses, pairs of accesses or barriers it is about. Nothing is known if this is 0.
  std::size_t subjects = 0;
  std::set<const ptx::Instruction*> instructions{};  // of the subjects
  /// Only in the claim `barriers`: some threads may end before a barrier, which does not wait for
  /// them.
  bool some_end = false;
  /// Those about which the terms alone do not decide.
  std::vector<Question> questions{};

  /// One more subject: an access, a barrier, or a pair.
  void about(const ptx::Instruction& one) {
    ++subjects;
    instructions.insert(&one);
  }
  void about(const ptx::Instruction& one, const ptx::Instruction& other) {
    about(one);
    instructions.insert(&other);
  }
};

/// Two threads of one block never touch one byte in one barrier interval, one of them writing,
/// unless both accesses are atomic. Assumed: the claim `barriers`; pointers of different parameters
/// point to different arrays; and an access reaches no other array than that from whose begin its
/// address is computed.
Asked ask_race(Subject& subject);
/// Only what is about these objects, or may be.
Asked ask_race_about(Subject& subject, const std::set<Term>& objects);
/// Likewise for threads of two blocks of a launch, at any time.
Asked ask_blocks(Subject& subject);
/// All threads of a block come to the same barriers, in the same iterations, but for threads that
/// have ended before. The lanes that a shuffle or a vote names come to it.
Asked ask_barriers(Subject& subject);
/// Each access begins at a multiple of its width, and lies in its object, as far as the object's
/// size is known. The others have a question that is unknown.
Asked ask_bounds(Subject& subject);
/// An access of a warp to shared memory takes at most `most` wavefronts. Without `most`, it takes
/// as many as a warp's bytes need at best. Assumed: the lanes of a warp are in the same iteration.
Asked ask_banks(Subject& subject, std::optional<std::uint32_t> most = {});
/// An access of a warp to global memory touches at most `most` sectors of 32 bytes more than its
/// bytes need. Assumed: arrays begin at a multiple of 32 bytes; and the same as for banks.
Asked ask_coalesced(Subject& subject, std::uint32_t most);
/// An index of fewer bits than an address, and from which one is computed, is the number that its
/// sum or product has without wrapping around.
Asked ask_overflow(Subject& subject);
/// Each byte that is read of shared memory has been written: by the thread itself, or before a
/// barrier by any thread of the block. Assumed: the claim `barriers`.
Asked ask_initialized(Subject& subject);
/// No thread fails an assertion or executes trap.
Asked ask_asserts(Subject& subject);
/// The questions of one of these claims.
Asked ask(Subject& subject, Claim claim, std::optional<std::uint32_t> most_wavefronts,
          std::uint32_t most_sectors);

/// An access, and the bytes of an element of its array.
struct AccessToElements {
  const Access* access = nullptr;
  std::uint32_t element_bytes = 0;
};
/// Each of these accesses is to an element of its array whose index is one of the terms, of 64 bits
/// and about thread 0: to the whole element or, where the compiler has made the access narrower, to
/// a part of it. A wider access is to several elements, with a question for each. The ways of a
/// question are in the order of the terms.
Asked ask_address(Subject& subject, const std::vector<AccessToElements>& accesses,
                  const std::vector<Term>& indices);

}  // namespace bankproof::symbolic
