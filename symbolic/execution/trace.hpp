// What one symbolic thread does: its accesses and barriers, and in which order they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"
#include "guard.hpp"

namespace bankproof::symbolic {

/// Who agrees on the value of an unknown.
enum class Scope : std::uint8_t { launch, block, thread };

enum class AccessKind : std::uint8_t { read, write, atomic };

/// A loop whose iterations are not written out. What is in it is known for iteration `counter`,
/// which counts from 0; behind the loop, the last iteration has another unknown.
struct LoopInstance {
  std::size_t header = 0;             // the block
  std::optional<std::size_t> parent;  // in Trace::loops
  Term counter{};
  std::optional<Term> last;  // behind the loop, the last iteration
  bool has_barrier = false;
  /// Registers that follow a rule: what they are when iteration `counter` begins, and before the
  /// loop.
  struct Counted {
    Term form{};
    Term start{};
  };
  std::vector<Counted> counted;
  /// Registers that follow no rule: their unknown in iteration `counter`, what they are before the
  /// loop, and what they are when the next iteration begins.
  struct Open {
    Term value{};
    Term start{};
    Term next{};
  };
  std::vector<Open> open;
  /// What holds where the loop is entered.
  std::vector<Term> entered;
  /// What holds in iteration `counter` if another one follows.
  std::vector<Term> went_on;
  /// What is of this loop, and its name behind the loop, or in the iteration before.
  std::vector<std::pair<Term, Term>> renamed;
  std::vector<std::pair<Term, Term>> earlier;
};

/// Whether the instruction looks again at what others may write meanwhile, or lets them see what it
/// writes.
inline bool looks_again(const ptx::Instruction& i) {
  return i.has("volatile") || i.has("relaxed") || i.has("acquire") || i.has("release");
}

struct Access {
  const ptx::Instruction* instruction = nullptr;
  AccessKind kind = AccessKind::read;
  std::optional<ptx::Space> space;  // nothing: generic
  Term address{};                   // of 64 bits
  std::uint32_t bytes = 0;
  Guard guard;
  std::optional<std::size_t> loop;  // in Trace::loops
  /// So many lanes of a warp give addresses of rows, which all of its lanes read; 0: each lane
  /// accesses what is at its own address.
  std::uint32_t row_lanes = 0;
  /// The positive number that it adds, if it is not large; 0: it does something else.
  std::uint32_t adds = 0;
  /// What was there before, if it adds such a number and the thread gets it.
  std::optional<Term> drawn{};
  /// What it stores, if that is one number with the bytes of the access.
  std::optional<Term> stored{};
  /// The first access of those that an instruction makes to several arrays, of which lanes choose.
  std::optional<std::size_t> first_of_arrays{};
  /// It may access fewer bytes.
  bool may_be_shorter = false;
  /// Of a copy that was begun earlier, and is still under way behind a barrier (copies.hpp).
  bool is_echo = false;

  /// Whether it races with no other such access to the same element, if each is in the scope of the
  /// other (PTX ISA, "Strong Operations", "Morally Strong Operations").
  bool is_strong() const { return kind == AccessKind::atomic || looks_again(*instruction); }

  /// Whether threads of other blocks are in its scope. A cluster counts as one block, as on the
  /// machine.
  bool is_strong_for_all_blocks() const {
    return is_strong() && !instruction->has("cta") && !instruction->has("cluster");
  }

