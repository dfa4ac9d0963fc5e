// Executes the instructions that access memory; see execution.hpp.
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

#include "execution.hpp"
#include "instructions.hpp"
#include "objects.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

void Execution::access(const ptx::Instruction& i, AccessKind kind, Arrival& arrival) {
  const std::size_t operand = kind == AccessKind::read || i.base == "atom" ? 1 : 0;
  if (operand >= i.operands.size()) not_followed(i, "no address");
  const ptx::FundamentalType* const type = last_type(i);
  if (type == nullptr) not_followed(i, "no type");
  const std::uint32_t bytes = std::max(type->bits / 8, 1U) * elements_of(i);
  Access made{.instruction = &i,
              .kind = kind,
              .space = space_of(i),
              .address = address_of(i, operand, space_of(i), arrival.state),
              .bytes = bytes,
              .guard = guard_of(arrival),
              .loop = in_loop_};
  if (made.space == ptx::Space::constant && kind != AccessKind::read) {
    not_followed(i, "a store to constant memory");
  }
  if (!is_of_parameter_by_name(i.operands[operand], made)) add_access(std::move(made), arrival);
}

/// Whether it accesses a part of a parameter, at a number of bytes that is written there. Nothing
/// is to be asked of such an access if it is aligned.
bool Execution::is_of_parameter_by_name(const ptx::Operand& operand, const Access& access) {
  const auto* const address = std::get_if<ptx::Address>(&operand.value);
  const auto* const symbol =
      address == nullptr ? nullptr : std::get_if<ptx::Symbol>(&address->base);
  if (access.space != ptx::Space::param || symbol == nullptr) return false;
  ptx::Symbol whole = *symbol;
  whole.offset = 0;
  const Object& object = *inputs_.object(inputs_.address(whole));
  const auto offset = static_cast<std::uint64_t>(symbol->offset + address->offset);
  if (!object.bytes) return true;
  if (access.bytes > *object.bytes || offset > *object.bytes - access.bytes) {
    not_followed(*access.instruction, "an access behind the end of a parameter");
  }
  return access.bytes <= object.align && offset % access.bytes == 0;
}

// An address that is chosen among those of several arrays makes an access to each, where it is
// chosen.
// atom.global.add.u32 %r3, [%rd1], 1;
void Execution::atomic(const ptx::Instruction& i, Arrival& arrival) {
  constexpr std::uint64_t most_at_once = 1U << 16U;
  const std::size_t before = trace_.accesses.size();
  access(i, AccessKind::atomic, arrival);
  const ptx::FundamentalType* const type = last_type(i);
  const bool is_drawn = i.base == "atom";
  const std::size_t operand = is_drawn ? 2 : 1;
  const bool is_whole = type != nullptr && (type->bits == 32 || type->bits == 64) &&
                        (type->number == ptx::Number::signed_integer ||
                         type->number == ptx::Number::unsigned_integer);
  if (!i.has("add") || !is_whole || operand >= i.operands.size()) return forget_results(i, arrival);
  const Term added = source(i.operands[operand], type->bits, arrival.state);
  const std::uint64_t value = pool_.is_constant(added) ? pool_.node(added).value : 0;
  const auto adds = static_cast<std::uint32_t>(value <= most_at_once ? value : 0);
  std::optional<Term> drawn;
  if (const auto* const to = std::get_if<ptx::Scalar>(&i.operands[0].value); is_drawn && to) {
    drawn = inputs_.loaded("drawn at " + std::to_string(i.place.line), type->bits, false);
    write(*to, *drawn, false, arrival);
  } else {
    forget_results(i, arrival);
  }
  for (std::size_t a = before; a < trace_.accesses.size(); ++a) {
    trace_.accesses[a].adds = adds;
    if (adds > 0) trace_.accesses[a].drawn = drawn;
  }
}

void Execution::add_access(Access made, Arrival& arrival) {
  made.address = pool_.where(made.guard.parts(), made.address);
  const auto places = places_of(pool_, inputs_, made.address);
  if (places && places->size() > 1) {
    const unsigned width = pool_.width(made.address);
    const std::size_t first = trace_.accesses.size();
    for (const Place& place : *places) {
      Access one = made;
      one.guard = made.guard.with(pool_, place.condition);
      one.address = pool_.add(pool_.resized(place.object, width, false),
                              pool_.resized(place.offset, width, false));
      add_access(std::move(one), arrival);
    }
    if (trace_.accesses.size() < first + 2) return;
    for (std::size_t a = first; a < trace_.accesses.size(); ++a) {
      trace_.accesses[a].first_of_arrays = first;
    }
    return;
  }
  if (made.guard.is_never(pool_)) return;
  trace_.accesses.push_back(std::move(made));
  event(Event::Kind::access, trace_.accesses.size() - 1, arrival);
  if (!trace_.accesses.back().is_echo) meet_copies(trace_.accesses.size() - 1, arrival);
}

