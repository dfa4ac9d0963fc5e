// The names of kernels: as in C++ rather than mangled, and the one that a user means.
//
// Example: the kernel _Z4scanIiLi256EEvPiPKii is `void scan<int, 256>(int*, int const*, int)`; it
// is meant by all of that, by scan<int,256>, and by scan where there is no other scan.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../text/syntax.hpp"

namespace bankproof::ptx {

/// As in C++; a name that is not mangled is as it is.
std::string demangled(const std::string& name);

/// Without result, parameters, template arguments and namespaces: "scan".
std::string plain_name(const std::string& mangled);

/// No kernel, or several, are meant. The text names those that there are.
class KernelNameError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The kernel that the name means, mangled or not, with or without parameters, template arguments
/// and namespaces, blanks aside. An empty name means the only kernel there is.
const Function& find_kernel(const Module& module, std::string_view name);

}  // namespace bankproof::ptx
