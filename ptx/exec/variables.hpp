// The addresses of a module's variables. A shared, constant or global variable gets its address
// when the decoder first meets it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../syntax/syntax.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// The address of a variable in its own space.
struct VariableAddress {
  Space space = Space::global;
  bool dynamic = false;      // in .extern .shared; `offset` counts from its first byte
  std::uint64_t offset = 0;  // in the space
  std::size_t global = 0;    // for a .global variable: in Program::globals
};

class Variables {
 public:
  /// `function_address` gives the addresses of functions that initializers name.
  Variables(const Module& module, Program& program,
            std::function<std::uint64_t(const Symbol&)> function_address)
      : module_(module), program_(program), function_address_(std::move(function_address)) {}

  /// The address of a variable of the module, or of a .shared or .global variable of a function's
  /// body.
  VariableAddress address(const Variable& variable);

  /// The index in Program::globals of the workspace that a driver gives a cooperative launch for
  /// its grid barrier.
  std::size_t grid_workspace();
  /// The offset of the part of shared memory that a driver reserves for cooperative groups.
  std::uint64_t reserved_shared();

 private:
  /// A name that no other variable of the module has.
  std::string own_name(const Variable& variable) const;
  void initialize(const Variable& variable, std::vector<std::byte>& bytes, std::uint64_t at,
                  std::vector<Relocation>& relocations);

  const Module& module_;
  Program& program_;
  std::function<std::uint64_t(const Symbol&)> function_address_;
  std::map<const Variable*, VariableAddress> known_;
  std::optional<std::size_t> grid_workspace_;
  std::optional<std::uint64_t> reserved_shared_;
};

}  // namespace bankproof::ptx
