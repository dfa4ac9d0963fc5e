// Claims that accesses lie in their arrays; see inside.hpp.
#include "inside.hpp"

namespace bankproof::proofs {
namespace {

/// In a matrix, the pitch times the row is at most the pitch times the last row.
void know_last_rows(Query& q, FormulaTerms& terms, const Written& word, const Written& size) {
  const auto term = [&](const Written& formula) { return terms(formula.node()); };
  for (const Written& factor : factors_in(word)) {
    if (term(factor).constant()) continue;
    const IntTerm all = term(times_of(word, factor).value());
    q.scale(term(factor), 0, all);
    if (const auto rows = times_of(size, factor)) q.scale(term(factor), all, term(*rows) - 1);
  }
  // An array of several rows has as many words as a row, at least.
  const WrittenNode& product = *size.node();
  if (product.form == Form::times) {
    q.scale(terms(product.parts[1]), 1, terms(product.parts[0]));
  }
}

}  // namespace

void claim_inside(const Instances& instances, const WrittenAccess& access,
                  const std::string& what) {
  Query& q = instances.q;
  const Query::Scope scope(q);
  const auto instance = instances.any(access);
  if (!instance) return;
  FormulaTerms terms = instances.terms(*instance);
  know_last_rows(q, terms, instance->word, access.size);
  const IntTerm word = terms(instance->word.node());
  q.claim(what, word >= 0 && word < terms(access.size.node()));
}

}  // namespace bankproof::proofs
