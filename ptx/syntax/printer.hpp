// A module written as PTX again: parsing the text gives an equal module.
#pragma once

#include <string>

#include "syntax.hpp"

namespace bankproof::ptx {

std::string print(const Module& module);
/// One instruction on one line, with its guard and semicolon, for messages and listings.
std::string print(const Instruction& instruction);

}  // namespace bankproof::ptx
