// Which addresses on the stack the registers of a function may hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "../../ptx/syntax/syntax.hpp"
#include "registers.hpp"
#include "slots.hpp"

namespace bankproof::symbolic {

/// Follows addresses through registers and through variables on the stack, until nothing more is
/// found; the order of instructions plays no role.
class StackAddresses {
 public:
  using Variable = Slots::Variable;  // the statement that declares it
  struct Place {
    Variable variable = 0;
    std::int64_t byte = 0;
  };

  explicit StackAddresses(const ptx::Function& function);

  const std::set<Variable>& variables() const { return variables_; }
  /// Where a load or a store accesses a variable of which all accesses are known.
  std::optional<Place> place(const ptx::Instruction& access) const;

 private:
  /// Which addresses: those of local memory, generic ones, or ones of which nothing is said.
  enum class Kind : std::uint8_t { none, local, generic, unknown };
  /// What a register may hold: addresses, each of a known or of any byte, and other things.
  struct Value {
    std::map<Variable, std::optional<std::int64_t>> bytes;
    bool has_others = false;
    Kind kind = Kind::none;
    bool operator==(const Value&) const = default;
  };
  static Value joined(Value a, const Value& b);
  static Value converted(const ptx::Instruction& i, Value value);

  void look(const ptx::Instruction& i);
  void look_at_access(const ptx::Instruction& i);
  void compute(const ptx::Instruction& i);
  Value of(const ptx::Scalar& scalar) const;
  Value of(const ptx::Operand& operand) const;
  Value address(const ptx::Address& address) const;
  std::optional<Place> exact(const ptx::Instruction& access, const Value& value) const;
  static bool is_access(const ptx::Instruction& i);
  static Value anywhere(Value value);
  static Value moved(Value value, std::int64_t by);
  Value with_bits(Value value, std::uint64_t bits) const;
  void add(Value& to, const Value& more);
  void put(const ptx::Instruction& i, const Value& value);
  void put(const ptx::Scalar& to, const Value& value);
  void keep_in_memory(const Value& value);

  const ptx::Function& function_;
  Registers registers_;
  std::set<Variable> variables_;
  std::vector<Value> values_;           // of registers
  std::map<Slots::Part, Value> parts_;  // of variables
  Value elsewhere_;                     // in memory that is not followed
  std::set<Variable> in_memory_;
  bool changes_ = false;
};

}  // namespace bankproof::symbolic
