// Z3 through its library; cvc5 as a process.
#include "solvers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <optional>
#include <system_error>

#include "../../processes/process.hpp"

namespace bankproof::proofs {
namespace {

Answer answer_of(const std::string& line) {
  if (line == "sat") return {Answer::satisfiable, {}};
  if (line == "unsat") return {Answer::unsatisfiable, {}};
  if (line.starts_with("unknown")) return {Answer::unknown, line};
  return {Answer::error, line.empty() ? "no answer" : line};
}

}  // namespace

z3::params z3_clock(z3::context& context, unsigned milliseconds) {
  z3::params parameters(context);
  parameters.set("timeout", milliseconds);
  parameters.set("ctrl_c", false);
  return parameters;
}

z3::params z3_limits(z3::context& context, const Limits& limits) {
  z3::params parameters = z3_clock(context, 1000 * limits.seconds);
  parameters.set("rlimit", limits.z3_steps);
  parameters.set("random_seed", limits.z3_seed);
  return parameters;
}

std::string question(z3::context& context, const std::vector<z3::expr>& assertions) {
  // Z3's printer takes a list of facts and one more formula. The last assertion is passed as this
  // formula.
  std::vector<Z3_ast> facts(assertions.begin(), assertions.end());
  const z3::expr none = context.bool_val(true);
  Z3_ast last = none;
  if (!facts.empty()) {
    last = facts.back();
    facts.pop_back();
  }
  const char* const text = Z3_benchmark_to_smtlib_string(
      context, "", "", "unknown", "", static_cast<unsigned>(facts.size()), facts.data(), last);
  return std::string("(set-logic ALL)\n") + text;
}

Answer ask_z3(z3::context& context, const std::vector<z3::expr>& assertions, const Limits& limits) {
  z3::solver solver(context, z3::solver::simple());
  solver.set(z3_limits(context, limits));
  // Each assertion gets a name. The solver reports the names of the assertions that it needed.
  std::map<unsigned, std::size_t> positions;
  for (const z3::expr& assertion : assertions) {
    const std::size_t position = positions.size();
    const z3::expr name = context.bool_const(fmt::format("assertion.{}", position).c_str());
    positions[name.id()] = position;
    solver.add(assertion, name);
  }
  switch (solver.check()) {
    case z3::sat: {
      Answer answer{Answer::satisfiable, {}};
      const z3::model model = solver.get_model();
      for (unsigned k = 0; k < model.num_consts(); ++k) {
        const z3::func_decl unknown = model.get_const_decl(k);
        if (!unknown.range().is_bool()) {
          answer.example.push_back(unknown() == model.get_const_interp(unknown));
        }
      }
      return answer;
    }
    case z3::unsat: {
      Answer answer{Answer::unsatisfiable, {}};
      for (const z3::expr& name : solver.unsat_core()) {
        answer.core.push_back(positions.at(name.id()));
      }
      std::sort(answer.core.begin(), answer.core.end());
      return answer;
    }
    default:
      return {Answer::unknown, solver.reason_unknown()};
  }
}

std::vector<Answer> ask_cvc5(const std::vector<std::string>& questions, const Limits& limits) {
  const auto all = [&](const Answer& answer) {
    return std::vector<Answer>(questions.size(), answer);
  };
  if (limits.cvc5.empty()) return all({Answer::error, "no program is named", {}, true});
  std::string script;
  for (const std::string& question : questions) script += question + "(reset)\n";
  // cvc5 itself limits its time for each question. This second limit ends a cvc5 that hangs.
  const std::chrono::seconds most(2 * limits.seconds);
  Process cvc5(
      {limits.cvc5, "-q", "--lang", "smt2", fmt::format("--rlimit-per={}", limits.cvc5_steps),
       fmt::format("--tlimit-per={}", 1000 * limits.seconds)},
      script);
  if (const int error = cvc5.start_error()) {
    if (error == ENOENT) return all({Answer::error, limits.cvc5 + " is not installed", {}, true});
    return all({Answer::error, fmt::format("{} cannot be run: {}", limits.cvc5,
                                           std::generic_category().message(error))});
  }
  std::vector<Answer> answers;
  answers.reserve(questions.size());
  while (answers.size() < questions.size()) {
    const std::optional<std::string> line = cvc5.line(most);
    if (line) {
      answers.push_back(answer_of(*line));
    } else if (cvc5.is_late()) {
      answers.push_back({Answer::unknown, fmt::format("no answer in {} s", most.count())});
    } else {
      const std::string end = cvc5.wait();
      answers.push_back({Answer::error, end.empty() ? "no answer" : "no answer, " + end});
    }
    const Answer::Kind last = answers.back().kind;
    if (last == Answer::satisfiable || last == Answer::unsatisfiable) continue;
    answers.resize(questions.size(),
                   {Answer::unknown, "not asked, because an earlier query got no answer"});
    return answers;
  }
  if (const auto rest = cvc5.line(most)) {
    return all({Answer::error, "more answers than questions: " + *rest});
  }
  if (const std::string end = cvc5.wait(); !end.empty()) {
    return all({Answer::error, fmt::format("{} ended with {}", limits.cvc5, end)});
  }
  return answers;
}

}  // namespace bankproof::proofs
