// Decodes branches, calls and barriers.
#include <algorithm>
#include <initializer_list>

#include "../memory/access.hpp"
#include "barrier.hpp"
#include "control.hpp"
#include "device_runtime.hpp"
#include "function_decoder.hpp"
#include "library.hpp"

namespace bankproof::ptx {

bool FunctionDecoder::control() {
  const std::string& base = at_->base;
  if (base == "bra") {
    branch();
  } else if (base == "brx") {
    table_branch();
  } else if (base == "exit" || (base == "ret" && function_.entry)) {
    emit_guarded(exit_step);
  } else if (base == "ret") {
    emit_guarded(return_step);
  } else if (base == "trap" || base == "brkpt") {
    emit_guarded(trap_step, {"executes " + base});
  } else if (base == "call") {
    call();
  } else if ((base == "bar" && !opcode_.starts_with("bar.warp")) || base == "barrier") {
    barrier();
  } else {
    return false;
  }
  return true;
}

void FunctionDecoder::branch() {
  emit_guarded(nullptr);  // resolve() sets the step
  fixes_.push_back({code_.ops.size() - 1, {}, reconvergence_[block_], block_});
  const auto* name = std::get_if<LabelName>(&scalar(operand(0)));
  if (name == nullptr) unsupported("this form of target");
  fixes_.back().targets.push_back(flow_.block_of[name->statement]);
}

void FunctionDecoder::table_branch() {
  const Slot index = source(operand(0), LaneType::b32);
  emit_guarded(nullptr).s[0] = index;
  fixes_.push_back({code_.ops.size() - 1, {}, reconvergence_[block_], block_, true});
  const auto* name = std::get_if<LabelName>(&scalar(operand(1)));
  const auto* table =
      name == nullptr ? nullptr : std::get_if<BranchTargets>(&function_.body[name->statement]);
  if (table == nullptr) unsupported("this form of table");
  for (const LabelName& target : table->targets) {
    fixes_.back().targets.push_back(flow_.block_of[target.statement]);
  }
}

// call (results), function, (arguments), prototype; only the function is always there.
void FunctionDecoder::call() {
  CallOperands operands;
  const auto areas = [&](const Arguments& arguments, std::vector<ParamArea>& to) {
    for (const Scalar& element : arguments.elements) {
      const auto* symbol = std::get_if<Symbol>(&element);
      const ParamArea* place = symbol == nullptr ? nullptr : area(*symbol);
      if (place == nullptr) unsupported("an argument that is no variable in .param space");
      to.push_back(*place);
    }
  };
  const Scalar* callee = nullptr;
  for (const Operand& o : at_->operands) {
    if (const auto* arguments = std::get_if<Arguments>(&o.value)) {
      areas(*arguments, callee == nullptr ? operands.results : operands.arguments);
    } else if (callee == nullptr) {
      callee = &scalar(o);
    }
  }
  if (callee == nullptr) unsupported("a call of nothing");
  Slot address = no_slot;
  if (const auto* symbol = std::get_if<Symbol>(callee)) {
    operands.function = decoder_.code_of(symbol->name);
    if (operands.function == nullptr && library_call(symbol->name, operands)) return;
    if (const std::string why = why_no_device_function(symbol->name);
        operands.function == nullptr && !why.empty()) {
      unsupported(why);
    }
    if (operands.function == nullptr)
      unsupported(opcode_ + " of " + symbol->name + ", which has no body");
    if (operands.arguments.size() != operands.function->parameters.size() ||
        operands.results.size() != operands.function->results.size()) {
      unsupported(opcode_ + " of " + symbol->name + " with another number of arguments");
    }
    callees_.push_back(operands.function);
  } else {
    address = source(*callee, LaneType::b64);
    calls_indirectly_ = true;
  }
  emit_guarded(call_step, std::move(operands)).s[0] = address;
  // Lanes may exit in the called function, so the instructions after the call are counted
  // separately.
  begin_counted_block();
}

// Decodes calls of functions of CUDA's device library, which have no body in PTX.
bool FunctionDecoder::library_call(const std::string& name, const CallOperands& call) {
  const auto has = [&](std::initializer_list<std::uint32_t> arguments, std::size_t results) {
    return call.results.size() == results &&
           std::equal(
               call.arguments.begin(), call.arguments.end(), arguments.begin(), arguments.end(),
               [](const ParamArea& area, std::uint32_t bytes) { return area.bytes >= bytes; });
  };
  if (name == "vprintf" && has({8, 8}, 1)) {
    emit_guarded(print_step, call);
    return true;
  }
  if (name == "__assertfail" && has({8, 8, 4, 8, 8}, 0)) {
    emit_guarded(assert_step, call);
    return true;
  }
  if (const DeviceFunction* const function = device_function(name)) {
    if (!fits(*function, call)) return false;
    emit_guarded(function->step, call);
    Program& program = decoder_.program;
    program.launches = program.launches || function->launches;
    program.precise = program.precise || function->launches;
    program.uses_heap = program.uses_heap || function->uses_heap;
    program.differs_by_launch = true;
    return true;
  }
  const bool has_word = !call.arguments.empty() && call.arguments[0].bytes >= 8;
  const bool gives_word = call.results.size() == 1 && call.results[0].bytes >= 8;
  const bool gives = allocates(name) && has_word && gives_word;
  const bool takes = frees(name) && has_word && call.results.empty();
  if (!gives && !takes) return false;
  emit_guarded(gives ? malloc_step : free_step, call);
  decoder_.program.uses_heap = true;
  decoder_.program.differs_by_launch = true;
  return true;
}

// bar{.cta}.sync a{, b}; .arrive a, b; .red.popc.u32 d, a{, b}, {!}c; `barrier` has the same forms,
// but is aligned only with the modifier .aligned.
void FunctionDecoder::barrier() {
  using Kind = BarrierOperands::Kind;
  BarrierOperands operands;
  operands.aligned = at_->base == "bar";
  bool reduces = false;
  bool known = false;
  for (const std::string& modifier : at_->modifiers) {
    if (modifier == "aligned") {
      operands.aligned = true;
    } else if (modifier == "sync") {
      known = true;
    } else if (modifier == "arrive") {
      operands.kind = Kind::arrive;
      known = true;
    } else if (modifier == "red") {
      reduces = true;
    } else if (reduces && (modifier == "popc" || modifier == "and" || modifier == "or")) {
      operands.kind = modifier == "popc" ? Kind::count : modifier == "and" ? Kind::all : Kind::any;
      known = true;
    } else if (modifier != "cta" && !(reduces && (modifier == "u32" || modifier == "pred"))) {
      known = false;
      break;
    }
  }
  if (!known) unsupported(opcode_);
  std::size_t next = reduces ? 1 : 0;
  const std::size_t end = at_->operands.size() - (reduces ? 1 : 0);
  operands.constant_id = std::holds_alternative<Immediate>(scalar(operand(next)));
  operands.id = source(operand(next++), LaneType::b32);
  if (next < end) operands.threads = source(operand(next++), LaneType::b32);
  if (next != end) unsupported("another number of operands");
  if (operands.kind == Kind::arrive && operands.threads == no_slot)
    unsupported("no number of threads");
  Slot result = no_slot;
  if (reduces) {
    operands.predicate = source(operand(end), LaneType::predicate);
    result = destination(scalar(operand(0)),
                         operands.kind == Kind::count ? LaneType::b32 : LaneType::predicate);
  }
  decoder_.program.precise = decoder_.program.precise || needs_exact_clocks(*at_);
  emit_guarded(barrier_step, operands).d[0] = result;
}

}  // namespace bankproof::ptx
