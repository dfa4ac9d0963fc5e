// Parses variables, parameters and registers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cursor.hpp"
#include "syntax.hpp"

namespace bankproof::ptx {

/// .visible, .weak, …; the default if no linkage is written.
Linkage parse_linkage(Cursor& cursor);

/// Parses from the state space to the name and its dimensions: `.param .align 4 .b8 name[16]`.
Variable parse_declarator(Cursor& cursor);
/// Parses a declarator, an initializer such as `= {1, 2}` if there is one, and the semicolon.
Variable parse_variable(Cursor& cursor, Linkage linkage);
/// Parameters in parentheses, if any.
std::vector<Variable> parse_parameters(Cursor& cursor);
/// `.reg .b32 %r<9>, temp;`
void parse_registers(Cursor& cursor, std::vector<RegisterDeclaration>& registers);

}  // namespace bankproof::ptx
