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

/// A strip of a register: its bits. `number`, if there is one, is a floating-point number that
/// differs at most in which NaN it is. Operations to which all NaN are the same read the number: of
/// several operations in a row, only the last one has to give the canonical NaN.
struct Lanes {
  Value bits = nullptr;  // or a predicate
  Value number = nullptr;
};

using Results = std::array<Lanes, 4>;

/// The results of the row; nothing if the row is not compiled.
std::optional<Results> emit_row(const Ir& ir, const Processor& processor, Mistake mistake,
                                const Instruction& row, const std::array<Lanes, 5>& sources);

}  // namespace bankproof::ptx::compiled
