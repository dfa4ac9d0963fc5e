// Resolves names. This is the parser's second pass over a function, which begins when all labels
// are known.
//
// Registers, local variables and labels belong to the innermost braces around them and hide outer
// names. A label may be used before its statement; every other name must be declared first.
#pragma once

#include <string>
#include <unordered_map>

#include "syntax.hpp"

namespace bankproof::ptx {

/// The meanings of names, for example of the variables and functions that a module has declared so
/// far.
using Symbols = std::unordered_map<std::string, Symbol>;

/// Resolves every name in the body. Throws Error; `file` is for messages.
void resolve_names(Function& function, const Symbols& module, const std::string& file);

}  // namespace bankproof::ptx
