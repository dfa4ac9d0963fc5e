// Parses instructions. Names in operands stay as written: each name is a Symbol, or a Register in a
// guard or after `!`, until names.hpp resolves it.
#pragma once

#include "cursor.hpp"
#include "syntax.hpp"

namespace bankproof::ptx {

/// From the guard, or the opcode, to the semicolon.
Instruction parse_instruction(Cursor& cursor);

}  // namespace bankproof::ptx
