// Witnesses for the greatest common divisor.
#include "common_divisor.hpp"

namespace bankproof::proofs {

CommonDivisor common_divisor(const IntTerm& a, const IntTerm& b) {
  const auto first = a.constant();
  const auto second = b.constant();
  if (first && second) {
    const std::uint64_t greatest = bankproof::gcd(*first, *second);
    std::uint64_t times = 0;
    while (times * *first % *second != greatest % *second) ++times;
    return {IntTerm(greatest), IntTerm(*first / greatest), IntTerm(*second / greatest),
            IntTerm(times), IntTerm(greatest / *second) - IntTerm(times * *first / *second)};
  }
  Query& query = a.query();
  CommonDivisor divisor{query.fresh("gcd", 1), query.fresh("part", 1), query.fresh("part", 1),
                        query.unknown("factor"), query.unknown("factor")};
  const auto& [g, of_a, of_b, x, y] = divisor;
  query.assume(a == g * of_a && b == g * of_b && g <= a && g <= b);
  query.assume(g == a * x + b * y);
  return divisor;
}

IntTerm Query::divisor(const IntTerm& a, const IntTerm& b) {
  const std::pair key(a.expression().id(), b.expression().id());
  const auto found = divisors_.find(key);
  if (found != divisors_.end()) return found->second;
  kept_.insert(kept_.end(), {a.expression(), b.expression()});
  return divisors_.emplace(key, common_divisor(a, b).g).first->second;
}

IntTerm gcd(const IntTerm& a, const IntTerm& b) { return a.query().divisor(a, b); }

}  // namespace bankproof::proofs
