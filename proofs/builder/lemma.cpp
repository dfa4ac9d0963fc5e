// The lemmas that many proofs use.
#include "lemma.hpp"

#include "query.hpp"

namespace bankproof::proofs {

const Lemma& multiples_are_apart() {
  static const Lemma lemma = {
      .name = "multiples",
      .statement = "if x < y, then bx + b ≤ by, for b ≥ 0",
      .arity = 3,
      .premise = [](const Lemma::Terms& t) { return t[0] >= 0 && t[1] < t[2]; },
      .conclusion = [](const Lemma::Terms& t) { return t[0] * t[1] + t[0] <= t[0] * t[2]; },
      .steps = [](Query& q, const Lemma::Terms& t) { q.multiply_by({t[0]}); }};
  return lemma;
}

const Lemma& powers_of_two_grow() {
  static const Lemma lemma = {
      .name = "powers-of-two",
      .statement = "if i < j, then 2·2^i ≤ 2^j, for i ≥ 0",
      .arity = 2,
      .premise = [](const Lemma::Terms& t) { return 0 <= t[0] && t[0] < t[1]; },
      .conclusion =
          [](const Lemma::Terms& t) {
            Query& q = t[0].query();
            return 2 * q.power_of_two(t[0]) <= q.power_of_two(t[1]);
          },
      .steps =
          [](Query& q, const Lemma::Terms& t) {
            const auto doubles = [&](const IntTerm& k) {  // the definition of powers of two
              q.double_power(k);
            };
            doubles(t[0]);
            q.induct(t[0] + 1, t[1], [&](const IntTerm& k) {
              doubles(k);
              return 2 * q.power_of_two(t[0]) <= q.power_of_two(k);
            });
          }};
  return lemma;
}

const Lemma& squares_are_not_negative() {
  static const Lemma lemma = {
      .name = "squares",
      .statement = "2ab ≤ a² + b²",
      .arity = 2,
      .premise = [](const Lemma::Terms&) { return IntTerm(0) == 0; },
      .conclusion =
          [](const Lemma::Terms& t) { return 2 * t[0] * t[1] <= t[0] * t[0] + t[1] * t[1]; },
      .steps =
          [](Query& q, const Lemma::Terms& t) {
            for (const auto& [a, b] : {std::pair(t[0], t[1]), std::pair(t[1], t[0])}) {
              q.suppose(a <= b, [&, a = a, b = b] {
                q.multiply_by({b - a});
                return 2 * a * b <= a * a + b * b;
              });
            }
          }};
  return lemma;
}

std::vector<const Lemma*> lemmas() {
  return {&multiples_are_apart(), &powers_of_two_grow(), &squares_are_not_negative()};
}

}  // namespace bankproof::proofs
