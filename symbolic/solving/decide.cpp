// Calls the solvers; see decide.hpp.
#include "decide.hpp"

#include <z3++.h>

#include <algorithm>
#include <bit>
#include <map>

#include "../../proofs/solvers/solvers.hpp"
#include "../encodings/bits.hpp"
#include "../encodings/integers.hpp"
#include "../execution/substitute.hpp"
#include "at_once.hpp"
#include "busy.hpp"

namespace bankproof::symbolic {

namespace {

using proofs::Answer;

/// A solver of linear arithmetic for questions of a few hundred bounds: Z3's older one finds most
/// contradictions of such questions in half of the time.
z3::solver linear_solver(z3::context& context, const proofs::Limits& limits, bool has_cases) {
  z3::params parameters = proofs::z3_limits(context, limits);
  parameters.set("relevancy", has_cases ? 2U : 0U);
  parameters.set("arith.solver", 2U);
  parameters.set("arith.branch_cut_ratio", 5U);
  z3::solver solver(context, z3::solver::simple());
  solver.set(parameters);
  return solver;
}

/// The assertions that cannot hold together; nothing if Z3 does not find out.
std::optional<std::vector<z3::expr>> core_of(z3::context& context,
                                             const std::vector<z3::expr>& assertions,
                                             const proofs::Limits& limits) {
  z3::solver solver = linear_solver(context, limits, false);
  std::map<unsigned, z3::expr> named;
  for (const z3::expr& assertion : assertions) {
    const z3::expr name = context.bool_const(("a." + std::to_string(named.size())).c_str());
    named.emplace(name.id(), assertion);
    solver.add(assertion, name);
  }
  if (solver.check() != z3::unsat) return std::nullopt;
  std::vector<z3::expr> core;
  for (const z3::expr& name : solver.unsat_core()) core.push_back(named.at(name.id()));
  return core;
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
  // Z3 counts its steps; a second is enough for most of them.
  const auto asked = [&](const auto& ask, const auto& is_open) {
    return although_busy(
        Worker::this_thread, std::max(ms, 1000U),
        [&](unsigned clock_ms) {
          return ask(proofs::Limits{.z3_steps = 20'000 * ms, .seconds = clock_ms / 1000});
        },
        is_open);
  };
  // Z3 simplifies more if it need not tell which statements it needed.
  const z3::check_result plain = asked(
      [&](const proofs::Limits& limits) {
        z3::solver solver = linear_solver(context, limits, true);
        for (const z3::expr& one : all) solver.add(one);
        return solver.check();
      },
      [](z3::check_result one) { return one == z3::unknown; });
  if (plain == z3::sat) return std::nullopt;
  const auto core =
      asked([&](const proofs::Limits& limits) { return core_of(context, all, limits); },
            [](const auto& one) { return !one.has_value(); });
  if (plain != z3::unsat && !core) return std::nullopt;
  return Decided{.kind = Decided::Kind::never,
                 .excluded = {proofs::question(context, core ? *core : all), true, statements}};
}

/// The same question, with all statements.
std::string whole_text(const Pool& pool, const std::vector<Term>& statements, bool of_integers) {
  z3::context context;
  std::vector<z3::expr> all;
  all.reserve(statements.size());
  if (!of_integers) {
    BitVectors bits(context, pool);
    for (const Term statement : statements) all.push_back(bits.statement(statement));
    return proofs::question(context, all);
  }
  Integers integers(context, pool);
  integers.learn(statements);
  for (const Term statement : statements) all.push_back(integers.statement(statement));
  const std::vector<z3::expr>& definitions = integers.definitions();
  all.insert(all.end(), definitions.begin(), definitions.end());
  return proofs::question(context, all);
}

bool is_never(const Answer& answer) {
  if (answer.kind == Answer::satisfiable) {
    throw proofs::SolverError("Z3 and cvc5 contradict each other about a question");
  }
  return answer.kind == Answer::unsatisfiable;
}

/// Behind the last question of a process: it need not forget this one, which takes time.
constexpr const char* no_more = "(exit)\n";

/// Among many bounds, cvc5 is misled by cubes around a solution.
constexpr const char* no_cubes = "(set-option :arith-brab false)\n";

/// The question with the option that cvc5 turns all of it into one about single bits: the soonest
/// way to answer most questions of bit-vectors.
std::string with_bits_at_once(std::string text) {
  constexpr std::string_view every_logic = "(set-logic ALL)";
  if (const std::size_t at = text.find(every_logic); at != std::string::npos) {
    text.replace(at, every_logic.size(), "(set-option :bitblast eager)\n(set-logic QF_BV)");
  }
  return text;
}

/// Asks in other ways what cvc5 does not answer at once: what Z3 does not need may help cvc5. Whole
/// numbers say less than bit-vectors, so that values for them mean nothing.
std::optional<std::string> why_not_by_more(const Pool& pool, const Excluded& excluded) {
  const auto asked = [](const std::string& text, unsigned seconds) {
    return although_busy(
        Worker::processes_that_ended, 1000 * seconds,
        [&](unsigned ms) {
          return proofs::ask_cvc5({text + no_more}, {.seconds = ms / 1000}).front();
        },
        [](const Answer& one) { return one.kind == Answer::unknown; });
  };
  const std::string integers = whole_text(pool, excluded.statements, true);
  // Bounds that Z3 does not need help cvc5 more than time does.
  if (excluded.is_of_integers && asked(no_cubes + integers, 2).kind == Answer::unsatisfiable) {
    return std::nullopt;
  }
  if (is_never(asked(excluded.text, 3))) return std::nullopt;
  if (is_never(asked(whole_text(pool, excluded.statements, false), 5))) return std::nullopt;
  const Answer last = asked(integers, 10);
  if (last.kind == Answer::unsatisfiable) return std::nullopt;
  return last.why.empty() ? "no answer" : last.why;
}

/// Z3 writes out each product of unknowns bit by bit, and does not look at the clock meanwhile.
bool has_many_products(const Pool& pool, const std::vector<Term>& statements) {
  constexpr std::size_t many = 40;
  std::size_t count = 0;
  each_term(pool, statements, [&](Term, const Node& node) {
    const bool is_divided = node.op == Operator::quotient || node.op == Operator::remainder ||
                            node.op == Operator::quotient_signed ||
                            node.op == Operator::remainder_signed;
    if (node.op == Operator::product || is_divided) ++count;
  });
  return count > many;
}

Decided with_bits(const Pool& pool, const std::vector<Term>& statements, unsigned ms) {
  if (has_many_products(pool, statements)) return {};
  z3::context context;
  BitVectors bits(context, pool);
  std::vector<z3::expr> all;
  all.reserve(statements.size());
  for (const Term statement : statements) all.push_back(bits.statement(statement));
  z3::solver solver(context, "QF_BV");
  for (const z3::expr& one : all) solver.add(one);
  const z3::check_result result = although_busy(
      Worker::this_thread, ms,
      [&](unsigned clock_ms) {
        solver.set(proofs::z3_clock(context, clock_ms));
        return solver.check();
      },
      [](z3::check_result one) { return one == z3::unknown; });
  switch (result) {
    case z3::unsat:
      return {.kind = Decided::Kind::never,
              .excluded = {proofs::question(context, all), false, statements}};
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

/// For unknowns that the wishes limit, others of as few bits as the limits have: much becomes
/// simple before it comes to a solver.
std::map<Term, Term> narrowed(Pool& pool, const std::vector<Term>& wishes) {
  std::map<Term, Term> all;
  for (const Term wish : wishes) {
    if (pool.node(wish).op != Operator::negation) continue;
    const Node limit = pool.node(pool.node(wish).operands[0]);
    if (limit.op != Operator::below || !pool.is_constant(limit.operands[0])) continue;
    const Term unknown = limit.operands[1];
    const auto bits = static_cast<unsigned>(std::bit_width(pool.node(limit.operands[0]).value));
    if (pool.node(unknown).op != Operator::unknown || bits >= pool.width(unknown)) continue;
    // Where only 0 is left, no bit is.
    all.try_emplace(unknown,
                    bits == 0 ? pool.constant(0, 1) : pool.unknown(pool.name(unknown), bits));
  }
  return all;
}

/// Questions for one process of cvc5, which stops at the first one that it cannot answer.
struct Batch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Batch> batches_of(const std::vector<Excluded>& all) {
  // A question of bit-vectors leaves much behind: cvc5 needs longer to forget it than to begin
  // anew.
  constexpr std::size_t most_of_integers = 8;
  std::vector<Batch> batches;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool goes_on = k > 0 && all[k].is_of_integers && all[k - 1].is_of_integers &&
                         k - batches.back().begin < most_of_integers;
    if (!goes_on) batches.push_back({k, k});
    batches.back().end = k + 1;
  }
  return batches;
}

/// Those of the batch that cvc5 does not answer within its first steps.
std::vector<std::size_t> open_of(const std::vector<Excluded>& all, Batch batch,
                                 const std::function<bool()>& is_stopped) {
  std::vector<std::size_t> open;
  while (batch.begin < batch.end) {
    if (is_stopped && is_stopped()) {
      open.push_back(batch.begin++);
      continue;
    }
    // It needs more steps for bit-vectors.
    const proofs::Limits little{.cvc5_steps = all[batch.begin].is_of_integers ? 40'000U : 200'000U,
                                .seconds = 10};
    std::vector<std::string> texts;
    for (std::size_t k = batch.begin; k < batch.end; ++k) {
      texts.push_back(all[k].is_of_integers ? no_cubes + all[k].text
                                            : with_bits_at_once(all[k].text));
    }
    texts.back() += no_more;
    const std::vector<Answer> answers = proofs::ask_cvc5(texts, little);
    const auto first = std::find_if_not(answers.begin(), answers.end(), is_never);
    batch.begin += static_cast<std::size_t>(first - answers.begin());
    if (first != answers.end()) open.push_back(batch.begin++);
  }
  return open;
}

std::vector<std::size_t> open_at_once(const std::vector<Excluded>& all,
                                      const std::function<bool()>& is_stopped) {
  const std::vector<Batch> batches = batches_of(all);
  std::vector<std::size_t> open;
  for (const std::vector<std::size_t>& some : at_once(
           batches.size(), [&](std::size_t k) { return open_of(all, batches[k], is_stopped); })) {
    open.insert(open.end(), some.begin(), some.end());
  }
  return open;
}

}  // namespace

Decided decide(const Pool& pool, const std::vector<Term>& statements, const Effort& effort) {
  if (effort.tries_integers) {
    if (auto decided = with_integers(pool, statements, effort.integers_ms)) {
      return std::move(*decided);
    }
  }
  return effort.tries_bits ? with_bits(pool, statements, effort.bits_ms) : Decided{};
}

std::vector<Decided> decide_all(const Pool& pool, const std::vector<std::vector<Term>>& questions,
                                const Effort& effort) {
  return at_once(questions.size(),
                 [&](std::size_t k) { return decide(pool, questions[k], effort); });
}

std::optional<Model> model_of(Pool& pool, const std::vector<Term>& statements,
                              const std::vector<std::vector<Term>>& wishes, unsigned ms) {
  for (const std::vector<Term>& some : wishes) {
    std::vector<Term> all = statements;
    all.insert(all.end(), some.begin(), some.end());
    const std::map<Term, Term> narrow = narrowed(pool, some);
    Substitution by(pool);
    for (const auto& [unknown, few_bits] : narrow) {
      by.put(unknown, pool.zero_extended(few_bits, pool.width(unknown)));
    }
    for (Term& one : all) one = by(one);
    std::erase_if(all, [&](Term one) { return pool.is_constant(one, 1); });
    Decided decided = with_bits(pool, all, ms);
    if (decided.kind != Decided::Kind::possible) continue;
    for (const auto& [unknown, few_bits] : narrow) {
      decided.model[unknown] = pool.is_constant(few_bits) ? 0 : decided.model[few_bits];
    }
    return std::move(decided.model);
  }
  return std::nullopt;
}

Confirmed confirm(const Pool& pool, const std::vector<Excluded>& all,
                  const std::function<bool()>& is_stopped) {
  const std::vector<std::size_t> open = open_at_once(all, is_stopped);
  for (const std::size_t one : open) {
    if (is_stopped && is_stopped()) return {one, "it is not asked any more"};
    if (auto why_not = why_not_by_more(pool, all[one])) return {one, std::move(why_not)};
  }
  return {all.size(), std::nullopt};
}

}  // namespace bankproof::symbolic
