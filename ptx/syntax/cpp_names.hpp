// Names as in C++ rather than mangled.
//
// Example: _Z4scanIiLi256EEvPiPKii is `void scan<int, 256>(int*, int const*, int)`, its plain name
// is `scan`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bankproof::ptx {

/// As in C++; a name that is not mangled is as it is.
std::string demangled(const std::string& name);

/// Without result, parameters, template arguments and namespaces: "scan".
std::string plain_name(const std::string& mangled);

std::string without_blanks(std::string_view text);

/// How somebody may write the name, without blanks, from the most precise form to the least:
/// mangled, in full, without parameters, without anonymous namespaces or any, without the suffixes
/// of numbers, and without template arguments.
std::vector<std::string> forms_of(const std::string& mangled);

}  // namespace bankproof::ptx
