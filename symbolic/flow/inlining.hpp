// Puts the bodies of the functions that a kernel calls in the places of the calls.
//
// Parameters and results of a call become registers. Where a function reads a part of a parameter
// that nobody has written in that size, the register has any value.
//
// A function without a body is one of another module, or of the system: its results have any
// values. A call through a pointer is one of each function of the module whose address is taken, if
// the pointer is that address. A call of a function that is being called already stays as it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

struct Inlined {
  ptx::Module module;
  /// Functions without a body of which nothing is known.
  std::vector<std::string> unknown;
  /// A pointer is called: that it points to none of the module's functions traps.
  bool calls_through_pointers = false;
};

/// The module with another body of this function; nothing if the function calls none.
std::optional<Inlined> with_calls_inlined(const ptx::Module& module, std::size_t function);

}  // namespace bankproof::symbolic
