// Builds the scopes of a function, and looks up each operand in them.
#include "names.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace bankproof::ptx {

namespace {

// The meaning of a name. A range of registers has an entry under its prefix and `<`: `%r<` for
// `%r<9>`.
struct Meaning {
  enum class Kind : std::uint8_t { label, reg, range, local };
  Kind kind;
  std::size_t index;  // index of a statement or of a register declaration
};

struct Scope {
  std::size_t parent = 0;
  std::unordered_map<std::string, Meaning> names;
};

class Resolver {
 public:
  Resolver(Function& function, const Symbols& module, const std::string& file)
      : function_(function), module_(module), file_(file) {}

  void run() {
    add_parameters(function_.parameters, Symbol::Kind::parameter);
    add_parameters(function_.results, Symbol::Kind::result);
    find_labels();
    std::size_t entered = 0;
    for (std::size_t s = 0; s < function_.body.size(); ++s) {
      Statement& statement = function_.body[s];
      if (std::holds_alternative<ScopeBegin>(statement)) {
        scope_ = ++entered;
      } else if (std::holds_alternative<ScopeEnd>(statement)) {
        scope_ = scopes_[scope_].parent;
      } else if (const auto* registers = std::get_if<Registers>(&statement)) {
        declare(registers->declaration);
      } else if (const auto* variable = std::get_if<Variable>(&statement)) {
        add(variable->name, {Meaning::Kind::local, s}, variable->place);
      } else if (auto* instruction = std::get_if<Instruction>(&statement)) {
        resolve(*instruction);
      } else if (auto* table = std::get_if<BranchTargets>(&statement)) {
        for (LabelName& target : table->targets) resolve(target, table->place);
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what, Place place) const {
    throw Error(what, file_, place);
  }

  void find_labels() {
    scopes_.emplace_back();
    for (std::size_t s = 0; s < function_.body.size(); ++s) {
      const Statement& statement = function_.body[s];
      if (std::holds_alternative<ScopeBegin>(statement)) {
        scopes_.push_back({scope_, {}});
        scope_ = scopes_.size() - 1;
      } else if (std::holds_alternative<ScopeEnd>(statement)) {
        scope_ = scopes_[scope_].parent;
      } else if (const auto* label = std::get_if<Label>(&statement)) {
        add(label->name, {Meaning::Kind::label, s}, label->place);
      } else if (const auto* table = std::get_if<BranchTargets>(&statement)) {
        add(table->name, {Meaning::Kind::label, s}, table->place);
      } else if (const auto* prototype = std::get_if<CallPrototype>(&statement)) {
        add(prototype->name, {Meaning::Kind::label, s}, prototype->place);
      }
    }
  }

  void add(std::string name, Meaning meaning, Place place) {
    const auto [at, is_new] = scopes_[scope_].names.emplace(std::move(name), meaning);
    if (!is_new) fail("'" + at->first + "' is declared twice", place);
  }

  void declare(std::size_t declaration) {
    const RegisterDeclaration& made = function_.registers[declaration];
    if (made.count) {
      add(made.name + "<", {Meaning::Kind::range, declaration}, made.place);
    } else {
      add(made.name, {Meaning::Kind::reg, declaration}, made.place);
    }
  }

  // The register `name` of a range in this scope, if there is one. `%r12` may be number 12 of `%r`
  // or number 2 of `%r1`; a name that is both is an error.
  std::optional<Register> in_ranges(const Scope& scope, const std::string& name,
                                    Place place) const {
    std::optional<Register> found;
    constexpr std::size_t most_digits = 10;  // 2^32 has ten
    for (std::size_t digits = 1; digits <= most_digits && digits < name.size(); ++digits) {
      const char first = name[name.size() - digits];
      if (first < '0' || first > '9') break;
      if (first == '0' && digits > 1) continue;
      const std::size_t split = name.size() - digits;
      const auto range = scope.names.find(name.substr(0, split) + "<");
      if (range == scope.names.end()) continue;
      std::uint64_t number = 0;
      std::from_chars(name.data() + split, name.data() + name.size(), number);
      const std::size_t declaration = range->second.index;
      if (number >= *function_.registers[declaration].count) continue;
      if (found) fail("'" + name + "' may be a register of two declarations", place);
      found = Register{name, declaration, static_cast<std::uint32_t>(number)};
    }
    return found;
  }

  // The meaning in the innermost scope that knows the name.
  std::optional<Scalar> find_declared(const std::string& name, Place place) const {
    for (std::size_t s = scope_;; s = scopes_[s].parent) {
      const auto found = scopes_[s].names.find(name);
      if (found != scopes_[s].names.end()) return operand_of(name, found->second);
      if (auto reg = in_ranges(scopes_[s], name, place)) return *reg;
      if (s == 0) return std::nullopt;
    }
  }

  static Scalar operand_of(const std::string& name, Meaning meaning) {
    if (meaning.kind == Meaning::Kind::label) return LabelName{name, meaning.index};
    if (meaning.kind == Meaning::Kind::reg) return Register{name, meaning.index, 0};
    return Symbol{name, Symbol::Kind::local, meaning.index, 0};
  }

  void add_parameters(const std::vector<Variable>& variables, Symbol::Kind kind) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const std::string& name = variables[i].name;
      const bool is_new = parameters_.emplace(name, Symbol{name, kind, i, 0}).second;
      if (!is_new && name != "_") fail("'" + name + "' is declared twice", variables[i].place);
    }
  }

