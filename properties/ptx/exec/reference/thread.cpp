// The statements of a thread: operands, memory, control.
#include "thread.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "matrices.hpp"

namespace bankproof::ptx::reference {

namespace {

// The addresses at which the windows of spaces begin; no buffer lies there.
constexpr std::uint64_t shared_window = 1ULL << 33U;
constexpr std::uint64_t local_window = 1ULL << 34U;
constexpr std::uint64_t functions_at = 1ULL << 35U;
constexpr std::size_t most_local_bytes = 1U << 20U;

std::size_t bytes_of(const Variable& variable) {
  std::size_t bytes = integer_type("b" + variable.type.substr(1)).bits / 8 * variable.vector;
  for (const std::uint64_t dimension : variable.dimensions) bytes *= dimension;
  return bytes;
}

std::size_t rounded_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::size_t alignment_of(const Variable& variable) {
  return variable.align.value_or(integer_type("b" + variable.type.substr(1)).bits / 8);
}

std::vector<Scalar> elements(const Operand& operand) {
  if (const auto* vector = std::get_if<Vector>(&operand.value)) return vector->elements;
  return {std::get<Scalar>(operand.value)};
}

}  // namespace

Thread::Thread(Surroundings& surroundings, const Function& kernel, std::uint32_t number,
               std::span<const std::byte> parameters)
    : around_(surroundings), number_(number) {
  local_.reserve(most_local_bytes);
  Call call = call_of(kernel);
  std::size_t at = 0;
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    const Variable& parameter = kernel.parameters[k];
    at = rounded_up(at, alignment_of(parameter));
    const auto part = parameters.subspan(at, bytes_of(parameter));
    call.areas[{Symbol::Kind::parameter, k}] = Bytes(part.begin(), part.end());
    at += part.size();
  }
  calls_.push_back(std::move(call));
}

// A call, with room for the function's variables in local memory.
Call Thread::call_of(const Function& function) {
  Call call{.function = &function, .at = 0, .registers = {}, .areas = {}, .local = {}};
  for (std::size_t s = 0; s < function.body.size(); ++s) {
    const auto* variable = std::get_if<Variable>(&function.body[s]);
    if (variable == nullptr || variable->space != Space::local) continue;
    const std::size_t place = rounded_up(local_.size(), alignment_of(*variable));
    if (place + bytes_of(*variable) > most_local_bytes) throw std::out_of_range("stack");
    call.local[s] = place;
    local_.resize(place + bytes_of(*variable));
  }
  return call;
}

void Thread::unknown(const Instruction& i) const {
  throw Error("the reference does not know " + i.opcode(), around_.module.file, i.place);
}

void Thread::run() {
  while (state_ == State::runs) {
    Call& call = calls_.back();
    if (call.at >= call.function->body.size()) {
      give_back();
      continue;
    }
    const auto* i = std::get_if<Instruction>(&call.function->body[call.at]);
    if (i == nullptr) {
      ++call.at;
      continue;
    }
    if (++steps_ > most_steps) throw std::runtime_error("a thread does not come to an end");
    const auto function = static_cast<std::size_t>(call.function - around_.module.functions.data());
    ++around_.result.executions[{function, call.at}];
    ++call.at;
    if (i->guard) {
      const Register& p = i->guard->predicate;
      if ((call.registers[{p.declaration, p.number}] != 0) == i->guard->negated) continue;
    }
    step(*i);
  }
}

void Thread::step(const Instruction& i) {
  if (control(i) || memory(i)) return;
  const std::optional<std::uint64_t> result = computed(i);
  if (!result) unknown(i);
  set(i.operands.at(0), *result);
}

const Instruction& Thread::waits_at() const {
  return std::get<Instruction>(calls_.back().function->body[calls_.back().at - 1]);
}

void Thread::go_on(std::optional<std::uint64_t> result, std::optional<bool> predicate) {
  state_ = State::runs;
  const Instruction& i = waits_at();
  if (!result) return;
  if (const auto* pair = std::get_if<Pair>(&i.operands.at(0).value)) {
    set(pair->first, *result);
    set(pair->second, predicate.value_or(false) ? 1 : 0);
  } else {
    set(i.operands.at(0), *result);
  }
}

void Thread::go_on_with(const std::vector<std::uint64_t>& results) {
  state_ = State::runs;
  const std::vector<Scalar> destinations = elements(waits_at().operands.at(0));
  for (std::size_t k = 0; k < destinations.size(); ++k) set(destinations[k], results.at(k));
}

std::uint64_t Thread::value(std::size_t operand) const {
  return value(waits_at().operands.at(operand));
}

