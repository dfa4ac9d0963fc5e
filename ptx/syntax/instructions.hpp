// Parses instructions. Names in operands stay as written until names.hpp resolves them. Until then,
// a name in a guard or after `!` is a Register, and any other name is a Symbol.
#pragma once

#include "cursor.hpp"
#include "syntax.hpp"

namespace bankproof::ptx {

/// Parses from the guard (or, without a guard, the opcode) to the semicolon.
Instruction parse_instruction(Cursor& cursor);

}  // namespace bankproof::ptx
