// Executes the instructions of a block as terms; see execution.hpp.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "../../ptx/alu/row.hpp"
#include "../../ptx/syntax/types.hpp"
#include "../flow/slots.hpp"
#include "../rows/compute.hpp"
#include "execution.hpp"
#include "instructions.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint32_t all_lanes = 0xffffffff;

using Names = std::initializer_list<std::string_view>;
bool is_one_of(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

unsigned bits_of(ptx::LaneType type) {
  return type == ptx::LaneType::predicate ? 1 : static_cast<unsigned>(8 * ptx::lane_bytes(type));
}

}  // namespace

void Execution::not_followed(const ptx::Instruction& i, const std::string& why) {
  throw NotFollowed{{i.opcode() + ": " + why, i.place}};
}

/// Makes all inputs before anything is executed, so that they are older than what loops make.
void Execution::make_inputs() {
  const auto see = [&](const ptx::Instruction& i, const ptx::Scalar& value) {
    if (const auto* const special = std::get_if<ptx::Special>(&value)) {
      inputs_.special(special->name);
    } else if (const auto* const symbol = std::get_if<ptx::Symbol>(&value)) {
      const bool is_data =
          symbol->kind == ptx::Symbol::Kind::variable || symbol->kind == ptx::Symbol::Kind::local;
      if (is_data && i.base != "call") inputs_.address(*symbol);
    }
  };
  for (const ptx::Statement& statement : kernel_.body) {
    const auto* const i = std::get_if<ptx::Instruction>(&statement);
    if (i == nullptr) continue;
    for (const ptx::Operand& operand : i->operands) {
      if (const auto* const one = std::get_if<ptx::Scalar>(&operand.value)) see(*i, *one);
      const auto* const address = std::get_if<ptx::Address>(&operand.value);
      const auto* const symbol =
          address == nullptr ? nullptr : std::get_if<ptx::Symbol>(&address->base);
      if (symbol == nullptr) continue;
      see(*i, *symbol);
      const ptx::FundamentalType* const type = last_type(*i);
      if (i->base != "ld" || type == nullptr || type->bits > 64 ||
          symbol->kind != ptx::Symbol::Kind::parameter || space_of(*i) != ptx::Space::param) {
        continue;
      }
      const std::uint32_t bytes = std::max(type->bits / 8, 1U);
      for (std::uint64_t k = 0; k < elements_of(*i); ++k) {
        inputs_.parameter(symbol->index, static_cast<std::uint64_t>(symbol->offset) + k * bytes,
                          bytes);
      }
    }
  }
}

// ---- Operands

Term Execution::read(const ptx::Register& r, State& state) {
  const std::size_t number = registers_.number(r);
  auto& value = state.registers[number];
  if (!value)
    value = inputs_.unknown(r.name, std::min(registers_.width(number), 64U), Scope::thread);
  return *value;
}

Term Execution::scalar(const ptx::Scalar& value, unsigned width, State& state) {
  if (const auto* const r = std::get_if<ptx::Register>(&value)) return read(*r, state);
  if (const auto* const number = std::get_if<ptx::Immediate>(&value)) {
    return pool_.constant(number->bits, width);
  }
  if (const auto* const special = std::get_if<ptx::Special>(&value)) {
    if (const auto known = inputs_.special(special->name)) return *known;
    return inputs_.unknown(special->name, width, Scope::thread);
  }
  if (const auto* const symbol = std::get_if<ptx::Symbol>(&value)) {
    return inputs_.address(*symbol);
  }
  return inputs_.unknown("?", width, Scope::thread);
}

Term Execution::source(const ptx::Operand& operand, unsigned width, State& state) {
  Term value{};
  if (const auto* const one = std::get_if<ptx::Scalar>(&operand.value)) {
    value = scalar(*one, width, state);
  } else if (const auto* const negated = std::get_if<ptx::Negated>(&operand.value)) {
    value = pool_.negation(read(negated->predicate, state));
  } else {
    return inputs_.unknown("?", width, Scope::thread);
  }
  // Some instructions take registers that are wider than their types.
  return pool_.resized(value, width, false);
}

