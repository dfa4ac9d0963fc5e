// The kernel or the variable that a user means.
//
// Example: the kernel _Z4scanIiLi256EEvPiPKii is `void scan<int, 256>(int*, int const*, int)`; it
// is meant by all of that, by scan<int,256>, by scan<...256>, and by scan where there is no other
// scan.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "../syntax/cpp_names.hpp"
#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

/// No kernel, or several, are meant, or no variable. The text names those that there are.
class KernelNameError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The kernel that the name means, mangled (by any compiler) or not, with or without parameters,
/// template arguments and namespaces, blanks aside; "..." stands for any part of it. An empty name
/// means the only kernel there is. `file` is for messages; that of the module unless given.
const Function& find_kernel(const Module& module, std::string_view name,
                            const std::string& file = {});

/// The __device__ or __constant__ variable that the name means, likewise.
const Variable& find_variable(const Module& module, std::string_view name,
                              const std::string& file = {});

}  // namespace bankproof::ptx
