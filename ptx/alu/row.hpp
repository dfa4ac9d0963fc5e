// Arithmetic instructions: one instruction is one row of a table.
//
// A row holds the whole spelling of an opcode, the types of its operands, and the step that
// computes it for all lanes of a warp. The step computes all lanes, but writes only active lanes
// whose guard holds. So the step must accept all values: where PTX leaves a result open (division
// by zero), the row gives some value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../isa/level.hpp"
#include "../isa/op.hpp"

namespace bankproof::ptx {

/// The decoder fills Op::d and Op::s in the order of `destinations` and `sources`; an immediate
/// also has a slot. If a source and a destination overlap, they are the same slot.
struct Row {
  std::string opcode;  // "add.rn.ftz.f32"
  Step step = nullptr;
  std::vector<LaneType> destinations;
  std::vector<LaneType> sources;
  // The condition code, a predicate slot, follows the destinations or sources that the program
  // writes.
  bool carry_out = false;
  bool carry_in = false;
};

/// All rows, in no particular order. `step` of a row is its step for this level if there is one,
/// else its portable step.
std::span<const Row> rows(Level level = best_level());

/// A row with this step, of any level; null if there is none. Rows with the same step differ only
/// in their spelling.
const Row* row_of(Step step);

/// The row of an opcode in its whole spelling, or null. Some opcodes have a form with a second
/// destination, `setp.lt.s32 p|q, a, b;`: `destinations` is the number of destinations that the
/// program writes; 0 asks for the form with the fewest destinations.
const Row* find_row(std::string_view opcode, std::size_t destinations = 0,
                    Level level = best_level());

}  // namespace bankproof::ptx
