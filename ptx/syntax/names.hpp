// What names mean: the parser's second pass over a function, when all of its labels are known.
//
// Registers, local variables and labels belong to the innermost braces around them and hide those
// outside. A label may be used before it stands there, everything else only after.
#pragma once

#include <string>
#include <unordered_map>

#include "syntax.hpp"

namespace bankproof::ptx {

/// Such as the variables and functions of a module so far.
using Symbols = std::unordered_map<std::string, Symbol>;

/// Resolves every name in the body. Throws Error; `file` is for messages.
void resolve_names(Function& function, const Symbols& module, const std::string& file);

}  // namespace bankproof::ptx
