// Links modules into one, as nvlink does for a program that nvcc compiles with -rdc=true: each .cu
// file is a module, whose functions call functions and use variables of others.
//
// A name that modules share means the definition that globals.hpp chooses. Any other name belongs
// to its module; if two modules have the same one, such as `$str` for a string, the second is
// renamed to `$str__intern__2`, an ending that demangled() takes off.
//
// All variables come first in the linked module, then a declaration of each function that needs
// one, then the bodies; so every name is declared before its use, and the module can be printed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// Whether the machine supplies the function of that name, as vprintf, so that no module has to
/// define it.
using IsSupplied = std::function<bool(const std::string& name)>;

/// Throws Error, which names the symbol, its module, and the other module if there is one: for a
/// name that two modules define, or that none defines, and for declarations that contradict each
/// other. Throws std::invalid_argument if there are no modules.
Module link(std::vector<Module> modules, const IsSupplied& is_supplied = {});

}  // namespace bankproof::ptx
