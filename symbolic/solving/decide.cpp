// Calls the solvers; see decide.hpp.
#include "decide.hpp"

#include <z3++.h>

#include <algorithm>

#include "../../proofs/solvers/solvers.hpp"
#include "../encodings/bits.hpp"
#include "../encodings/integers.hpp"
#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

using proofs::Answer;

/// Enough for questions of kernels; Z3 counts its steps, and the clock is only a guard.
proofs::Limits limits_of(unsigned ms) {
  return {.z3_steps = 2'000 * ms, .seconds = std::max(ms / 1000, 1U)};
}

std::string text_of(z3::context& context, const std::vector<z3::expr>& assertions,
                    const Answer& answer) {
  if (answer.core.empty()) return proofs::question(context, assertions);
  std::vector<z3::expr> needed;
  needed.reserve(answer.core.size());
  for (const std::size_t k : answer.core) needed.push_back(assertions[k]);
  return proofs::question(context, needed);
}

std::optional<Decided> with_integers(const Pool& pool, const std::vector<Term>& statements,
                                     unsigned ms) {
  z3::context context;
  Integers integers(context, pool);
  integers.learn(statements);
  std::vector<z3::expr> all;
  all.reserve(statements.size());
  for (const Term statement : statements) all.push_back(integers.statement(statement));
  const std::vector<z3::expr>& definitions = integers.definitions();
  all.insert(all.end(), definitions.begin(), definitions.end());
  const Answer answer = proofs::ask_z3(context, all, limits_of(ms));
  if (answer.kind != Answer::unsatisfiable) return std::nullopt;
  return Decided{.kind = Decided::Kind::never, .text = text_of(context, all, answer)};
}

Decided with_bits(const Pool& pool, const std::vector<Term>& statements, unsigned ms) {
  z3::context context;
  BitVectors bits(context, pool);
  std::vector<z3::expr> all;
  all.reserve(statements.size());
  for (const Term statement : statements) all.push_back(bits.statement(statement));
  z3::solver solver(context, "QF_BV");
  z3::params limits(context);
  limits.set("timeout", ms);
  solver.set(limits);
  for (const z3::expr& one : all) solver.add(one);
  switch (solver.check()) {
    case z3::unsat:
      return {.kind = Decided::Kind::never, .text = proofs::question(context, all)};
    case z3::sat: {
      Decided decided{.kind = Decided::Kind::possible};
      const z3::model model = solver.get_model();
      std::unordered_map<Term, bool> met;
      for (const Term statement : statements) {
        each_unknown(pool, statement, met, [&](Term unknown) {
          decided.model[unknown] = model.eval(bits.vector(unknown), true).get_numeral_uint64();
        });
      }
      return decided;
    }
    default:
      return {};
  }
}

}  // namespace

Decided decide(const Pool& pool, const std::vector<Term>& statements, const Effort& effort) {
  if (auto decided = with_integers(pool, statements, effort.integers_ms)) {
    return std::move(*decided);
  }
  return effort.tries_bits ? with_bits(pool, statements, effort.bits_ms) : Decided{};
}

std::optional<Model> model_of(const Pool& pool, const std::vector<Term>& statements,
                              const std::vector<std::vector<Term>>& wishes, unsigned ms) {
  for (const std::vector<Term>& some : wishes) {
    std::vector<Term> all = statements;
    all.insert(all.end(), some.begin(), some.end());
    Decided decided = with_bits(pool, all, ms);
    if (decided.kind == Decided::Kind::possible) return std::move(decided.model);
  }
  return std::nullopt;
}

Confirmed confirm(const std::vector<std::string>& texts,
                  const std::function<void(std::size_t)>& done) {
  // cvc5 stops at the first question that it cannot answer.
  constexpr std::size_t at_once = 32;
  Confirmed confirmed;
  for (std::size_t begin = 0; begin < texts.size(); begin += at_once) {
    const std::vector<std::string> some(
        texts.begin() + static_cast<std::ptrdiff_t>(begin),
        texts.begin() + static_cast<std::ptrdiff_t>(std::min(begin + at_once, texts.size())));
    for (const Answer& answer : proofs::ask_cvc5(some, {.seconds = 10})) {
      if (answer.kind == Answer::satisfiable) {
        throw proofs::SolverError("Z3 and cvc5 contradict each other about a question");
      }
      if (answer.kind != Answer::unsatisfiable) {
        confirmed.why_not = answer.why.empty() ? "no answer" : answer.why;
        return confirmed;
      }
      ++confirmed.count;
    }
    if (done) done(confirmed.count);
  }
  if (confirmed.count != texts.size()) confirmed.why_not = "answers are missing";
  return confirmed;
}

}  // namespace bankproof::symbolic
