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
  // cvc5 stops at the first question that it cannot answer. It gets another try without branches
  // that are cubes around a solution, which mislead it among many bounds; and one with more time.
  constexpr const char* no_cubes = "(set-option :arith-brab false)\n";
  constexpr std::size_t at_once = 32;
  const proofs::Limits little{.cvc5_steps = 40'000, .seconds = 10};
  const proofs::Limits much{.seconds = 10};
  const auto is_never = [](const Answer& answer) {
    if (answer.kind == Answer::satisfiable) {
      throw proofs::SolverError("Z3 and cvc5 contradict each other about a question");
    }
    return answer.kind == Answer::unsatisfiable;
  };
  Confirmed confirmed;
  while (confirmed.count < texts.size()) {
    const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(confirmed.count);
    const std::size_t count = std::min(at_once, texts.size() - confirmed.count);
    const std::vector<std::string> some(begin, begin + static_cast<std::ptrdiff_t>(count));
    const std::vector<Answer> answers = proofs::ask_cvc5(some, little);
    const auto open = std::find_if_not(answers.begin(), answers.end(), is_never);
    confirmed.count += static_cast<std::size_t>(open - answers.begin());
    if (open != answers.end()) {
      const std::string& hard = texts[confirmed.count];
      if (!is_never(proofs::ask_cvc5({no_cubes + hard}, much).front())) {
        const Answer last = proofs::ask_cvc5({hard}, much).front();
        if (!is_never(last)) {
          confirmed.why_not = last.why.empty() ? "no answer" : last.why;
          return confirmed;
        }
      }
      ++confirmed.count;
    }
    if (done) done(confirmed.count);
  }
  return confirmed;
}

}  // namespace bankproof::symbolic
