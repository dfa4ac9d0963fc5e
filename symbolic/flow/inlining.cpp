// Inlines calls; see inlining.hpp.
#include "inlining.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "addresses_of_functions.hpp"
#include "calls.hpp"
#include "operands.hpp"
#include "slots.hpp"

namespace bankproof::symbolic {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Symbol;

/// Functions of the system, which access no memory of the kernel's but what they are given.
constexpr std::array<std::string_view, 3> of_system{"vprintf", "malloc", "free"};
/// Those that end the thread.
constexpr std::array<std::string_view, 2> that_end{"__assertfail", "abort"};

constexpr std::size_t most_statements = 200'000;
constexpr std::size_t most_depth = 64;

template <std::size_t count>
bool is_among(const std::array<std::string_view, count>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Inliner {
 public:
  /// `expected` are the parts of parameters and results that are accessed: a loop may store further
  /// below what it loads above.
  Inliner(const ptx::Module& module, std::size_t function,
          const std::map<Slots::Part, bool>& expected)
      : module_(module) {
    made_.module = module;
    out_ = &made_.module.functions.at(function);
    slots_.emplace(*out_);
    const ptx::Function& kernel = module.functions[function];
    out_->body.clear();
    out_->registers.clear();
    for (const auto& [part, is_stored] : expected) slots_->expect(part, is_stored);
    active_.push_back(&kernel);
    Body body{.function = &kernel};
    expand(body);
    for (const auto& [from, to] : jumps_) {
      auto& jump = std::get<Instruction>(out_->body[from]);
      jump.operands = {Operand{ptx::Scalar(ptx::LabelName{"", to}), jump.place}};
    }
  }

  Inlined made() { return std::move(made_); }
  std::map<Slots::Part, bool> parts() const { return slots_->known(); }

 private:
  /// A parameter or a result while its call is under way, or a variable for one.
  using Object = Slots::Variable;
  /// Where a symbol stands for such an object.
  using Name = std::pair<Symbol::Kind, std::size_t>;

  /// A function that is being inlined.
  struct Body {
    const ptx::Function* function = nullptr;
    std::size_t first_register = 0;  // of its declarations
    std::map<Name, Object> objects{};
    std::vector<std::size_t> at{};     // where its statements are now
    std::vector<std::size_t> own{};    // the statements that came from it
    std::vector<std::size_t> exits{};  // jumps to its end
  };

  void expand(Body& body) {
    const ptx::Function& function = *body.function;
    body.first_register = out_->registers.size();
    out_->registers.insert(out_->registers.end(), function.registers.begin(),
                           function.registers.end());
    for (std::size_t s = 0; s < function.body.size(); ++s) {
      body.at.push_back(out_->body.size());
      const auto* const instruction = std::get_if<Instruction>(&function.body[s]);
      if (instruction == nullptr && is_static(function.body[s])) {
        declare(body, s);
      } else if (instruction == nullptr) {
        if (is_for_call(function.body[s])) body.objects[{Symbol::Kind::local, s}] = objects_++;
        emit(body, function.body[s]);
        if (is_on_stack(function.body[s]) && active_.size() > 1) begin_life(body, s);
      } else {
        expand(body, *instruction);
      }
    }
    body.at.push_back(out_->body.size());
    if (active_.size() > 1) out_->body.emplace_back(ptx::Label{"end of " + function.name, {}});
    for (const std::size_t s : body.own) correct(body, out_->body[s]);
    for (const std::size_t s : body.exits) jumps_.emplace_back(s, body.at.back());
  }

  /// A variable that holds a parameter or a result of a call.
  static bool is_for_call(const ptx::Statement& statement) {
    const auto* const variable = std::get_if<ptx::Variable>(&statement);
    return variable != nullptr && variable->space == ptx::Space::param;
  }

  /// A variable that is the same one in all calls of its function.
  static bool is_static(const ptx::Statement& statement) {
    const auto* const variable = std::get_if<ptx::Variable>(&statement);
    return variable != nullptr && variable->space != ptx::Space::param &&
           variable->space != ptx::Space::local;
  }
  void declare(Body& body, std::size_t statement) {
    const auto [place, is_new] =
        statics_.try_emplace({body.function, statement}, out_->body.size());
    body.at.back() = place->second;
    if (is_new) emit(body, body.function->body[statement]);
  }

  static bool is_on_stack(const ptx::Statement& statement) {
    const auto* const variable = std::get_if<ptx::Variable>(&statement);
    return variable != nullptr && variable->space == ptx::Space::local;
  }
  /// Nothing is known of a variable when its function is called: call.external variable.
  void begin_life(Body& body, std::size_t statement) {
    const auto& variable = std::get<ptx::Variable>(body.function->body[statement]);
    const ptx::Scalar symbol = Symbol{variable.name, Symbol::Kind::local, statement, 0};
    emit(body, Instruction{.guard = {},
                           .base = "call",
                           .modifiers = {external_modifier},
                           .operands = {{symbol, variable.place}},
                           .place = variable.place});
  }

  void emit(Body& body, ptx::Statement statement) {
    body.own.push_back(out_->body.size());
    out_->body.push_back(std::move(statement));
  }

  void expand(Body& body, const Instruction& instruction) {
    const bool is_inner = active_.size() > 1;
    if (instruction.base == "call") return call(body, instruction);
    if (is_inner && instruction.base == "ret") {
      Instruction jump = instruction;
      jump.base = "bra";
      jump.modifiers.clear();
      body.exits.push_back(out_->body.size());
      return emit(body, std::move(jump));
    }
    if (const auto moved = object_of(body, instruction)) return move(body, instruction, *moved);
    if (takes_address(body, instruction)) {
      Instruction unknown = instruction;
      unknown.base = "address of a parameter or a result of a call";
      return emit(body, std::move(unknown));
    }
    emit(body, instruction);
  }

  // ---- Parameters and results

  std::optional<Object> object_of(const Body& body, const Symbol& symbol) const {
    const auto found = body.objects.find({symbol.kind, symbol.index});
    return found == body.objects.end() ? std::nullopt : std::optional(found->second);
  }
  /// The object that ld.param or st.param accesses.
  std::optional<Object> object_of(const Body& body, const Instruction& i) const {
    if ((i.base != "ld" && i.base != "st") || i.operands.size() != 2) return std::nullopt;
    const auto* const address =
        std::get_if<ptx::Address>(&i.operands[i.base == "ld" ? 1 : 0].value);
    const auto* const symbol = address == nullptr ? nullptr : std::get_if<Symbol>(&address->base);
    return symbol == nullptr ? std::nullopt : object_of(body, *symbol);
  }

  /// Whether it asks where a result lies, or a variable for a call: it may be written there.
  bool takes_address(const Body& body, const Instruction& i) const {
    bool takes = false;
    for (Operand operand : i.operands) {
      each_scalar(operand, [&](const ptx::Scalar& one) {
        const auto* const symbol = std::get_if<Symbol>(&one);
        takes = takes || (symbol != nullptr && symbol->kind != Symbol::Kind::parameter &&
                          object_of(body, *symbol));
      });
    }
    return takes;
  }

  void emit_all(Body& body, std::vector<Instruction> all) {
    for (Instruction& one : all) emit(body, std::move(one));
  }

  void move(Body& body, const Instruction& i, Object object) {
    const auto& address = std::get<ptx::Address>(i.operands[i.base == "ld" ? 1 : 0].value);
    emit_all(body,
             slots_->moves(i, object, std::get<Symbol>(address.base).offset + address.offset));
  }

  // ---- Calls

  bool can_expand(const ptx::Function* callee) const {
    return std::find(active_.begin(), active_.end(), callee) == active_.end() &&
           active_.size() <= most_depth && out_->body.size() <= most_statements;
  }

  void call(Body& body, const Instruction& i) {
    const Symbol* const name = callee_of(i);
    const ptx::Function* const callee =
        name == nullptr ? nullptr : ptx::definition(module_, name->name);
    if (!can_expand(callee) || has_result_among_parameters(i)) return emit(body, i);
    if (name != nullptr && callee == nullptr) return external(body, i, name->name);
    // A guarded call is jumped over.
    std::optional<std::size_t> jump;
    if (i.guard) {
      std::optional<ptx::Guard> otherwise = i.guard;
      otherwise->negated = !otherwise->negated;
      jump = emit_jump(body, i, otherwise);
    }
    if (callee != nullptr) {
      expand_call(body, i, *callee);
    } else {
      call_through_pointer(body, i);
    }
    if (jump) jumps_.emplace_back(*jump, emit_label("after a call"));
  }

  void expand_call(Body& body, const Instruction& i, const ptx::Function& callee) {
    Body inner{.function = &callee};
    const Passed variables = passed_by(i);
    bind(body, inner, Symbol::Kind::parameter, variables.parameters);
    bind(body, inner, Symbol::Kind::result, variables.results);
    // A function need not write its result.
    for (const auto& [name, object] : inner.objects) {
      if (name.first == Symbol::Kind::result) emit_all(body, slots_->forgotten(i, object));
    }
    active_.push_back(&callee);
    expand(inner);
    active_.pop_back();
    // What a function returns to a register is not followed.
    std::vector<ptx::Scalar> registers;
    for (const ptx::Scalar& one : variables.results) {
      if (std::holds_alternative<ptx::Register>(one)) registers.push_back(one);
    }
    emit_all(body, slots_->forgotten(i, std::move(registers)));
  }

  /// Whether it is a function of this module; if so, its body.
  void call_through_pointer(Body& body, const Instruction& i) {
    const auto pointer = std::find_if(i.operands.begin(), i.operands.end(), [](const Operand& one) {
      const auto* const scalar = std::get_if<ptx::Scalar>(&one.value);
      return scalar != nullptr && std::holds_alternative<ptx::Register>(*scalar);
    });
    if (pointer == i.operands.end()) return emit(body, i);
    made_.calls_through_pointers = true;
    const auto compute = [&](const char* base, std::vector<std::string> modifiers,
                             std::vector<ptx::Scalar> operands) {
      Instruction made{.guard = {},
                       .base = base,
                       .modifiers = std::move(modifiers),
                       .operands = {},
                       .place = i.place};
      for (ptx::Scalar& one : operands) made.operands.push_back({std::move(one), i.place});
      emit(body, std::move(made));
    };
    std::vector<std::size_t> ends;
    const Passed variables = passed_by(i);
    for (const std::size_t index :
         functions_with_address(module_, variables.parameters.size(), variables.results.size())) {
      const ptx::Function& callee = module_.functions[index];
      const ptx::Register here = slots_->made("b64");
      const ptx::Register differs = slots_->made("pred");
      compute("mov", {"u64"}, {here, Symbol{callee.name, Symbol::Kind::function, index, 0}});
      compute("setp", {"ne", "u64"}, {differs, here, std::get<ptx::Scalar>(pointer->value)});
      const std::size_t over = emit_jump(body, i, ptx::Guard{differs, false});
      if (can_expand(&callee)) {
        expand_call(body, i, callee);
      } else {
        emit(body, i);
      }
      ends.push_back(emit_jump(body, i, std::nullopt));
      jumps_.emplace_back(over, emit_label("not " + callee.name));
    }
    compute("trap", {}, {});
    const std::size_t end = emit_label("after a call");
    for (const std::size_t jump : ends) jumps_.emplace_back(jump, end);
  }

  std::size_t emit_jump(Body& body, const Instruction& at, std::optional<ptx::Guard> guard) {
    emit(body, Instruction{.guard = std::move(guard),
                           .base = "bra",
                           .modifiers = {},
                           .operands = {},
                           .place = at.place});
    return out_->body.size() - 1;
  }
  std::size_t emit_label(const std::string& name) {
    out_->body.emplace_back(ptx::Label{name, {}});
    return out_->body.size() - 1;
  }

  /// A parameter of the callee is the variable that the caller has written.
  void bind(const Body& outer, Body& inner, Symbol::Kind kind,
            const std::vector<ptx::Scalar>& arguments) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const auto* const symbol = std::get_if<Symbol>(&arguments[k]);
      const auto known = symbol == nullptr ? std::nullopt : object_of(outer, *symbol);
      inner.objects[{kind, k}] = known ? *known : objects_++;
    }
  }

