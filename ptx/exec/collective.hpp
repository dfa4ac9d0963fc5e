// Instructions that lanes of a warp execute together (PTX ISA, "shfl.sync", "vote.sync",
// "match.sync", "redux.sync", "bar.warp.sync", "elect.sync"; on matrices: matrix.hpp).
//
// Each lane brings a mask of members. Lanes wait until all live members have come to this
// instruction, or to a copy of the instruction, with the same mask. The step then reads each lane's
// sources from its frame, and writes each lane's results to its frame.
#pragma once

#include <cstdint>
#include <string>

#include "../isa/op.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

struct MatrixOperands;

struct CollectiveOperands {
  enum class Kind : std::uint8_t {
    shuffle_up,  // d[0] result, d[1] whether it is valid; s: value, distance, clamp and segment
    shuffle_down,
    shuffle_xor,
    shuffle_index,
    vote_all,  // d[0] predicate, s[0] predicate
    vote_any,
    vote_uniform,
    vote_ballot,  // d[0] mask
    match_any,    // d[0] mask, s[0] value
    match_all,    // d[0] mask, d[1] predicate
    add,          // d[0], s[0]
    minimum_signed,
    maximum_signed,
    minimum_unsigned,
    maximum_unsigned,
    bit_and,
    bit_or,
    bit_xor,
    elect,  // d[0] the lane, d[1] whether this is the lane
    barrier,
    matrix,  // described by `matrix`
  };
  Kind kind = Kind::barrier;
  LaneType type = LaneType::b32;  // the type of s[0]
  Slot members = no_slot;
  std::string spelled;  // the same for all copies of an instruction
  const MatrixOperands* matrix = nullptr;
};

extern const StepWith<CollectiveOperands> collective_step;

/// The operands of `op`, whose step must be collective_step.
inline const CollectiveOperands& collective_of(const Op* op) {
  return op->operands(collective_step);
}

/// The lanes of one split that take part in the instruction.
struct Part {
  const Op* op = nullptr;
  std::byte* frame = nullptr;
  LaneMask lanes = 0;
};

/// Why a split still waits for lanes, as text for the report of a deadlock.
const char* missing_lanes(const Warp& warp, const Split& split);

/// activemask: the lanes that run together.
const Op* activemask_step(WarpState& state, const Op* op);

}  // namespace bankproof::ptx
