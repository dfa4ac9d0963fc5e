// Puts definitions in place of unknowns; see definitions.hpp.
#include "definitions.hpp"

#include <optional>

#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// An unknown, the same with more bits, and what that is: a sum of products, since a quotient is
/// harder for solvers than an unknown.
struct Definition {
  Term unknown{};
  Term extended{};
  Term is{};
};

std::optional<Definition> definition_in(const Pool& pool, Term statement) {
  const Node& node = pool.node(statement);
  if (node.op != Operator::equal) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const Term extended = node.operands[side];
    const Term is = node.operands[1 - side];
    const Operator op = pool.node(extended).op;
    const bool is_wide = op == Operator::zero_extended || op == Operator::sign_extended;
    const Term unknown = is_wide ? pool.node(extended).operands[0] : extended;
    if (pool.node(unknown).op != Operator::unknown || pool.is_constant(is)) continue;
    bool is_product_of_others = true;
    each_term(pool, {is}, [&](Term term, const Node& part) {
      const bool is_known = part.op == Operator::unknown || part.op == Operator::constant ||
                            part.op == Operator::sum || part.op == Operator::product ||
                            part.op == Operator::zero_extended ||
                            part.op == Operator::sign_extended;
      is_product_of_others = is_product_of_others && is_known && term != unknown;
    });
    if (is_product_of_others) return Definition{unknown, extended, is};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Term> with_definitions(Pool& pool, const std::vector<Term>& statements) {
  std::vector<Term> all = statements;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const auto definition = definition_in(pool, all[k]);
    if (!definition) continue;
    const Term lowest = pool.part(definition->is, 0, pool.width(definition->unknown));
    Substitution by(pool);
    by.put(definition->unknown, lowest);
    // The number has no more bits than the unknown.
    all.push_back(pool.equal(by(definition->extended), definition->is));
    Substitution by_number(pool);
    by_number.put(definition->unknown, lowest);
    by_number.put(definition->extended, definition->is);
    for (std::size_t one = 0; one + 1 < all.size(); ++one) all[one] = by_number(all[one]);
  }
  if (all.size() == statements.size()) return statements;
  std::erase_if(all, [&](Term one) { return pool.is_constant(one, 1); });
  return all;
}

}  // namespace bankproof::symbolic
