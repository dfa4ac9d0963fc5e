// Follows addresses, and the ways between state spaces and generic addresses; see execution.hpp.
#include "execution.hpp"
#include "substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// Spaces whose variables have other generic addresses than in their own space.
bool has_window(const Object* object) {
  return object != nullptr &&
         (object->space == ptx::Space::shared || object->space == ptx::Space::local);
}

}  // namespace

// cvta.shared.u64 %rd2, %rd1; or cvta.to.shared.u64 %rd1, %rd2;
Term Execution::converted(Term address, bool to_generic) {
  Substitution other(pool_);
  each_term(pool_, {address}, [&](Term term, const Node&) {
    if (to_generic && has_window(inputs_.object(term))) {
      other.put(term, inputs_.generic(term));
    } else if (const auto begin = inputs_.begin_of_generic(term); begin && !to_generic) {
      other.put(term, *begin);
    }
  });
  return other(address);
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
  bool is_of_another = false;
  each_term(pool_, {all}, [&](Term term, const Node& node) {
    const Object* const object = inputs_.object(term);
    const bool is_generic = inputs_.begin_of_generic(term).has_value();
    const bool is_cut = node.op == Operator::part && inputs_.begin_of_generic(node.operands[0]);
    is_of_another = is_of_another || (has_window(object) && object->space != space) ||
                    (is_generic && is_own) || is_cut;
  });
  if (is_of_another) not_followed(i, "an address of another state space");
  return converted(all, false);
}

}  // namespace bankproof::symbolic
