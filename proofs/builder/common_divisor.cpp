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
  const Written g_of = gcd(a.written(), b.written());
  if (first && second) {
    CommonDivisor divisor = of_constants(*first, *second);
    divisor.g = labelled(in_query(divisor.g), g_of);
    return divisor;
  }
  const auto named = [&](const CommonDivisor& of) {
    return CommonDivisor{labelled(of.g, g_of), labelled(of.of_a, a.written() / g_of),
                         labelled(of.of_b, b.written() / g_of), of.x, of.y};
  };
  const std::pair key(a.expression(context_).id(), b.expression(context_).id());
  const auto found = known_.divisors.find(key);
  if (found != known_.divisors.end()) return named(found->second);
  kept_.insert(kept_.end(), {a.expression(context_), b.expression(context_)});
  const IntTerm x = unknown_of("factor");
  const IntTerm y = unknown_of("factor");
  CommonDivisor divisor = named({unknown_of("gcd"), unknown_of("part"), unknown_of("part"), x, y});
  const auto& [g, of_a, of_b, of_x, of_y] = divisor;
  // The cofactors are names that the law introduces.
  const std::vector<IntTerm> terms = {a, b, x, y};
  const Truth positive = a >= 1 && b >= 1;
  know(implies(positive, g == a * x + b * y), {"cofactors", terms});
  know(implies(positive, a == g * of_a && b == g * of_b && g <= a && g <= b && g >= 1 &&
                             of_a >= 1 && of_b >= 1),
       {"divisor_law", {a, b}});
  const FactNumber all = know(implies(a >= 0 && b >= 0, g >= 0 && of_a >= 0 && of_b >= 0),
                              {"divisor_is_count", {a, b}});
  auto facts = factors_of((a * b).expression(context_));
  if (facts) {
    facts->push_back(all);
    for (const IntTerm* const part : {&g, &of_a, &of_b}) {
      know_factor(*part, record(*part >= 0, {.kind = Step::Kind::product, .facts = *facts}));
    }
  }
  return known_.divisors.emplace(key, std::move(divisor)).first->second;
}

}  // namespace bankproof::proofs
