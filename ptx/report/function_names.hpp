// Finds the kernel or the variable that a user means.
//
// Example: the kernel _Z4scanIiLi256EEvPiPKii is `void scan<int, 256>(int*, int const*, int)`. A
// user may write all of this C++ name, scan<int,256>, scan<...256>, or scan if there is no other
// scan.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "../syntax/cpp_names.hpp"
#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

/// No kernel or variable matches the name, or several match it. The text lists the existing names.
class KernelNameError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The kernel that the name means. The name may be mangled (by any compiler) or not, and with or
/// without parameters, template arguments and namespaces. Blanks are ignored; "..." stands for any
/// text. An empty name means the only kernel. `file` is for messages; by default it is the module's
/// file.
const Function& find_kernel(const Module& module, std::string_view name,
                            const std::string& file = {});

/// The __device__ or __constant__ variable that the name means, by the same rules.
const Variable& find_variable(const Module& module, std::string_view name,
                              const std::string& file = {});

}  // namespace bankproof::ptx
