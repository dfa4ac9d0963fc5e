// The rows of arithmetic (ptx/alu) as operations on strips of lanes.
#pragma once

#include <array>
#include <optional>

#include "../compiled/interface.hpp"
#include "ir.hpp"

namespace bankproof::ptx::compiled {

/// What the processor has.
struct Processor {
  bool fused = false;   // fma
  bool rounds = false;  // rounding of vectors to integers
};

using Results = std::array<Value, 4>;

/// The results of the row, which are integers or predicates; nothing if the row is not compiled.
/// `sources` are strips of the row's sources.
std::optional<Results> emit_row(const Ir& ir, const Processor& processor, Mistake mistake,
                                const Instruction& row, const std::array<Value, 5>& sources);

}  // namespace bankproof::ptx::compiled
