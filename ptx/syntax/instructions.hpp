// The parser's part for instructions. Names in operands are left as they stand there: each is a
// Symbol, or a Register in a guard or behind `!`, that names.hpp resolves.
#pragma once

#include "cursor.hpp"
#include "syntax.hpp"

namespace bankproof::ptx {

/// From the guard, or the opcode, to the semicolon.
Instruction parse_instruction(Cursor& cursor);

}  // namespace bankproof::ptx
