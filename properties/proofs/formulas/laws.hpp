// The laws that hold for every expression, as templates over the code under test, so that canaries
// can plant bugs in it.
#pragma once

#include <rapidcheck.h>
#include <z3++.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../../proofs/formulas/formula.hpp"
#include "../../../proofs/formulas/integers.hpp"
#include "../../../proofs/formulas/parser.hpp"
#include "../../../proofs/formulas/translation.hpp"
#include "../../../proofs/formulas/words.hpp"
#include "expressions.hpp"

namespace bankproof::formulas {

/// The number of values of a word.
inline constexpr std::uint64_t most_words = std::uint64_t{1} << 32;

inline Formula formula_of(const Drawn& drawn) {
  return {Scope{{"i", "j"}, {}}, Parsed{Writer({"i", "j"})(drawn.expression), drawn.expression}};
}

/// Values that distinguish the operators of a formula.
inline std::vector<std::uint32_t> some_inputs() {
  const auto value = rc::gen::oneOf(
      rc::gen::inRange<std::uint32_t>(0, 40), rc::gen::arbitrary<std::uint32_t>(),
      rc::gen::map(rc::gen::inRange(0, 32), [](int k) { return std::uint32_t{1} << k; }));
  return {*value, *value};
}

/// After numbers replace the inputs, a solver's term has the value that evaluation computes, and is
/// undefined where evaluation is. The law covers only numbers for which the term claims that it
/// fits a word (`fits`).
template <class Arithmetic>
void terms_are_values(const Drawn& drawn) {
  const Formula formula = formula_of(drawn);
  const std::vector<std::uint32_t> inputs = some_inputs();
  z3::context context;
  Arithmetic arithmetic(context);
  // Numbers replace these unknowns only after the translation, which would otherwise compute with
  // the numbers.
  const std::vector<z3::expr> unknowns = {arithmetic.below("i", most_words),
                                          arithmetic.below("j", most_words)};
  z3::expr_vector names(context);
  z3::expr_vector numbers(context);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    names.push_back(unknowns[k]);
    numbers.push_back(arithmetic.number(inputs[k]));
  }
  const Outcome outcome = formula(inputs);
  try {
    const Meaning meaning = Translation<Arithmetic>(arithmetic, unknowns)(formula);
    z3::solver solver(context);
    z3::params parameters(context);
    parameters.set("rlimit", 100'000U);
    solver.set(parameters);
    for (z3::expr fact : arithmetic.assumptions()) solver.add(fact.substitute(names, numbers));
    RC_ASSERT(solver.check() != z3::unsat);
    const auto is_sure = [&](z3::expr fact) {
      solver.push();
      solver.add(!fact.substitute(names, numbers));
      const z3::check_result result = solver.check();
      solver.pop();
      RC_PRE(result != z3::unknown);  // for quotients of quotients the solver may not decide
      return result == z3::unsat;
    };
    if (!is_sure(meaning.fits)) return;
    if (outcome.is_defined()) {
      RC_ASSERT(is_sure(meaning.defined));
      RC_ASSERT(is_sure(meaning.value == arithmetic.number(outcome.value)));
    } else {
      RC_ASSERT(is_sure(!meaning.defined));
    }
  } catch (const NoIntegerForm&) {
    RC_DISCARD("no integer form");
  }
}

}  // namespace bankproof::formulas
