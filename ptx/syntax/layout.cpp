// Sizes and places of variables.
#include "layout.hpp"

#include <algorithm>
#include <stdexcept>

namespace bankproof::ptx {

namespace {

constexpr std::uint64_t most_bytes_of_type = std::uint64_t{1} << 32U;
// CUDA Programming Guide, "__global__ Function Parameters".
constexpr std::uint64_t most_parameter_bytes = 32764;

std::uint64_t bytes_of_element(const Variable& variable) {
  return bytes_of(variable.type) * variable.vector;
}

}  // namespace

std::uint64_t bytes_of(const Variable& variable) {
  std::uint64_t bytes = bytes_of_element(variable);
  for (const std::uint64_t dimension : variable.dimensions) {
    if (dimension != 0 && bytes > most_bytes_of_type / dimension) {
      throw std::invalid_argument("too large");
    }
    bytes *= dimension;
  }
  return bytes;
}

std::uint64_t alignment_of(const Variable& variable) {
  return variable.align.value_or(bytes_of_element(variable));
}

std::vector<KernelParameter> kernel_parameters(const Function& kernel) {
  std::vector<KernelParameter> parameters;
  parameters.reserve(kernel.parameters.size());
  std::uint64_t end = 0;
  for (const Variable& variable : kernel.parameters) {
    parameters.push_back({rounded_up(end, alignment_of(variable)), bytes_of(variable)});
    end = parameters.back().offset + parameters.back().bytes;
    if (end > most_parameter_bytes) {
      throw std::invalid_argument("more than " + std::to_string(most_parameter_bytes) +
                                  " bytes of parameters");
    }
  }
  return parameters;
}

}  // namespace bankproof::ptx
