// A PTX module as it is written: what the parser makes and the printer prints.
//
// The body of a function is one flat list of statements, in which scopes open and close; a branch
// holds the index of its label in this list. Names are resolved (names.hpp): a register operand has
// the index of its declaration, and a symbol has the kind and the index of what it names. Opcodes
// are data: the parser knows their form, `base.modifier.modifier operands;`, but not which opcodes
// exist.
//
// == compares modules and ignores places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "error.hpp"
#include "operands.hpp"
#include "space_names.hpp"
#include "types.hpp"

namespace bankproof::ptx {

// ---- Declarations

enum class Linkage : std::uint8_t { internal, visible, weak, external, common };

/// One number of an initializer, or an address: generic(symbol)+4, or a byte of it: 0xFF00(symbol).
struct InitialValue {
  std::variant<Immediate, Symbol> value;
  bool generic = false;
  std::optional<std::uint64_t> mask;
  Place place;
  bool operator==(const InitialValue&) const = default;
};

/// The state space into which a kernel's parameter points: .ptr .global .align 16
struct Pointer {
  std::optional<Space> space;
  std::optional<std::uint64_t> align;
  bool operator==(const Pointer&) const = default;
};

/// A variable of a module or a function, or a parameter.
struct Variable {
  Space space = Space::global;
  Linkage linkage = Linkage::internal;
  bool managed = false;  // .attribute(.managed): the host accesses it too
  std::optional<std::uint64_t> align;
  std::uint64_t vector = 1;  // 2 or 4 for .v2 or .v4 elements
  Type type;
  std::optional<Pointer> pointer;
  std::string name;  // `_` in a prototype
  // All dimensions in order; 0 stands for [].
  std::vector<std::uint64_t> dimensions;
  std::vector<InitialValue> initial;
  Place place;
  std::string file;  // after linking, the module that it is from; else empty
  bool operator==(const Variable&) const = default;
};

/// `.reg .b32 %r<9>;` is nine registers, %r0 … %r8. Without a count, it is one register of that
/// name.
struct RegisterDeclaration {
  Type type;
  std::string name;
  std::optional<std::uint32_t> count;
  Place place;
  bool operator==(const RegisterDeclaration&) const = default;
};

// ---- Statements

struct Guard {
  Register predicate;
  bool negated = false;
  bool operator==(const Guard&) const = default;
};

/// `@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];` has a guard, the base `ld` and three modifiers.
struct Instruction {
  std::optional<Guard> guard;
  std::string base;
  std::vector<std::string> modifiers;  // without their dots
  std::vector<Operand> operands;
  Place place;
  bool operator==(const Instruction&) const = default;

  /// ld.global.v2.f32
  std::string opcode() const {
    std::string text = base;
    for (const std::string& modifier : modifiers) text.append(".").append(modifier);
    return text;
  }
  bool has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
  }
};

struct Label {
  std::string name;
  Place place;
  bool operator==(const Label&) const = default;
};

/// name: .branchtargets L1, L2;
struct BranchTargets {
  std::string name;
  std::vector<LabelName> targets;
  Place place;
  bool operator==(const BranchTargets&) const = default;
};

/// name: .callprototype (results) _ (parameters);
struct CallPrototype {
  std::string name;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  bool noreturn = false;
  Place place;
  bool operator==(const CallPrototype&) const = default;
};

/// A line and a column of a source file.
struct SourcePoint {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourcePoint&) const = default;
};

/// .loc: the instructions that follow belong to `at`. In inlined code, `inlined` names the function
/// and the place that calls it.
struct Location {
  struct Inlined {
    std::string function;           // the label of its name in .debug_str
    std::uint64_t name_offset = 0;  // bytes after that label
    SourcePoint into;
    bool operator==(const Inlined&) const = default;
  };
  SourcePoint at;
  std::optional<Inlined> inlined;
  Place place;
  bool operator==(const Location&) const = default;
};

struct ScopeBegin {
  bool operator==(const ScopeBegin&) const = default;
};
struct ScopeEnd {
  bool operator==(const ScopeEnd&) const = default;
};

/// Marks where Function::registers[declaration] is declared.
struct Registers {
  std::size_t declaration = 0;
  bool operator==(const Registers&) const = default;
};

/// A hint to the compiler; it does not affect execution.
struct Pragma {
  std::string text;
  bool operator==(const Pragma&) const = default;
};

using Statement = std::variant<Instruction, Label, BranchTargets, CallPrototype, Location, Variable,
                               Registers, ScopeBegin, ScopeEnd, Pragma>;

// ---- Functions and modules

/// .maxntid 256, 1, 1; .noreturn
struct FunctionDirective {
  std::string name;  // without its dot
  std::vector<std::uint64_t> numbers;
  bool operator==(const FunctionDirective&) const = default;
};

struct Function {
  bool entry = false;
  Linkage linkage = Linkage::internal;
  std::vector<Variable> results;
  std::string name;
  std::vector<Variable> parameters;
  std::vector<FunctionDirective> directives;
  bool defined = false;  // has a body, even an empty one
  std::vector<RegisterDeclaration> registers;
  std::vector<Statement> body;
  Place place;
  std::string file;  // after linking, the module that it is from; else empty
  bool operator==(const Function&) const = default;
};

struct SourceFile {
  std::uint32_t number = 0;
  std::string name;
  bool operator==(const SourceFile&) const = default;
};

/// A label in the section .debug_str and the bytes from there to the next label.
struct DebugString {
  std::string label;
  std::string bytes;
  bool operator==(const DebugString&) const = default;
};

/// `order` has the variables and functions in the order of their declarations. The printer needs
/// it, since a name must be declared before its use.
struct Module {
  struct Item {
    bool is_function = false;
    std::size_t index = 0;
    bool operator==(const Item&) const = default;
  };
  std::string file;  // the name of the PTX file, for messages
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::vector<std::string> target;  // sm_80, and options such as debug
  std::uint64_t address_size = 32;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Item> order;
  std::vector<SourceFile> files;
  std::vector<DebugString> strings;

  friend bool operator==(const Module& a, const Module& b) {
    const auto parts = [](const Module& m) {
      return std::tie(m.major, m.minor, m.target, m.address_size, m.variables, m.functions, m.order,
                      m.files, m.strings);
    };
    return parts(a) == parts(b);
  }
};

/// The PTX file to which the places in a function or variable belong, for messages.
template <class Declaration>
const std::string& file_of(const Module& module, const Declaration& declaration) {
  return declaration.file.empty() ? module.file : declaration.file;
}

/// The function of that name with a body, or null.
inline const Function* definition(const Module& module, const std::string& name) {
  for (const Function& function : module.functions) {
    if (function.defined && function.name == name) return &function;
  }
  return nullptr;
}

}  // namespace bankproof::ptx
