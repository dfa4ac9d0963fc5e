// Witnesses for quotients, ceilings, choices and logarithms, and the facts known about them.
#include "query.hpp"

#include <array>
#include <utility>

namespace bankproof::proofs {

void Query::compare_multiples(const IntTerm& b, const IntTerm& x, const IntTerm& y) {
  apply(multiples_are_apart(), {b, x, y});
  apply(multiples_are_apart(), {b, y, x});
  multiply_equals(b, x, y);
}

std::pair<IntTerm, IntTerm> Query::quotient(const IntTerm& a, const IntTerm& b) {
  const auto dividend = a.constant();
  const auto divisor = b.constant();
  if (dividend && divisor && *divisor > 0) {
    return {IntTerm(*dividend / *divisor), IntTerm(*dividend % *divisor)};
  }
  const std::pair key(a.expression().id(), b.expression().id());
  const auto found = known_.quotients.find(key);
  if (found != known_.quotients.end()) return found->second;
  const IntTerm q = unknown("quotient");
  const IntTerm r = unknown("rest");
  const IntTerm zero(0);
  assume(implies(b > zero, a == b * q + r && r >= zero && r < b));
  assume(
      implies(is_product_of_factors(a.expression()) ? b > zero : b > zero && a >= zero, q >= zero));
  if (dividend && *dividend == 0) assume(implies(b > zero, q == zero && r == zero));
  compare_with_others(b, q);
  kept_.insert(kept_.end(), {a.expression(), b.expression()});
  return known_.quotients.emplace(key, std::pair(q, r)).first->second;
}

void Query::compare_with_others(const IntTerm& b, const IntTerm& x) {
  const auto compare = [&](unsigned divisor, const IntTerm& other) {
    const bool compared = known_.compared.contains(other.expression().id());
    if (compared && divisor == b.expression().id()) compare_multiples(b, x, other);
  };
  for (const auto& [of, other] : known_.quotients) compare(of.second, other.first);
  for (const auto& [of, other] : known_.ceilings) compare(of.second, other);
  known_.compared.insert(x.expression().id());
}

IntTerm Query::ceiling(const IntTerm& a, const IntTerm& b) {
  const auto dividend = a.constant();
  const auto divisor = b.constant();
  if (dividend && divisor && *divisor > 0) {
    return IntTerm(bankproof::ceil_div(*dividend, *divisor));
  }
  const std::pair key(a.expression().id(), b.expression().id());
  const auto found = known_.ceilings.find(key);
  if (found != known_.ceilings.end()) return found->second;
  const IntTerm q = unknown("ceiling");
  const IntTerm zero(0);
  assume(implies(b > zero, a <= b * q && b * q < a + b));
  assume(
      implies(is_product_of_factors(a.expression()) ? b > zero : b > zero && a >= zero, q >= zero));
  compare_with_others(b, q);
  kept_.insert(kept_.end(), {a.expression(), b.expression()});
  return known_.ceilings.emplace(key, q).first->second;
}

IntTerm Query::power_of_two(const IntTerm& k) {
  if (const auto number = k.constant(); number && *number < 63) {
    return IntTerm(std::uint64_t{1} << *number);
  }
  const z3::sort whole = context_.int_sort();
  IntTerm power(*this, context_.function("power_of_two", whole, whole)(k.expression()));
  assume(implies(k >= IntTerm(0), power >= IntTerm(1)));
  return power;
}

IntTerm Query::logarithm(const IntTerm& n) {
  if (const auto number = n.constant()) return IntTerm(bankproof::ceil_log2(*number));
  const auto found = known_.logarithms.find(n.expression().id());
  if (found != known_.logarithms.end()) return found->second;
  kept_.push_back(n.expression());
  const IntTerm log = fresh("log");
  const IntTerm power = power_of_two(log);
  const IntTerm one(1);
  assume(implies(n >= one, n <= power && implies(n == one, log == IntTerm(0)) &&
                               implies(n > one, log >= one && power < IntTerm(2) * n)));
  for (const auto& [id, other] : known_.logarithms) {
    apply(powers_of_two_grow(), {log, other});
    apply(powers_of_two_grow(), {other, log});
  }
  return known_.logarithms.emplace(n.expression().id(), log).first->second;
}

IntTerm::IntTerm(std::uint64_t value)
    : query_(&Query::current()), expression_(query_->context().int_val(value)) {}

WordTerm::WordTerm(Query& query, std::uint32_t value)
    : query_(&query), expression_(query.context().bv_val(value, bits)) {}
WordTerm::WordTerm(std::uint64_t value)
    : WordTerm(Query::current(), static_cast<std::uint32_t>(value)) {
  if (value >> bits != 0) throw std::logic_error(std::to_string(value) + " is no word of 32 bits");
}

IntTerm operator/(const IntTerm& a, const IntTerm& b) { return a.query().quotient(a, b).first; }
IntTerm operator%(const IntTerm& a, const IntTerm& b) { return a.query().quotient(a, b).second; }
IntTerm ceil_log2(const IntTerm& n) { return n.query().logarithm(n); }

IntTerm Query::choice(const Truth& condition, const IntTerm& a, const IntTerm& b) {
  if (condition.is_surely_true()) return a;
  if (condition.is_surely_false()) return b;
  const std::array key = {condition.expression().id(), a.expression().id(), b.expression().id()};
  const auto found = known_.choices.find(key);
  if (found != known_.choices.end()) return found->second;
  IntTerm chosen = unknown("chosen");
  assume(implies(condition, chosen == a));
  assume(implies(!condition, chosen == b));
  kept_.insert(kept_.end(), {condition.expression(), a.expression(), b.expression()});
  return known_.choices.emplace(key, chosen).first->second;
}

IntTerm select(const Truth& condition, const IntTerm& a, const IntTerm& b) {
  return a.query().choice(condition, a, b);
}

IntTerm ceil_div(const IntTerm& a, const IntTerm& b) { return a.query().ceiling(a, b); }
IntTerm smaller(const IntTerm& a, const IntTerm& b) {
  IntTerm chosen = select(a < b, a, b);
  a.query().assume(chosen <= a && chosen <= b);
  return chosen;
}
IntTerm larger(const IntTerm& a, const IntTerm& b) {
  IntTerm chosen = select(a < b, b, a);
  a.query().assume(chosen >= a && chosen >= b);
  return chosen;
}

}  // namespace bankproof::proofs