Guard Execution::guard_of(const Arrival& arrival) {
  return is_executed_ ? arrival.guard.with(pool_, *is_executed_) : arrival.guard;
}

void Execution::write(const ptx::Scalar& to, Term value, bool is_signed, Arrival& arrival) {
  const auto* const r = std::get_if<ptx::Register>(&to);
  if (r == nullptr) return;
  const std::size_t number = registers_.number(*r);
  const unsigned width = registers_.width(number);
  if (width > 64) return;
  value = pool_.resized(value, width, is_signed);
  auto& old = arrival.state.registers[number];
  if (is_executed_) {
    if (!old) old = inputs_.unknown(r->name, width, Scope::thread);
    value = pool_.choice(*is_executed_, value, *old);
  }
  old = value;
}

void Execution::write_carry(Term value, Arrival& arrival) {
  std::optional<Term>& carry = arrival.state.carry;
  if (is_executed_) {
    if (!carry) carry = inputs_.unknown("carry", 1, Scope::thread);
    value = pool_.choice(*is_executed_, value, *carry);
  }
  carry = value;
}

void Execution::forget_results(const ptx::Instruction& i, Arrival& arrival, Scope scope) {
  each_register(i, [&](const ptx::Register& r, bool is_written) {
    if (!is_written) return;
    const unsigned width = std::min(registers_.width(registers_.number(r)), 64U);
    const ptx::Scalar to = r;
    write(to, inputs_.unknown(r.name, width, scope), false, arrival);
  });
  if (i.has("cc")) write_carry(inputs_.unknown("carry", 1, Scope::thread), arrival);
}

/// Its results are any, but the same ones for the same operands.
void Execution::depend_on(const ptx::Instruction& i, const std::string& opcode,
                          const std::vector<ptx::Scalar>& to, const std::vector<Term>& sources,
                          Arrival& arrival) {
  Scope scope = Scope::launch;
  std::unordered_map<Term, bool> met;
  for (const Term source : sources) {
    each_unknown(pool_, source, met,
                 [&](Term unknown) { scope = std::max(scope, inputs_.scope(unknown)); });
  }
  // Results are told apart by their places, of which `_` is one, and by the registers' widths: a
  // wider register may hold the same bits with or without their sign.
  for (std::size_t place = 0; place < to.size(); ++place) {
    const auto* const r = std::get_if<ptx::Register>(&to[place]);
    if (r == nullptr) continue;
    const unsigned width = std::min(registers_.width(registers_.number(*r)), 64U);
    const auto [known, is_new] = results_.try_emplace({opcode, place, width, sources});
    if (is_new) known->second = inputs_.unknown(r->name, width, scope);
    write(*r, known->second, false, arrival);
    if (scope == Scope::thread) trace_.results.push_back({known->second, sources, in_loop_});
  }
  if (i.has("cc")) write_carry(inputs_.unknown("carry", 1, Scope::thread), arrival);
}

// ---- Arithmetic

/// Whether it is surely no 0: a number, or the length of an axis.
bool Execution::is_positive(Term divisor) const {
  if (pool_.is_constant(divisor)) return !pool_.is_constant(divisor, 0);
  return std::any_of(inputs_.specials().begin(), inputs_.specials().end(), [&](const auto& one) {
    return one.first.find("ntid") != std::string::npos && one.second == divisor;
  });
}