  // The meaning of a name that has no offset after it.
  Scalar meaning(const std::string& name, Place place) const {
    if (const auto declared = find_declared(name, place)) return *declared;
    const auto parameter = parameters_.find(name);
    if (parameter != parameters_.end()) return parameter->second;
    const auto symbol = module_.find(name);
    if (symbol != module_.end()) return symbol->second;
    fail("unknown name '" + name + "'", place);
  }

  void resolve(LabelName& target, Place place) const {
    const auto found = find_declared(target.name, place);
    const auto* label = found ? std::get_if<LabelName>(&*found) : nullptr;
    if (!label || !std::holds_alternative<Label>(function_.body[label->statement])) {
      fail("unknown label '" + target.name + "'", place);
    }
    target = *label;
  }

  void resolve(Register& reg, Place place) const {
    const auto found = find_declared(reg.name, place);
    if (!found || !std::holds_alternative<Register>(*found)) {
      fail("unknown register '" + reg.name + "'", place);
    }
    reg = std::get<Register>(*found);
  }

  void resolve(Scalar& scalar, Place place) const {
    const auto* written = std::get_if<Symbol>(&scalar);
    if (!written) return;
    Scalar found = meaning(written->name, place);
    if (auto* symbol = std::get_if<Symbol>(&found)) {
      symbol->offset = written->offset;
    } else if (written->offset != 0) {
      fail("an offset behind '" + written->name + "' outside of an address", place);
    }
    scalar = std::move(found);
  }

  void resolve_predicate(Register& reg, Place place) const {
    resolve(reg, place);
    if (function_.registers[reg.declaration].type != "pred") {
      fail("'" + reg.name + "' is no predicate", place);
    }
  }

  void resolve(Address& address, Place place) const {
    for (Scalar& part : address.more) resolve(part, place);
    for (Scalar& part : address.coordinates) resolve(part, place);
    const auto* written = std::get_if<Symbol>(&address.base);
    if (!written) return;
    const std::int64_t offset = written->offset;
    Scalar found = meaning(written->name, place);
    if (auto* symbol = std::get_if<Symbol>(&found)) {
      symbol->offset = offset;
      address.base = std::move(*symbol);
    } else if (auto* reg = std::get_if<Register>(&found)) {
      address.base = std::move(*reg);
      address.offset = offset;
    } else {
      fail("'" + written->name + "' is no address", place);
    }
  }

  void resolve(Instruction& instruction) const {
    if (instruction.guard) resolve_predicate(instruction.guard->predicate, instruction.place);
    for (Operand& operand : instruction.operands) {
      const Place place = operand.place;
      if (auto* scalar = std::get_if<Scalar>(&operand.value)) {
        resolve(*scalar, place);
      } else if (auto* address = std::get_if<Address>(&operand.value)) {
        resolve(*address, place);
      } else if (auto* negated = std::get_if<Negated>(&operand.value)) {
        resolve_predicate(negated->predicate, place);
      } else if (auto* pair = std::get_if<Pair>(&operand.value)) {
        resolve(pair->first, place);
        resolve(pair->second, place);
      } else if (auto* vector = std::get_if<Vector>(&operand.value)) {
        for (Scalar& element : vector->elements) resolve(element, place);
      } else {
        for (Scalar& element : std::get<Arguments>(operand.value).elements) resolve(element, place);
      }
    }
  }

  Function& function_;
  const Symbols& module_;
  const std::string& file_;
  Symbols parameters_;
  std::vector<Scope> scopes_;
  std::size_t scope_ = 0;
};

}  // namespace

void resolve_names(Function& function, const Symbols& module, const std::string& file) {
  Resolver(function, module, file).run();
}

}  // namespace bankproof::ptx
