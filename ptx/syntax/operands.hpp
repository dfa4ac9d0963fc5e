// The operands of an instruction, with their names resolved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "error.hpp"

namespace bankproof::ptx {

/// `%r7` of `.reg .b32 %r<9>;` is number 7 of its declaration; `temp` of `.reg .b32 temp;` is
/// number 0.
struct Register {
  std::string name;
  std::size_t declaration = 0;  // in Function::registers
  std::uint32_t number = 0;
  bool operator==(const Register&) const = default;
};

/// %tid.x, %laneid, WARP_SZ: a value that the machine supplies.
struct Special {
  std::string name;
  bool operator==(const Special&) const = default;
};

/// An integer, in two's complement, or the bits of a floating-point number.
struct Immediate {
  enum class Kind : std::uint8_t { integer, f32, f64 };
  Kind kind = Kind::integer;
  std::uint64_t bits = 0;
  bool operator==(const Immediate&) const = default;
};

/// The address of a variable, a parameter or a function, plus a number of bytes.
struct Symbol {
  enum class Kind : std::uint8_t {
    variable,   // in Module::variables
    function,   // in Module::functions: the first declaration; see definition()
    parameter,  // in Function::parameters
    result,     // in Function::results
    local,      // a Variable in Function::body
  };
  std::string name;
  Kind kind = Kind::variable;
  std::size_t index = 0;
  std::int64_t offset = 0;
  bool operator==(const Symbol&) const = default;
};

/// The name of a statement: a branch target, a table of branch targets, or a prototype.
struct LabelName {
  std::string name;
  std::size_t statement = 0;  // in Function::body
  bool operator==(const LabelName&) const = default;
};

/// `_`: a result that is discarded.
struct Sink {
  bool operator==(const Sink&) const = default;
};

/// An operand without parts.
using Scalar = std::variant<Register, Special, Immediate, Symbol, LabelName, Sink>;

/// [base], [base+offset], [address]. If the base is a symbol, the symbol holds the offset.
/// Addresses of textures and tensors have more parts, [texture, sampler, {x, y}], which are in
/// `more` and `coordinates`.
struct Address {
  std::variant<Register, Symbol, Immediate> base;
  std::int64_t offset = 0;
  std::vector<Scalar> more;
  std::vector<Scalar> coordinates;
  bool operator==(const Address&) const = default;
};

/// !%p, as the third source of setp.
struct Negated {
  Register predicate;
  bool operator==(const Negated&) const = default;
};

/// Two destinations: %r1|%p1 or %p1|%p2.
struct Pair {
  Scalar first;
  Scalar second;
  bool operator==(const Pair&) const = default;
};

/// {%f1, %f2, 0f00000000, _}
struct Vector {
  std::vector<Scalar> elements;
  bool operator==(const Vector&) const = default;
};

/// The arguments or results of a call: (param0, param1)
struct Arguments {
  std::vector<Scalar> elements;
  bool operator==(const Arguments&) const = default;
};

struct Operand {
  std::variant<Scalar, Address, Negated, Pair, Vector, Arguments> value;
  Place place;
  bool operator==(const Operand&) const = default;
};

}  // namespace bankproof::ptx
