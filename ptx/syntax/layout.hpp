// The sizes of variables in memory, and the places of a kernel's parameters in the parameter block
// (PTX ISA, "Kernel Function Parameters").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// Rounds up to a multiple of `alignment`, which must not be 0.
constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The size of a variable; 0 for an array without a length. Throws std::invalid_argument for more
/// than 2^32 bytes.
std::uint64_t bytes_of(const Variable& variable);
/// The alignment that the declaration gives; if it gives none, the size of an element.
std::uint64_t alignment_of(const Variable& variable);

/// The position of a kernel's parameter in the parameter block.
struct KernelParameter {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// The positions of the parameters, in the order of their declaration. Throws std::invalid_argument
/// if they take more bytes than a kernel can have.
std::vector<KernelParameter> kernel_parameters(const Function& kernel);

}  // namespace bankproof::ptx