void Execution::store(const ptx::Instruction& i, Arrival& arrival) {
  const std::size_t before = trace_.accesses.size();
  access(i, AccessKind::write, arrival);
  if (i.operands.size() < 2 || std::get_if<ptx::Scalar>(&i.operands[1].value) == nullptr) return;
  const ptx::FundamentalType* const type = last_type(i);
  if (type->bits < 8 || type->bits > 64) return;
  const Term stored = source(i.operands[1], type->bits, arrival.state);
  for (std::size_t a = before; a < trace_.accesses.size(); ++a) trace_.accesses[a].stored = stored;
}

// ldmatrix.sync.aligned.m8n8.x4.shared.b16 {…}, [address];
void Execution::load_matrices(const ptx::Instruction& i, Arrival& arrival) {
  const std::uint32_t matrices = i.has("x4") ? 4 : i.has("x2") ? 2 : 1;
  const std::optional<ptx::Space> space = space_of(i);
  if (!i.has("m8n8") || space != ptx::Space::shared)
    not_followed(i, "a shape that is not followed");
  Access read{.instruction = &i,
              .kind = AccessKind::read,
              .space = space,
              .address = address_of(i, 1, space, arrival.state),
              .bytes = 16,
              .guard = guard_of(arrival),
              .loop = in_loop_,
              .row_lanes = 8 * matrices};
  if (matrices < 4) {
    read.guard = read.guard.with(
        pool_, pool_.below(*inputs_.special("%laneid"), pool_.constant(read.row_lanes, 32), false));
  }
  add_access(std::move(read), arrival);
  forget_results(i, arrival);
}

/// Whether all threads of a block that execute the load in the same iterations read the same place
/// of shared memory.
bool Execution::is_of_one_place(const ptx::Instruction& i, State& state) {
  if (looks_again(i)) return false;
  const Term address = address_of(i, 1, space_of(i), state);
  const auto places = places_of(pool_, inputs_, address);
  if (!places || places->size() != 1) return false;
  if (inputs_.object(places->front().object)->space != ptx::Space::shared) return false;
  const std::vector<Term> counters = counters_around();
  bool is_same = true;
  std::unordered_map<Term, bool> met;
  each_unknown(pool_, address, met, [&](Term unknown) {
    const bool is_known = inputs_.agrees(unknown) || agreed_in_loops_.count(unknown) != 0 ||
                          std::find(counters.begin(), counters.end(), unknown) != counters.end();
    is_same = is_same && (inputs_.scope(unknown) != Scope::thread || is_known);
  });
  return is_same;
}

void Execution::agree(Term value, bool is_loaded) {
  trace_.agreed.push_back({value, value, counters_around(), is_loaded});
  agreed_in_loops_.insert(value);
}

/// Of the loops that are around what is executed now, from the innermost one outwards.
std::vector<Term> Execution::counters_around() const {
  std::vector<Term> counters;
  for (auto loop = in_loop_; loop; loop = trace_.loops[*loop].parent) {
    counters.push_back(trace_.loops[*loop].counter);
  }
  return counters;
}

void Execution::load(const ptx::Instruction& i, Arrival& arrival) {
  const ptx::FundamentalType* const type = last_type(i);
  const auto* const address = std::get_if<ptx::Address>(&i.operands.at(1).value);
  const auto* const symbol =
      address == nullptr ? nullptr : std::get_if<ptx::Symbol>(&address->base);
  const bool is_parameter = space_of(i) == ptx::Space::param;
  const std::size_t before = trace_.accesses.size();
  access(i, AccessKind::read, arrival);
  if (is_parameter && (symbol == nullptr || symbol->kind != ptx::Symbol::Kind::parameter)) {
    return forget_results(i, arrival);
  }
  std::optional<std::size_t> made;
  if (trace_.accesses.size() == before + 1) made = before;
  std::vector<ptx::Scalar> to;
  if (const auto* const vector = std::get_if<ptx::Vector>(&i.operands[0].value)) {
    to = vector->elements;
  } else if (const auto* const one = std::get_if<ptx::Scalar>(&i.operands[0].value)) {
    to = {*one};
  }
  if (type->bits > 64) return forget_results(i, arrival);
  const std::uint32_t bytes = std::max(type->bits / 8, 1U);
  const bool is_of_all = !is_parameter && is_of_one_place(i, arrival.state);
  // The first element may overwrite the register with the address.
  const Term begin = is_parameter ? Term{} : address_of(i, 1, space_of(i), arrival.state);
  for (std::size_t k = 0; k < to.size(); ++k) {
    const Term value =
        is_parameter
            ? inputs_.parameter(symbol->index,
                                static_cast<std::uint64_t>(symbol->offset) + k * bytes, bytes)
            : inputs_.loaded("loaded at " + std::to_string(i.place.line), 8 * bytes,
                             is_of_all && !in_loop_);
    if (!is_parameter && !looks_again(i)) {
      trace_.loads.push_back({value, pool_.add(begin, pool_.constant(k * bytes, 64)),
                              guard_of(arrival).term(pool_), made});
      if (is_of_all && in_loop_) agree(value, true);
    }
    write(to[k], value, type->number == ptx::Number::signed_integer, arrival);
  }
}

}  // namespace bankproof::symbolic
