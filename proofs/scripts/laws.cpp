// Laws of arithmetic, as terms of Coq; see scripter.hpp.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "scripter.hpp"

namespace bankproof::proofs {

void Scripter::apply_law(const Step& step) {
  if (step.name == "sum_is_count") return;  // known with the sum
  if (step.name == "choice_law") return know(step, "choose " + number(step.terms.at(0)));
  if (step.name == "cofactors") return find_cofactors(step);
  std::string results;
  std::size_t count = 0;
  for (const WrittenPointer& result : results_of(step)) {
    results += " (" + number(result) + ")";
    ++count;
  }
  std::string proof = fmt::format("law ({}{}{}", step.name, numbers(step.terms), results);
  for (std::size_t k = 0; k < count; ++k) proof += " eq_refl";
  proof += ")";
  for (const FactNumber fact : step.facts)
    proof = fmt::format("law_with {} ", fact_name(fact)) + proof.substr(4);
  know(step, proof);
}

void Scripter::find_cofactors(const Step& step) {
  const auto& t = step.terms;
  const WrittenPointer g = gcd(Written(t[0]), Written(t[1])).node();
  write(fmt::format("destruct (cofactors ({}) ({}) ({}) eq_refl) as ({} & {} & {}).", number(t[0]),
                    number(t[1]), number(g), coq_name(t[2]->name), coq_name(t[3]->name),
                    fact_name(step.fact)));
  text(step);
}

std::vector<WrittenPointer> Scripter::results_of(const Step& step) {
  std::vector<Written> t;
  t.reserve(step.terms.size());
  for (const WrittenPointer& term : step.terms) t.emplace_back(term);
  if (step.name == "quotient_law") return {(t[0] / t[1]).node(), (t[0] % t[1]).node()};
  if (step.name == "quotient_is_count") return {(t[0] / t[1]).node()};
  if (step.name == "quotient_of_0") return {(Written(0) / t[0]).node(), (Written(0) % t[0]).node()};
  if (step.name == "ceiling_law" || step.name == "ceiling_is_count") {
    return {ceil_div(t[0], t[1]).node()};
  }
  if (step.name == "smaller_law") return {select(t[0] < t[1], t[0], t[1]).node()};
  if (step.name == "larger_law") return {select(t[0] < t[1], t[1], t[0]).node()};
  if (step.name == "power_is_positive") return {power_of_two(t[0]).node()};
  if (step.name == "powers_double") {
    return {power_of_two(t[0]).node(), power_of_two(t[0] + 1).node()};
  }
  if (step.name == "logarithm_is_count") return {ceil_log2(t[0]).node()};
  if (step.name == "logarithm_law") {
    return {ceil_log2(t[0]).node(), power_of_two(ceil_log2(t[0])).node()};
  }
  if (step.name == "divisor_law" || step.name == "divisor_is_count") {
    const Written g = gcd(t[0], t[1]);
    return {g.node(), (t[0] / g).node(), (t[1] / g).node()};
  }
  if (step.name == "equals_times") return {};
  throw NoScript("the law " + step.name);
}

}  // namespace bankproof::proofs
