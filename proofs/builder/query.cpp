// Makes the witnesses for quotients, ceilings, choices and logarithms, and states the facts about
// these witnesses.
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
    return {constant(*dividend / *divisor), constant(*dividend % *divisor)};
  }
  const std::pair key(a.expression(context_).id(), b.expression(context_).id());
  const auto found = known_.quotients.find(key);
  if (found != known_.quotients.end()) return found->second;
  const IntTerm q = unknown("quotient");
  const IntTerm r = unknown("rest");
  assume(implies(b > 0, a == b * q + r && r >= 0 && r < b));
  assume(implies(is_product_of_factors(a.expression(context_)) ? b > 0 : b > 0 && a >= 0, q >= 0));
  if (dividend && *dividend == 0) assume(implies(b > 0, q == 0 && r == 0));
  compare_with_others(b, q);
  kept_.insert(kept_.end(), {a.expression(context_), b.expression(context_)});
  return known_.quotients.emplace(key, std::pair(q, r)).first->second;
}

void Query::compare_with_others(const IntTerm& b, const IntTerm& x) {
  const auto compare = [&](unsigned divisor, const IntTerm& other) {
    const bool compared = known_.compared.contains(other.expression().id());
    if (compared && divisor == b.expression(context_).id()) compare_multiples(b, x, other);
  };
  for (const auto& [of, other] : known_.quotients) compare(of.second, other.first);
  for (const auto& [of, other] : known_.ceilings) compare(of.second, other);
  known_.compared.insert(x.expression(context_).id());
}

IntTerm Query::ceiling(const IntTerm& a, const IntTerm& b) {
  const auto dividend = a.constant();
  const auto divisor = b.constant();
  if (dividend && divisor && *divisor > 0) {
    return constant(bankproof::ceil_div(*dividend, *divisor));
  }
  const std::pair key(a.expression(context_).id(), b.expression(context_).id());
  const auto found = known_.ceilings.find(key);
  if (found != known_.ceilings.end()) return found->second;
  const IntTerm q = unknown("ceiling");
  assume(implies(b > 0, a <= b * q && b * q < a + b));
  assume(implies(is_product_of_factors(a.expression(context_)) ? b > 0 : b > 0 && a >= 0, q >= 0));
  compare_with_others(b, q);
  kept_.insert(kept_.end(), {a.expression(context_), b.expression(context_)});
  return known_.ceilings.emplace(key, q).first->second;
}

IntTerm Query::power_of_two(const IntTerm& k) {
  if (const auto number = k.constant(); number && *number < 63) {
    return constant(std::uint64_t{1} << *number);
  }
  const z3::sort whole = context_.int_sort();
  IntTerm power(*this, context_.function("power_of_two", whole, whole)(k.expression(context_)));
  assume(implies(k >= 0, power >= 1));
  return power;
}

IntTerm Query::logarithm(const IntTerm& n) {
  if (const auto number = n.constant()) return constant(bankproof::ceil_log2(*number));
  const auto found = known_.logarithms.find(n.expression(context_).id());
  if (found != known_.logarithms.end()) return found->second;
  kept_.push_back(n.expression(context_));
  const IntTerm log = fresh("log");
  const IntTerm power = power_of_two(log);
  assume(implies(n >= 1, n <= power && implies(n == 1, log == 0) &&
                             implies(n > 1, log >= 1 && power < 2 * n)));
  for (const auto& [id, other] : known_.logarithms) {
    apply(powers_of_two_grow(), {log, other});
    apply(powers_of_two_grow(), {other, log});
  }
  return known_.logarithms.emplace(n.expression(context_).id(), log).first->second;
}

IntTerm Query::choice(const Truth& condition, const IntTerm& a, const IntTerm& b) {
  if (condition.is_surely_true()) return a;
  if (condition.is_surely_false()) return b;
  const std::array key = {condition.expression(context_).id(), a.expression(context_).id(),
                          b.expression(context_).id()};
  const auto found = known_.choices.find(key);
  if (found != known_.choices.end()) return found->second;
  IntTerm chosen = unknown("chosen");
  assume(implies(condition, chosen == a));
  assume(implies(!condition, chosen == b));
  kept_.insert(kept_.end(),
               {condition.expression(context_), a.expression(context_), b.expression(context_)});
  return known_.choices.emplace(key, chosen).first->second;
}

}  // namespace bankproof::proofs
