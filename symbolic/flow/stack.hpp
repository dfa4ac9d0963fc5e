// Variables on a thread's stack, as registers.
//
// Code that is not optimized keeps everything there, and so does code that takes addresses. A
// variable becomes registers (slots.hpp) if each access to it has an address that is known: the
// variable's begin and a number. The number may have come through other registers, and through
// variables that become registers themselves. If one access to a variable may be anywhere, the
// variable stays in memory.
#pragma once

#include <cstddef>
#include <optional>

#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

/// The module with another body of this function; nothing if the function has no such variables.
/// Calls must have been inlined.
std::optional<ptx::Module> with_stack_in_registers(const ptx::Module& module, std::size_t function);

}  // namespace bankproof::symbolic
