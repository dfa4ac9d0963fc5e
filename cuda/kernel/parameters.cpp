// See parameters.hpp.
#include "parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../../algorithms/typed.hpp"

namespace bankproof::cuda {

namespace {

std::uint64_t bytes_of_type(const ptx::Type& type) {
  std::uint64_t bits = 0;
  for (const char c : type) {
    if (c >= '0' && c <= '9') bits = 10 * bits + static_cast<std::uint64_t>(c - '0');
  }
  return std::max<std::uint64_t>(bits / 8, 1);
}

std::string list_of(std::span<const Parameter> parameters) {
  std::string text;
  for (const Parameter& parameter : parameters) {
    text += (text.empty() ? "" : ", ") + parameter.text;
  }
  return parameters.empty() ? text : " (" + text + ")";
}

}  // namespace

std::vector<Parameter> parameters_of(const ptx::Function& kernel) {
  std::vector<Parameter> parameters;
  parameters.reserve(kernel.parameters.size());
  std::uint64_t end = 0;
  for (const ptx::Variable& variable : kernel.parameters) {
    const std::uint64_t element = bytes_of_type(variable.type) * variable.vector;
    std::uint64_t bytes = element;
    std::string text = "." + variable.type;
    for (const std::uint64_t dimension : variable.dimensions) {
      bytes *= dimension;
      text += fmt::format("[{}]", dimension);
    }
    const std::uint64_t align = std::max<std::uint64_t>(variable.align.value_or(element), 1);
    if (variable.align) text = fmt::format(".align {} {}", *variable.align, text);
    const std::uint64_t offset = (end + align - 1) / align * align;
    parameters.push_back({text, offset, bytes});
    end = offset + bytes;
  }
  return parameters;
}

std::vector<std::byte> parameter_block(const std::string& kernel,
                                       std::span<const Parameter> parameters,
                                       std::span<const ArgumentBytes> arguments) {
  if (parameters.size() != arguments.size()) {
    throw ArgumentError(fmt::format("{} takes {} argument{}{}, and is given {}", kernel,
                                    parameters.size(), parameters.size() == 1 ? "" : "s",
                                    list_of(parameters), arguments.size()));
  }
  std::vector<std::byte> block;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const Parameter& parameter = parameters[k];
    const std::vector<std::byte>& bytes = arguments[k].bytes;
    if (bytes.size() != parameter.bytes) {
      throw ArgumentError(
          fmt::format("argument {} of {}, {}, has {} byte{}; the parameter is {} and has {}", k,
                      kernel, in_quotes(arguments[k].text, 120), bytes.size(),
                      bytes.size() == 1 ? "" : "s", parameter.text, parameter.bytes));
    }
    block.resize(parameter.offset);
    block.insert(block.end(), bytes.begin(), bytes.end());
  }
  return block;
}

}  // namespace bankproof::cuda
