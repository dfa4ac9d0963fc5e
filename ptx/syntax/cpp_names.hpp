// C++ names of functions and variables from their mangled names.
//
// Example: _Z4scanIiLi256EEvPiPKii is `void scan<int, 256>(int*, int const*, int)`; its plain name
// is `scan`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bankproof::ptx {

/// The name as in C++; a name that is not mangled stays as it is.
std::string demangled(const std::string& name);

/// The name without result, parameters, template arguments and namespaces: "scan".
std::string plain_name(const std::string& mangled);

std::string without_blanks(std::string_view text);

/// The forms in which a user may write the name, without blanks. The most precise form comes first:
/// mangled, in full, without parameters, without anonymous namespaces, without any namespaces,
/// without suffixes of numbers, without template arguments.
std::vector<std::string> forms_of(const std::string& mangled);

}  // namespace bankproof::ptx