  void external(Body& body, const Instruction& i, const std::string& name) {
    if (is_among(that_end, name)) {
      return emit(
          body,
          Instruction{
              .guard = i.guard, .base = "trap", .modifiers = {}, .operands = {}, .place = i.place});
    }
    if (!is_among(of_system, name) &&
        std::find(made_.unknown.begin(), made_.unknown.end(), name) == made_.unknown.end()) {
      made_.unknown.push_back(name);
    }
    // Any part of a result may be read: it has no value until then, in each iteration anew.
    const auto* const results =
        i.operands.empty() ? nullptr : std::get_if<ptx::Arguments>(&i.operands.front().value);
    if (results == nullptr) return;
    std::vector<ptx::Scalar> all;
    for (const ptx::Scalar& one : results->elements) {
      const auto* const symbol = std::get_if<Symbol>(&one);
      const auto object = symbol == nullptr ? std::nullopt : object_of(body, *symbol);
      if (object) {
        const std::vector<ptx::Scalar> parts = slots_->any_parts(*object);
        all.insert(all.end(), parts.begin(), parts.end());
      } else {
        all.push_back(one);
      }
    }
    emit_all(body, slots_->forgotten(i, std::move(all)));
  }

  // ---- Names

  /// Registers, labels and variables of the function have other numbers now.
  void correct(const Body& body, ptx::Statement& statement) {
    move_names(statement, body.at);
    const auto is_passed = [&](const Symbol& symbol) {
      const bool has_kind =
          symbol.kind == Symbol::Kind::parameter || symbol.kind == Symbol::Kind::result;
      return has_kind && body.function != active_.front();
    };
    const auto scalar = [&](ptx::Scalar& one) {
      if (auto* const r = std::get_if<ptx::Register>(&one)) {
        if (!Slots::is_slot(*r)) r->declaration += body.first_register;
      } else if (auto* const symbol = std::get_if<Symbol>(&one)) {
        // The address of a parameter may be any.
        if (is_passed(*symbol)) one = slots_->any(objects_++);
      }
    };
    if (auto* const i = std::get_if<Instruction>(&statement)) {
      if (i->guard && !Slots::is_slot(i->guard->predicate)) {
        i->guard->predicate.declaration += body.first_register;
      }
      for (Operand& operand : i->operands) {
        if (auto* const address = std::get_if<ptx::Address>(&operand.value)) {
          const auto* const symbol = std::get_if<Symbol>(&address->base);
          if (symbol != nullptr && is_passed(*symbol)) address->base = slots_->any(objects_++);
        }
        each_scalar(operand, scalar);
      }
    } else if (auto* const registers = std::get_if<ptx::Registers>(&statement)) {
      registers->declaration += body.first_register;
    }
  }

  const ptx::Module& module_;
  Inlined made_;
  ptx::Function* out_ = nullptr;
  std::vector<const ptx::Function*> active_;
  Object objects_ = 0;
  std::optional<Slots> slots_;
  /// Where the variables are now that all calls share.
  std::map<std::pair<const ptx::Function*, std::size_t>, std::size_t> statics_;
  std::vector<std::pair<std::size_t, std::size_t>> jumps_;  // to the ends of functions
};

}  // namespace

std::optional<Inlined> with_calls_inlined(const ptx::Module& module, std::size_t function) {
  const std::vector<ptx::Statement>& body = module.functions.at(function).body;
  const bool calls = std::any_of(body.begin(), body.end(), [](const ptx::Statement& statement) {
    const auto* const i = std::get_if<Instruction>(&statement);
    return i != nullptr && i->base == "call";
  });
  if (!calls) return std::nullopt;
  const Inliner first(module, function, {});
  return Inliner(module, function, first.parts()).made();
}

}  // namespace bankproof::symbolic
