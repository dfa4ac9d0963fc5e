// Lays out a variable that the host reads or writes as in a kernel that uses only this variable.
#include "module_variables.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "../syntax/cpp_names.hpp"
#include "control.hpp"
#include "variables.hpp"

namespace bankproof::ptx {

namespace {

void relocate(std::span<std::byte> bytes, std::span<const Relocation> relocations,
              std::span<const std::uint64_t> globals) {
  for (const Relocation& r : relocations) {
    std::uint64_t value = r.number;
    if (r.target == Relocation::Target::global) value += globals[r.variable];
    value >>= r.shift;
    std::memcpy(bytes.data() + r.at, &value, std::min<std::size_t>(r.bytes, sizeof value));
  }
}

/// A program with only the variable and the symbols to which its initializer refers.
Program program_of(const Module& module, const Variable& variable) {
  Program program;
  program.file = module.file;
  Variables variables(module, program, [&](const Symbol& symbol) {
    const Function* const function = definition(module, symbol.name);
    if (function == nullptr) throw std::invalid_argument("the address of " + symbol.name);
    return function_address(static_cast<std::size_t>(function - module.functions.data()));
  });
  variables.address(variable);
  return program;
}

}  // namespace

std::vector<std::uint64_t> place_globals(const Program& program, GlobalMemory& memory,
                                         ModuleMemory& module) {
  std::vector<std::uint64_t> addresses;
  std::vector<std::pair<std::size_t, std::uint32_t>> is_new;
  for (const GlobalVariable& variable : program.globals) {
    auto found = module.globals.find(variable.name);
    if (found == module.globals.end()) {
      const std::uint32_t buffer =
          memory.add_buffer("__device__ " + demangled(variable.name), variable.bytes, true);
      found = module.globals.emplace(variable.name, buffer).first;
      is_new.emplace_back(addresses.size(), buffer);
    }
    addresses.push_back(buffer_address(found->second));
  }
  for (const auto& [k, buffer] : is_new) {
    const GlobalVariable& variable = program.globals[k];
    std::vector<std::byte> bytes(variable.bytes);
    std::copy(variable.initial.begin(), variable.initial.end(), bytes.begin());
    relocate(bytes, variable.relocations, addresses);
    memory.write(buffer, 0, bytes);
  }
  return addresses;
}

std::vector<std::byte> constants_of(const Program& program, std::span<const std::uint64_t> globals,
                                    const ModuleMemory& module) {
  std::vector<std::byte> bytes = program.constant;
  relocate(bytes, program.constant_relocations, globals);
  for (const ConstantVariable& variable : program.constants) {
    const auto written = module.constants.find(variable.name);
    if (written == module.constants.end()) continue;
    std::copy(written->second.begin(), written->second.end(),
              bytes.begin() + static_cast<std::ptrdiff_t>(variable.offset));
  }
  return bytes;
}

std::vector<std::byte> read_variable(const Module& module, const Variable& variable,
                                     GlobalMemory& memory, ModuleMemory& contents) {
  const Program program = program_of(module, variable);
  const std::vector<std::uint64_t> globals = place_globals(program, memory, contents);
  if (variable.space == Space::constant) {
    std::vector<std::byte> bytes = constants_of(program, globals, contents);
    bytes.resize(bytes_of(variable));  // drops the variables that its initializer names
    return bytes;
  }
  const std::span<const std::byte> data =
      std::as_const(memory).data(contents.globals.at(variable.name));
  return {data.begin(), data.end()};
}

void write_variable(const Module& module, const Variable& variable, GlobalMemory& memory,
                    ModuleMemory& contents, std::span<const std::byte> bytes) {
  if (variable.space == Space::constant) {
    std::vector<std::byte>& constant = contents.constants[variable.name];
    if (!std::equal(constant.begin(), constant.end(), bytes.begin(), bytes.end())) {
      constant.assign(bytes.begin(), bytes.end());
      ++contents.version;
    }
    return;
  }
  place_globals(program_of(module, variable), memory, contents);
  memory.write(contents.globals.at(variable.name), 0, bytes);
}

}  // namespace bankproof::ptx
