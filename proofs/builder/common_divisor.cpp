// Makes the witnesses for a greatest common divisor.
#include "query.hpp"

namespace bankproof::proofs {
namespace {

CommonDivisor of_constants(std::uint64_t a, std::uint64_t b) {
  if (b == 0) return {IntTerm(a), 1, 0, 1, 0};
  const std::uint64_t greatest = bankproof::gcd(a, b);
  std::uint64_t times = 0;
  while (times * a % b != greatest % b) ++times;
  return {IntTerm(greatest), IntTerm(a / greatest), IntTerm(b / greatest), IntTerm(times),
          IntTerm(greatest / b) - IntTerm(times * a / b)};
}

}  // namespace

CommonDivisor Query::divisor(const IntTerm& a, const IntTerm& b) {
  const auto first = a.constant();
  const auto second = b.constant();
  if (first && second) return of_constants(*first, *second);
  const std::pair key(a.expression(context_).id(), b.expression(context_).id());
  const auto found = known_.divisors.find(key);
  if (found != known_.divisors.end()) return found->second;
  kept_.insert(kept_.end(), {a.expression(context_), b.expression(context_)});
  CommonDivisor divisor{fresh("gcd", 1), fresh("part", 1), fresh("part", 1), unknown("factor"),
                        unknown("factor")};
  const auto& [g, of_a, of_b, x, y] = divisor;
  assume(implies(a >= 1 && b >= 1, a == g * of_a && b == g * of_b && g <= a && g <= b));
  assume(implies(a >= 1 && b >= 1, g == a * x + b * y));
  return known_.divisors.emplace(key, std::move(divisor)).first->second;
}

}  // namespace bankproof::proofs
