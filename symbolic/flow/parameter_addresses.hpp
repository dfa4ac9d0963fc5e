// Loads of a kernel's parameters by name.
//
// A compiler may take the address of a structure once, and load its members through a register:
// `mov.b64 %rd1, f_param_0;` and later `ld.param.u64 %rd2, [%rd1+16];`.
#pragma once

#include <cstddef>
#include <optional>

#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

/// The module with another body of this function, in which such loads name the parameter:
/// `[f_param_0+16]`. Nothing if there are none. Calls must have been inlined.
std::optional<ptx::Module> with_parameters_by_name(const ptx::Module& module, std::size_t function);

}  // namespace bankproof::symbolic
