// Writes the code of a function.
#pragma once

#include "../compiled/interface.hpp"
#include "ir.hpp"
#include "rows.hpp"

namespace bankproof::ptx::compiled {

/// Adds the function to the module.
void emit_function(const Ir& ir, const Processor& processor, const Order& order,
                   const Function& function);

}  // namespace bankproof::ptx::compiled