void Execution::compute_row(const ptx::Instruction& i, Arrival& arrival) {
  std::vector<ptx::Scalar> to;
  if (!i.operands.empty()) {
    const auto& first = i.operands[0].value;
    if (const auto* const pair = std::get_if<ptx::Pair>(&first)) {
      to = {pair->first, pair->second};
    } else if (const auto* const one = std::get_if<ptx::Scalar>(&first)) {
      to = {*one};
    }
  }
  const std::string opcode = i.opcode();
  const ptx::Row* const row = ptx::find_row(opcode, to.size());
  if (row == nullptr) not_followed(i, "an instruction that is not known");
  const std::size_t carried = row->carry_in ? 1 : 0;
  if (row->sources.size() + 1 != i.operands.size() + carried) {
    not_followed(i, "another number of operands");
  }
  std::vector<Term> sources;
  for (std::size_t k = 0; k + carried < row->sources.size(); ++k) {
    if (bits_of(row->sources[k]) > 64) return forget_results(i, arrival);
    sources.push_back(source(i.operands[k + 1], bits_of(row->sources[k]), arrival.state));
  }
  if (row->carry_in) {
    if (!arrival.state.carry) arrival.state.carry = inputs_.unknown("carry", 1, Scope::thread);
    sources.push_back(*arrival.state.carry);
  }
  if ((i.base == "div" || i.base == "rem") && last_type(i)->number != ptx::Number::floating) {
    trace_.divides_by_any = trace_.divides_by_any || !is_positive(sources.back());
  }
  const auto results = compute(pool_, opcode, to.size(), sources);
  if (!results) return depend_on(i, opcode, to, sources, arrival);
  const bool is_signed = i.base == "cvt" && ptx::is_signed(i.modifiers.at(i.modifiers.size() - 2));
  for (std::size_t k = 0; k < to.size(); ++k) write(to[k], (*results)[k], is_signed, arrival);
  if (row->carry_out) write_carry(results->back(), arrival);
}

// mov.b64 {%r1, %r2}, %rd1; and back
void Execution::move_vector(const ptx::Instruction& i, Arrival& arrival) {
  const ptx::FundamentalType* const type = last_type(i);
  if (type == nullptr || type->bits > 64) return forget_results(i, arrival);
  if (const auto* const to = std::get_if<ptx::Vector>(&i.operands[0].value)) {
    const Term whole = source(i.operands[1], type->bits, arrival.state);
    const auto bits = static_cast<unsigned>(type->bits / to->elements.size());
    for (std::size_t k = 0; k < to->elements.size(); ++k) {
      write(to->elements[k], pool_.part(whole, static_cast<unsigned>(k) * bits, bits), false,
            arrival);
    }
    return;
  }
  const auto& from = std::get<ptx::Vector>(i.operands[1].value);
  const auto bits = static_cast<unsigned>(type->bits / from.elements.size());
  std::optional<Term> whole;
  for (const ptx::Scalar& element : from.elements) {
    const Term part = pool_.resized(scalar(element, bits, arrival.state), bits, false);
    whole = whole ? pool_.joined(part, *whole) : part;
  }
  write(std::get<ptx::Scalar>(i.operands[0].value), *whole, false, arrival);
}

// A parameter or a result of a function: mov.slot.u32 (slots.hpp).
void Execution::move_slot(const ptx::Instruction& i, Arrival& arrival) {
  const ptx::FundamentalType* const type = last_type(i);
  if (type == nullptr || type->bits > 64) return forget_results(i, arrival);
  const Term value = source(i.operands[1], type->bits, arrival.state);
  write(std::get<ptx::Scalar>(i.operands[0].value), value, ptx::is_signed(i.modifiers.back()),
        arrival);
}

// ---- Instructions

