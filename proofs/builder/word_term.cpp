// Operations on words.
#include "word_term.hpp"

#include <stdexcept>
#include <string>

#include "query.hpp"

namespace bankproof::proofs {

WordTerm::WordTerm(Query& query, std::uint32_t value)
    : query_(&query), expression_(query.context().bv_val(value, bits)) {}
WordTerm::WordTerm(std::uint64_t value) : literal_(static_cast<std::uint32_t>(value)) {
  if (value >> bits != 0) throw std::logic_error(std::to_string(value) + " is no word of 32 bits");
}

WordTerm WordTerm::with(const WordTerm& other, Make make) const {
  Query* const query = query_ != nullptr ? query_ : other.query_;
  if (query == nullptr) {  // Z3 computes with constants, too
    z3::context context;
    const z3::expr result(context, make(context, expression(context), other.expression(context)));
    return WordTerm(result.simplify().get_numeral_uint64());
  }
  z3::context& context = query->context();
  return {z3::expr(context, make(context, expression(context), other.expression(context))), *query};
}

WordTerm select(const Truth& condition, const WordTerm& a, const WordTerm& b) {
  Query* query = condition.query();
  if (query == nullptr) query = a.query_ != nullptr ? a.query_ : b.query_;
  if (query == nullptr) return condition.is_surely_true() ? a : b;
  z3::context& context = query->context();
  return {z3::ite(condition.expression(context), a.expression(context), b.expression(context)),
          *query};
}

}  // namespace bankproof::proofs
