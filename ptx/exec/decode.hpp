// Decodes one kernel; family.cpp decodes a kernel with those that it launches.
#pragma once

#include <string>
#include <vector>

#include "program.hpp"

namespace bankproof::ptx {

Program decode_alone(const Module& module, const std::string& entry, Level level);

/// The kernel's sites follow these, and its constant memory has all constants of the module.
Program decode_in_family(const Module& module, const std::string& entry, Level level,
                         const std::vector<Site>& sites);

}  // namespace bankproof::ptx