void Execution::instruction(const ptx::Instruction& i, Arrival& arrival) {
  // A guarded instruction may write the predicate that guards it.
  is_executed_.reset();
  if (i.guard) {
    const Term condition = read(i.guard->predicate, arrival.state);
    is_executed_ = i.guard->negated ? pool_.negation(condition) : condition;
  }
  if (i.has("async") && i.base != "cp") not_followed(i, "an asynchronous access");
  if (i.base == "ld" || i.base == "ldu") return load(i, arrival);
  if (i.base == "st") return store(i, arrival);
  if (i.base == "atom" || i.base == "red") {
    return atomic(i, arrival);
  }
  if (i.base == "bar" && i.has("warp")) return warp_barrier(i, arrival);
  if (is_one_of(i.base, {"bar", "barrier"})) {
    // bar.sync 0; or bar.red.or.pred %p1, 0, %p2; for all threads of the block.
    const bool reduces = i.has("red");
    if (i.operands.size() == (reduces ? 3U : 1U) && (reduces || i.has("sync"))) {
      return block_barrier(i, reduces, arrival);
    }
  }
  if (is_one_of(i.base, {"membar", "fence", "nanosleep", "pmevent", "prefetch", "prefetchu"})) {
    return;
  }
  if (i.base == "cp") return copy(i, arrival);
  if (i.base == "ldmatrix") {
    meeting(i, all_lanes, arrival);
    return load_matrices(i, arrival);
  }
  if (is_one_of(i.base, {"shfl", "vote", "match", "activemask", "redux", "elect", "isspacep", "tex",
                         "tld4", "txq", "suld", "mma"})) {
    // shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;
    if (is_meeting(i)) {
      i.base == "mma" ? meeting(i, all_lanes, arrival) : meeting(i, i.operands.back(), arrival);
    }
    return forget_results(i, arrival);
  }
  if (i.base == "cvta") {
    const Term value = converted(i, source(i.operands.at(1), 64, arrival.state));
    return write(std::get<ptx::Scalar>(i.operands[0].value), value, false, arrival);
  }
  const bool moves_vector =
      i.base == "mov" && std::any_of(i.operands.begin(), i.operands.end(), [](const auto& o) {
        return std::holds_alternative<ptx::Vector>(o.value);
      });
  if (moves_vector) return move_vector(i, arrival);
  if (i.has(slot_modifier)) return move_slot(i, arrival);
  if (i.base == "call" && i.has(external_modifier)) return forget_results(i, arrival);
  if (is_one_of(i.base, {"call", "mbarrier", "wmma", "wgmma", "stmatrix", "bar", "barrier",
                         "alloca", "brx", "sust", "sured"})) {
    not_followed(i, i.base == "call" ? "a call of a function by itself" : "not followed yet");
  }
  compute_row(i, arrival);
}

/// Threads end here.
void Execution::end(const Arrival& arrival) {
  ++returns_;
  for (const CopyUnderWay& one : arrival.state.copies) {
    trace_.left_under_way.insert(one.instruction);
  }
}

std::vector<Execution::Exit> Execution::block(std::size_t number, Arrival arrival) {
  const ptx::Block& block = flow_.blocks[number];
  const ptx::Instruction* last = nullptr;
  bool has_stepped = !has_barriers_;
  for (std::size_t s = block.begin; s < block.end; ++s) {
    const auto* const i = std::get_if<ptx::Instruction>(&kernel_.body[s]);
    if (i == nullptr) continue;
    last = nullptr;
    if (is_one_of(i->base, {"bra", "ret", "exit", "trap"})) {
      last = i;
      continue;
    }
    if (is_one_of(i->base, {"bar", "barrier"})) {
      has_stepped = !has_barriers_;
    } else if (!std::exchange(has_stepped, true)) {
      trace_.steps.push_back(arrival.guard);
      event(Event::Kind::step, trace_.steps.size() - 1, arrival);
    }
    instruction(*i, arrival);
  }
  if (last == nullptr) {
    if (block.successors.empty()) {  // behind the last instruction, threads end
      end(arrival);
      return {};
    }
    return {{block.successors[0], std::move(arrival)}};
  }
  std::vector<Exit> exits;
  const bool branches = last->base == "bra";
  if (last->guard) {
    Term taken = read(last->guard->predicate, arrival.state);
    if (last->guard->negated) taken = pool_.negation(taken);
    Arrival falls = arrival;
    falls.guard = falls.guard.with(pool_, pool_.negation(taken));
    if (!falls.guard.is_never(pool_)) {
      if (number + 1 < flow_.blocks.size()) {
        exits.push_back({number + 1, std::move(falls)});
      } else {
        end(falls);
      }
    }
    arrival.guard = arrival.guard.with(pool_, taken);
  }
  if (!branches && !arrival.guard.is_never(pool_)) end(arrival);
  if (last->base == "trap" && !arrival.guard.is_never(pool_)) {
    trace_.traps.push_back({last, arrival.guard});
  }
  if (branches && !arrival.guard.is_never(pool_)) {
    const auto& label =
        std::get<ptx::LabelName>(std::get<ptx::Scalar>(last->operands.back().value));
    exits.push_back({flow_.block_of[label.statement], std::move(arrival)});
  }
  return exits;
}

}  // namespace bankproof::symbolic
