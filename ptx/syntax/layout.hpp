// What variables take in memory, and where a kernel's parameters lie in the block of them (PTX ISA,
// "Kernel Function Parameters").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// To the next multiple of an alignment that is not 0.
constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The size of a variable; 0 for an array without a length. Throws std::invalid_argument for more
/// than 2^32 bytes.
std::uint64_t bytes_of(const Variable& variable);
/// As it is written, or else that of an element.
std::uint64_t alignment_of(const Variable& variable);

/// A parameter of a kernel in the block of its parameters.
struct KernelParameter {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// In the order in which they are declared. Throws std::invalid_argument for more than a kernel can
/// have.
std::vector<KernelParameter> kernel_parameters(const Function& kernel);

}  // namespace bankproof::ptx
