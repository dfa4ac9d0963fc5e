// Follows addresses, and the ways between state spaces and generic addresses; see execution.hpp.
#include <cstddef>
#include <unordered_set>
#include <vector>

#include "execution.hpp"
#include "instructions.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// Spaces whose variables have other generic addresses than in their own space.
bool has_window(const Object* object) {
  return object != nullptr &&
         (object->space == ptx::Space::shared || object->space == ptx::Space::local);
}

/// Calls see(term, node) for each term of an address, but for conditions: they only choose.
template <class See>
void each_part_of_address(const Pool& pool, Term address, const See& see) {
  std::unordered_set<Term> met;
  std::vector<Term> waiting{address};
  while (!waiting.empty()) {
    const Term next = waiting.back();
    waiting.pop_back();
    if (!met.insert(next).second) continue;
    const Node& node = pool.node(next);
    see(next, node);
    const std::ptrdiff_t first = node.op == Operator::choice ? 1 : 0;
    waiting.insert(waiting.end(), node.operands.begin() + first, node.operands.end());
  }
}

}  // namespace

// cvta.shared.u64 %rd2, %rd1; or cvta.to.shared.u64 %rd1, %rd2;
Term Execution::converted(const ptx::Instruction& i, Term address) {
  const bool to_generic = !i.has("to");
  const std::optional<ptx::Space> space = space_of(i);
  const bool is_own = space == ptx::Space::shared || space == ptx::Space::local;
  Substitution other(pool_);
  bool fits = true;
  bool has_any = false;
  each_term(pool_, {address}, [&](Term term, const Node&) {
    const Object* const object = inputs_.object(term);
    const std::optional<Term> begin = inputs_.begin_of_generic(term);
    if (object == nullptr && !begin) return;
    has_any = true;
    const Object& variable = begin ? *inputs_.object(*begin) : *object;
    if (!has_window(&variable)) {
      fits = fits && !is_own;  // a parameter may be any pointer, but not into a window
      return;
    }
    if (variable.space != space || begin.has_value() == to_generic) {
      fits = false;
      return;
    }
    other.put(term, to_generic ? inputs_.generic(term) : *begin);
  });
  if (!fits || (is_own && !has_any)) {
    return inputs_.unknown("another address", 64, Scope::thread);
  }
  return other(address);
}

/// With the addresses of variables in their own spaces in place of generic ones.
Term Execution::of_variables(Term address) {
  Substitution own(pool_);
  each_term(pool_, {address}, [&](Term term, const Node&) {
    if (const auto begin = inputs_.begin_of_generic(term)) own.put(term, *begin);
  });
  return own(address);
}

/// The address of an access in this space, or of a generic one: as the address of a variable in its
/// own space.
Term Execution::address_of(const ptx::Instruction& i, std::size_t operand,
                           std::optional<ptx::Space> space, State& state) {
  const auto* const address = std::get_if<ptx::Address>(&i.operands.at(operand).value);
  Term all{};
  if (address == nullptr) {
    all = source(i.operands[operand], 64, state);
  } else {
    Term base{};
    if (const auto* const r = std::get_if<ptx::Register>(&address->base)) {
      base = read(*r, state);
    } else if (const auto* const symbol = std::get_if<ptx::Symbol>(&address->base)) {
      base = inputs_.address(*symbol);
    } else {
      base = pool_.constant(std::get<ptx::Immediate>(address->base).bits, 64);
    }
    const Term offset =
        pool_.constant(static_cast<std::uint64_t>(address->offset), pool_.width(base));
    all = pool_.zero_extended(pool_.add(base, offset), 64);
  }
  if (space == ptx::Space::param) return all;
  const bool is_own = space == ptx::Space::shared || space == ptx::Space::local;
  const bool is_constant = space == ptx::Space::constant;
  // Beside the begin of a variable, what may be a number is one.
  bool has_begin = false;
  each_part_of_address(pool_, all, [&](Term term, const Node&) {
    const Object* const object = inputs_.object(term);
    has_begin = has_begin || (has_window(object) && object->space == space);
  });
  bool is_of_another = false;
  each_part_of_address(pool_, all, [&](Term term, const Node& node) {
    const Object* const object = inputs_.object(term);
    const bool is_generic = inputs_.begin_of_generic(term).has_value();
    const bool is_cut = node.op == Operator::part && inputs_.begin_of_generic(node.operands[0]);
    // What a parameter points to is global memory.
    const bool is_pointer = object != nullptr && !object->space && !object->parameter &&
                            (object->is_certain || !has_begin);
    is_of_another = is_of_another || (has_window(object) && object->space != space) ||
                    (is_pointer && (is_own || is_constant)) || (is_generic && is_own) || is_cut;
  });
  if (is_of_another) not_followed(i, "an address of another state space");
  return of_variables(all);
}

}  // namespace bankproof::symbolic
