// See parameters.hpp.
#include "parameters.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "../../ptx/syntax/cpp_names.hpp"
#include "../../ptx/syntax/layout.hpp"
#include "../../text/typed.hpp"

namespace bankproof::cuda {

namespace {

std::string text_of(const ptx::Variable& variable) {
  std::string text = "." + variable.type;
  if (variable.vector != 1) text = fmt::format(".v{} {}", variable.vector, text);
  for (const std::uint64_t dimension : variable.dimensions) text += fmt::format("[{}]", dimension);
  return variable.align ? fmt::format(".align {} {}", *variable.align, text) : text;
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
  try {
    for (const ptx::KernelParameter& place : ptx::kernel_parameters(kernel)) {
      const ptx::Variable& variable = kernel.parameters[parameters.size()];
      parameters.push_back({text_of(variable), place.offset, place.bytes});
    }
  } catch (const std::invalid_argument& error) {
    throw ArgumentError(ptx::demangled(kernel.name) + ": " + error.what());
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
