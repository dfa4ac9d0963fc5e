// Registers in place of memory that only one thread sees: parameters and results of calls
// (inlining.hpp), and variables on the stack (stack.hpp).
//
// Each part of a variable that is accessed, from a byte on and so many bits wide, has a register.
// A store of one part changes the others that share bytes with it: halves of 64 bits are moved, and
// any other has any value from there on.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"

namespace bankproof::symbolic {

/// How a value moves into a register for a part, or out of it: mov.slot.u32.
inline constexpr const char* slot_modifier = "slot";
/// A call of a function of which nothing is known; its only operand has its results: call.external.
inline constexpr const char* external_modifier = "external";

class Slots {
 public:
  /// Any number that the variable has for its owner.
  using Variable = std::size_t;
  struct Part {
    Variable variable = 0;
    std::int64_t begin = 0;  // in bytes
    std::uint32_t bits = 0;
    auto operator<=>(const Part&) const = default;
  };

  /// The registers are declared in this function.
  explicit Slots(ptx::Function& function) : function_(function) {}

  /// The parts that a load or a store accesses, if its address is that byte of the variable.
  static std::vector<Part> parts(const ptx::Instruction& access, Variable variable,
                                 std::int64_t begin);
  /// Before a part is loaded that is stored further below, if at all.
  void expect(const Part& part, bool is_stored);
  /// The parts that are accessed, and whether they are stored.
  std::map<Part, bool> known() const;
  /// Instructions on registers that do the same as a load or a store of that byte of the variable.
  std::vector<ptx::Instruction> moves(const ptx::Instruction& access, Variable variable,
                                      std::int64_t begin);
  /// From here on, all parts of the variable have any values.
  std::vector<ptx::Instruction> forgotten(const ptx::Instruction& at, Variable variable);
  /// The results of a call have any values: parts of them, of all sizes.
  std::vector<ptx::Scalar> any_parts(Variable variable);
  std::vector<ptx::Instruction> forgotten(const ptx::Instruction& at,
                                          std::vector<ptx::Scalar> registers) const;
  /// A register for what nobody writes.
  ptx::Register any(Variable variable) { return at({variable, 0, 64}); }
  /// A register of this type for anything else.
  ptx::Register made(const std::string& type);

  static bool is_slot(const ptx::Register& r);

 private:
  ptx::Register at(const Part& part);
  void overwrite_others(const ptx::Instruction& store, const Part& part,
                        std::vector<ptx::Instruction>& made);

  ptx::Function& function_;
  std::map<Part, std::size_t> declarations_;
  std::set<Part> stored_;
};

}  // namespace bankproof::symbolic
