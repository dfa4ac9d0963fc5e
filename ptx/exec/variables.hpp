// Where the variables of a module lie: shared, constant and global ones, as functions come to need
// them.
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
  bool dynamic = false;      // .extern .shared: counted from where those begin
  std::uint64_t offset = 0;  // in the space
  std::size_t global = 0;    // of a .global one: in Program::globals
};

class Variables {
 public:
  /// `function_address` is asked for the functions whose addresses initializers hold.
  Variables(const Module& module, Program& program,
            std::function<std::uint64_t(const Symbol&)> function_address)
      : module_(module), program_(program), function_address_(std::move(function_address)) {}

  /// The variable of the module, or of a function's body (its .shared and .global ones).
  VariableAddress address(const Variable& variable);

  /// What the driver gives a cooperative launch for the barrier of its grid; in Program::globals.
  std::size_t grid_workspace();

 private:
  /// That no other variable of the module has.
  std::string own_name(const Variable& variable) const;
  void initialize(const Variable& variable, std::vector<std::byte>& bytes, std::uint64_t at,
                  std::vector<Relocation>& relocations);

  const Module& module_;
  Program& program_;
  std::function<std::uint64_t(const Symbol&)> function_address_;
  std::map<const Variable*, VariableAddress> known_;
  std::optional<std::size_t> grid_workspace_;
};

}  // namespace bankproof::ptx