std::vector<std::uint64_t> Thread::values(std::size_t operand) const {
  const std::vector<Scalar> all = elements(waits_at().operands.at(operand));
  std::vector<std::uint64_t> found(all.size());
  std::transform(all.begin(), all.end(), found.begin(),
                 [&](const Scalar& scalar) { return value(scalar); });
  return found;
}

// ---- Operands

void Thread::set(const Operand& to, std::uint64_t value) { set(std::get<Scalar>(to.value), value); }

void Thread::set(const Scalar& to, std::uint64_t value) {
  if (std::holds_alternative<Sink>(to)) return;
  const auto& r = std::get<Register>(to);
  Call& call = calls_.back();
  const std::string& name = call.function->registers[r.declaration].type;
  const IntegerType type = integer_type(name[0] == 'p' ? name : "b" + name.substr(1));
  call.registers[{r.declaration, r.number}] = fitted(value, type);
}

std::uint64_t Thread::value(const Operand& operand) const {
  if (const auto* negated = std::get_if<Negated>(&operand.value)) {
    return value(Scalar(negated->predicate)) == 0 ? 1 : 0;
  }
  return value(std::get<Scalar>(operand.value));
}

std::uint64_t Thread::value(const Scalar& scalar) const {
  if (const auto* r = std::get_if<Register>(&scalar)) {
    const auto found = calls_.back().registers.find({r->declaration, r->number});
    return found == calls_.back().registers.end() ? 0 : found->second;
  }
  if (const auto* immediate = std::get_if<Immediate>(&scalar)) return immediate->bits;
  if (const auto* name = std::get_if<Special>(&scalar)) return special(name->name);
  return address_of(std::get<Symbol>(scalar));
}

std::uint64_t Thread::special(const std::string& name) const {
  const Extent& block = around_.block;
  const Extent thread{number_ % block[0], number_ / block[0] % block[1],
                      number_ / block[0] / block[1]};
  const std::size_t component = std::string("xyz").find(name.back());
  const std::string base = name.substr(0, name.find('.'));
  if (component < 3 && name.find('.') != std::string::npos) {
    if (base == "%tid") return thread[component];
    if (base == "%ntid") return block[component];
    if (base == "%ctaid") return around_.index[component];
    if (base == "%nctaid") return around_.grid[component];
  }
  if (name == "%laneid") return number_ % 32;
  if (name == "%warpid") return number_ / 32;
  if (name == "WARP_SZ") return 32;
  throw std::invalid_argument("the reference does not know " + name);
}

std::uint64_t Thread::address_of(const Symbol& symbol) const {
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  const auto of_shared = [&](const Variable& variable) {
    const auto [found, is_new] = around_.shared_addresses.try_emplace(&variable, 0);
    if (is_new) {
      found->second = rounded_up(around_.shared.size(), alignment_of(variable));
      around_.shared.resize(found->second + bytes_of(variable));
    }
    return found->second + offset;
  };
  if (symbol.kind == Symbol::Kind::function) return functions_at + symbol.index;
  if (symbol.kind == Symbol::Kind::variable) {
    const Variable& variable = around_.module.variables[symbol.index];
    if (variable.space != Space::shared) {
      throw std::invalid_argument("the reference knows no variables but shared and local ones");
    }
    return of_shared(variable);
  }
  const auto& variable = std::get<Variable>(calls_.back().function->body[symbol.index]);
  if (variable.space == Space::shared) return of_shared(variable);
  return calls_.back().local.at(symbol.index) + offset;
}

// ---- Memory

Bytes& Thread::area(const Symbol& symbol) {
  Call& call = calls_.back();
  Bytes& bytes = call.areas[{symbol.kind, symbol.index}];
  if (bytes.empty()) {
    const Function& f = *call.function;
    bytes.resize(bytes_of(symbol.kind == Symbol::Kind::parameter ? f.parameters[symbol.index]
                          : symbol.kind == Symbol::Kind::result
                              ? f.results[symbol.index]
                              : std::get<Variable>(f.body[symbol.index])));
  }
  return bytes;
}

std::byte* Thread::bytes_at(const Instruction& i, const Address& address, std::size_t bytes) {
  const auto within = [&](std::span<std::byte> all, std::uint64_t at) {
    if (at > all.size() || bytes > all.size() - at) throw std::out_of_range("access outside");
    return all.data() + at;
  };
  const auto added = static_cast<std::uint64_t>(address.offset);
  if (const auto* symbol = std::get_if<Symbol>(&address.base); symbol && i.has("param")) {
    return within(area(*symbol), static_cast<std::uint64_t>(symbol->offset) + added);
  }
  std::uint64_t at = added;
  if (const auto* r = std::get_if<Register>(&address.base)) at += value(Scalar(*r));
  if (const auto* symbol = std::get_if<Symbol>(&address.base)) at += address_of(*symbol);
  if (const auto* number = std::get_if<Immediate>(&address.base)) at += number->bits;
  if (i.has("shared")) at += shared_window;
  if (i.has("local")) at += local_window;
  for (const Buffer& buffer : around_.buffers) {
    if (at >= buffer.address && at - buffer.address < buffer.bytes.size()) {
      return within(buffer.bytes, at - buffer.address);
    }
  }
  if (at >= local_window) return within(local_, at - local_window);
  return within(around_.shared, at - shared_window);
}

