// A kernel's parameters, and the block of bytes in which a kernel finds its arguments (PTX ISA,
// "Kernel Function Parameters").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"
#include "elements.hpp"

namespace bankproof::cuda {

struct Parameter {
  std::string text;  // ".u64", ".align 8 .b8[24]"
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Throws ArgumentError if the parameters do not fit into a parameter block.
std::vector<Parameter> parameters_of(const ptx::Function& kernel);

/// The bytes of one argument, and its text as the user wrote it.
struct ArgumentBytes {
  std::vector<std::byte> bytes;
  std::string text;
};

/// Makes the parameter block of a launch; messages call the kernel `kernel`. Throws ArgumentError
/// unless every parameter has an argument of its size.
std::vector<std::byte> parameter_block(const std::string& kernel,
                                       std::span<const Parameter> parameters,
                                       std::span<const ArgumentBytes> arguments);

}  // namespace bankproof::cuda