  /// The bytes of one element. The elements of a vector or of a packed number are accessed one by
  /// one (PTX ISA, "Vector Data-types", "Packed Data-types").
  std::uint32_t element_bytes() const {
    if (instruction->has("f16x2") || instruction->has("bf16x2")) return 2;
    if (instruction->has("v8")) return bytes / 8;
    if (instruction->has("v4")) return bytes / 4;
    return instruction->has("v2") ? bytes / 2 : bytes;
  }
};

/// A number that a thread loads at an address, of 64 bits. The value has as many bits as the
/// number.
struct Load {
  Term value{};
  Term address{};
  Term guard{};                         // the thread loads it
  std::optional<std::size_t> access{};  // in Trace::accesses, if it is one
};

/// The result of an instruction that is not followed, but that depends on its operands alone.
struct Result {
  Term value{};
  std::vector<Term> sources{};
  std::optional<std::size_t> loop{};  // in Trace::loops
};

/// A number that is the same for all threads of a block that are in the same iterations of the
/// loops around it: it is loaded from one place of shared memory, the result of a barrier, or
/// computed from such numbers.
struct Agreed {
  Term value{};
  Term in_any{};  // its name in any iteration
  std::vector<Term> iterations{};
  bool is_loaded = false;  // so it holds if no threads race
};

struct Barrier {
  const ptx::Instruction* instruction = nullptr;
  Guard guard;
  std::optional<std::size_t> loop;
  std::uint32_t lanes = 0xffffffff;  // of a warp: those that have to come
};

/// Where a thread fails an assertion or executes trap, which ends the launch.
struct Trap {
  const ptx::Instruction* instruction = nullptr;
  Guard guard;
};

/// A place in the order of what a thread does: an access, a barrier, the head of a loop, or an
/// instruction behind a barrier or at the begin of a block of instructions.
struct Event {
  enum class Kind : std::uint8_t {
    begin,
    access,
    barrier,
    warp_barrier,
    meeting,
    head,
    step
  } kind = Kind::begin;
  std::size_t index = 0;  // in Trace::accesses, barriers, warp_barriers, meetings, loops or steps
  struct Next {
    std::size_t event = 0;
    std::optional<std::size_t> again;  // the loop whose next iteration begins
  };
  std::vector<Next> next;
};

/// A statement about unknowns, which holds for threads that enter a loop. Others may share its
/// counter.
struct Fact {
  enum class Kind : std::uint8_t {
    went_on,    // an iteration but the first: the loop went on after the one before
    ends,       // the last iteration: the loop ends there
    invariant,  // proved of every iteration
    bounded,    // likewise, of sizes that are within bounds
  } kind = Kind::went_on;
  Term counter{};  // of the iteration
  Term term{};
  /// It says something about these unknowns, besides the counter.
  std::vector<Term> about{};
  /// What holds where the loop is entered.
  std::vector<Term> entered{};
};

/// What a fact says of any thread: if it enters the loop, the fact holds.
inline Term of_any_thread(Pool& pool, const Fact& fact) {
  Term all = fact.term;
  for (const Term part : fact.entered) all = pool.either(pool.negation(part), all);
  return all;
}

struct Trace {
  std::vector<Access> accesses;
  /// But those that look again (looks_again()).
  std::vector<Load> loads;
  std::vector<Agreed> agreed;
  std::vector<Result> results;
  std::vector<Barrier> barriers;
  /// Those of whole warps that are in no loop.
  std::vector<Barrier> warp_barriers;
  /// Where lanes of a warp come together without a barrier: shuffles and votes, and __syncwarp() of
  /// some lanes. They are in no loop, and the mask of their lanes is a number.
  std::vector<Barrier> meetings;
  bool has_other_meetings = false;
  /// A thread divides whole numbers by one that may be 0.
  bool divides_by_any = false;
  std::vector<Trap> traps;
  /// Where threads execute instructions that are no other events: in kernels with barriers.
  std::vector<Guard> steps;
  std::vector<LoopInstance> loops;
  /// Accesses of a thread while an access of a copy of its own may be under way.
  struct UnderWay {
    Access copy;
    std::size_t access = 0;  // in `accesses`
  };
  std::vector<UnderWay> under_way;
  /// Copies that may be under way at a barrier.
  std::set<const ptx::Instruction*> late_copies;
  /// Those that may still be under way when their thread ends.
  std::set<const ptx::Instruction*> left_under_way;
  std::vector<Event> events;  // the first one is the begin
  std::vector<Fact> facts;
};

/// A construct that is not followed; nothing is proved of a kernel that has one.
struct Unsupported {
  std::string what;
  ptx::Place place;
};

}  // namespace bankproof::symbolic