bool Thread::memory(const Instruction& i) {
  if (i.base == "cvta") {
    std::uint64_t window = i.has("shared") ? shared_window : 0;
    if (i.has("local")) window = local_window;
    const std::uint64_t from = value(i.operands.at(1));
    set(i.operands.at(0), i.has("to") ? from - window : from + window);
    return true;
  }
  if (i.base != "ld" && i.base != "st") return false;
  const bool is_load = i.base == "ld";
  const std::string& name = i.modifiers.back();
  const IntegerType type = name[0] == 'f'
                               ? IntegerType{integer_type("b" + name.substr(1)).bits, false}
                               : integer_type(name);
  const std::size_t bytes = type.bits / 8;
  Address address = std::get<Address>(i.operands.at(is_load ? 1 : 0).value);
  for (const Scalar& scalar : elements(i.operands.at(is_load ? 0 : 1))) {
    std::byte* const at = bytes_at(i, address, bytes);
    std::uint64_t bits = 0;
    if (is_load) {
      std::memcpy(&bits, at, bytes);
      set(scalar, fitted(bits, type));
    } else {
      bits = value(scalar);
      std::memcpy(at, &bits, bytes);
    }
    address.offset += static_cast<std::int64_t>(bytes);
  }
  return true;
}

// ---- Control

bool Thread::control(const Instruction& i) {
  Call& here = calls_.back();
  const auto label = [&](const Operand& operand) {
    return std::get<LabelName>(std::get<Scalar>(operand.value)).statement;
  };
  if (i.base == "bra") {
    here.at = label(i.operands.at(0));
  } else if (i.base == "brx") {
    const auto& table = std::get<BranchTargets>(here.function->body[label(i.operands.at(1))]);
    here.at = table.targets.at(value(i.operands.at(0))).statement;
  } else if (i.base == "exit") {
    state_ = State::ended;
  } else if (i.base == "ret") {
    give_back();
  } else if (i.base == "call") {
    call(i);
  } else if (i.base == "bar" && i.modifiers.front() == "sync" && i.operands.size() == 1) {
    state_ = State::at_barrier;
  } else if (i.base == "shfl" || i.base == "vote" || i.base == "redux" || is_of_whole_warp(i) ||
             (i.base == "bar" && i.modifiers.front() == "warp")) {
    state_ = State::in_warp;
  } else {
    return false;
  }
  return true;
}

void Thread::call(const Instruction& i) {
  const Function* callee = nullptr;
  const Arguments* arguments = nullptr;
  for (const Operand& operand : i.operands) {
    const auto* scalar = std::get_if<Scalar>(&operand.value);
    if (scalar != nullptr && callee == nullptr) {
      const auto* symbol = std::get_if<Symbol>(scalar);
      const std::size_t index = symbol ? symbol->index : value(*scalar) - functions_at;
      callee = definition(around_.module, around_.module.functions.at(index).name);
    } else if (callee != nullptr && arguments == nullptr) {
      arguments = std::get_if<Arguments>(&operand.value);
    }
  }
  if (callee == nullptr) unknown(i);
  Call next = call_of(*callee);
  for (std::size_t k = 0; arguments != nullptr && k < arguments->elements.size(); ++k) {
    next.areas[{Symbol::Kind::parameter, k}] = area(std::get<Symbol>(arguments->elements[k]));
  }
  calls_.push_back(std::move(next));
}

// Returns from a call with its results; the memory of its variables remains.
void Thread::give_back() {
  Call done = std::move(calls_.back());
  calls_.pop_back();
  if (calls_.empty()) {
    calls_.push_back(std::move(done));
    state_ = State::ended;
    return;
  }
  const Arguments* results = nullptr;
  const Instruction& i = waits_at();
  if (!i.operands.empty()) results = std::get_if<Arguments>(&i.operands.front().value);
  for (std::size_t k = 0; results != nullptr && k < results->elements.size(); ++k) {
    area(std::get<Symbol>(results->elements[k])) = done.areas[{Symbol::Kind::result, k}];
  }
}

}  // namespace bankproof::ptx::reference
