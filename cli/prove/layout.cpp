// Turns options into a question (proofs/formulas/question.hpp), and decisions into the exit code.
#include "layout.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "../../proofs/formulas/parser.hpp"
#include "../../proofs/formulas/portfolio.hpp"
#include "../../proofs/solvers/solvers.hpp"
#include "../../text/typed.hpp"
#include "../report/memory_choice.hpp"
#include "../support/errors.hpp"
#include "../support/machine_argument.hpp"
#include "../support/numbers.hpp"
#include "../support/output.hpp"
#include "../support/progress.hpp"
#include "layout_report.hpp"

namespace bankproof::cli {
namespace {

using formulas::Decision;
using formulas::Formula;
using formulas::Parsed;
using formulas::Question;
using formulas::Scope;
using formulas::Variable;

Parsed parsed(const std::string& option, const std::string& text, const Scope& scope) {
  try {
    return {text, formulas::parse(text, scope)};
  } catch (const formulas::ParseError& error) {
    throw UsageError(fmt::format("{}, column {}: {}", option, error.at() + 1, error.what()),
                     formulas::pointing_at(error.text(), error.at()));
  }
}

/// Splits NAME=REST; the name must be new.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text,
                                          const std::string& rest, const Scope& scope) {
  const auto fail = [&](const std::string& why) -> UsageError {
    return {fmt::format("{} {}: {}", option, in_quotes(text), why), ""};
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw fail("expected NAME=" + rest);
  const std::string name = text.substr(0, equals);
  if (!formulas::is_name(name)) {
    throw fail(in_quotes(name, 32) + " is not a name; names have letters, digits and _");
  }
  if (name == "i") throw fail("i is the thread; take another name");
  const auto is_it = [&](const auto& known) { return known == name; };
  if (std::ranges::any_of(scope.inputs, is_it) ||
      std::ranges::any_of(scope.lets, is_it, &formulas::Let::name)) {
    throw fail("the name is taken already");
  }
  return {name, text.substr(equals + 1)};
}

/// A bound of a range: the value of an expression that uses only named constants.
std::uint32_t constant(const std::string& option, const std::string& text, const Scope& scope) {
  const Formula formula(scope, parsed(option, text, scope));
  const formulas::Outcome outcome = formula({});
  if (outcome.is_defined()) return outcome.value;
  const formulas::Undefined where = formula.undefined({});
  throw UsageError(fmt::format("{}{}, column {}: has no value", option,
                               where.name.empty() ? "" : ", let " + where.name, where.at + 1),
                   formulas::pointing_at(where.in->text, where.at));
}

/// Parses NAME=FIRST..LAST; the bounds may use `constants`.
Variable variable(const std::string& text, const Scope& scope, const Scope& constants) {
  const auto [name, range] = named("--for", text, "FIRST..LAST", scope);
  const std::size_t dots = range.find("..");
  const std::string form = fmt::format("--for {}: expected {}=FIRST..LAST", in_quotes(text), name);
  const auto expected = [&form](const std::string& why) { return UsageError(form + why); };
  if (dots == std::string::npos) throw expected("");
  const std::string first = range.substr(0, dots);
  const std::string last = range.substr(dots + 2);
  if (first.empty()) throw expected("; FIRST is missing");
  if (last.empty()) throw expected("; LAST is missing");
  const std::string option = "--for " + name;
  Variable result{name, constant(option, first, constants), constant(option, last, constants)};
  if (result.first > result.last) {
    throw UsageError(fmt::format("--for {}: the range is empty, {} is above {}", in_quotes(text),
                                 result.first, result.last));
  }
  return result;
}

/// The constants: names whose expressions use neither the thread nor variables.
Scope constants_of(const std::vector<std::string>& lets) {
  Scope constants;
  for (const std::string& text : lets) {
    const std::size_t equals = std::min(text.find('='), text.size() - 1);
    const std::string definition = text.substr(equals + 1);
    try {
      constants.lets.push_back(
          {text.substr(0, equals), {definition, formulas::parse(definition, constants)}});
    } catch (const formulas::ParseError&) {
      continue;  // text that is no expression at all is reported later
    }
  }
  return constants;
}

/// Throws UsageError for formulas that cannot be combined, or that leave nothing to prove.
void require_sense(const LayoutOptions& options) {
  const bool has_access = !options.source.empty() || !options.destination.empty();
  if (options.address.empty() && !has_access) {
    throw UsageError("there is nothing to prove: --source, --destination or --address is missing");
  }
  if (!options.address.empty() && has_access) {
    throw UsageError(
        "--address describes a complete access; do not combine it with --source or --destination");
  }
  if (options.address.empty() && !options.ranges.empty()) {
    throw UsageError("--for is for the variables of --address");
  }
  if (options.permutation.empty()) return;
  if (options.source.empty() || options.destination.empty()) {
    throw UsageError(
        "--permutation P asks whether P(source) is destination: both have to be given");
  }
}

std::uint64_t size_of(const LayoutOptions& options, const MemoryChoice& memory) {
  const auto size = positive_number("--size", options.size);
  if (!size && options.address.empty())
    throw UsageError("--size, the number of threads, is missing");
  if (size && *size > formulas::most_threads) {
    throw UsageError(fmt::format("--size {}: at most 2^32 = {}, as i has 32 bits", *size,
                                 formulas::most_threads));
  }
  return size.value_or(memory.width());
}

Question question_of(const LayoutOptions& options, const MemoryChoice& memory) {
  require_sense(options);
  Question question;
  question.size = size_of(options, memory);
  question.rule = memory.rule;
  question.max_stages =
      positive_number("--max-stages", options.max_stages).value_or(memory.ideal_of_full_warp());
  Scope scope{{"i"}, {}};
  const Scope constants = constants_of(options.lets);
  for (const std::string& range : options.ranges) {
    question.variables.push_back(variable(range, scope, constants));
    scope.inputs.push_back(question.variables.back().name);
  }
  for (const std::string& text : options.lets) {
    const auto [name, definition] = named("--let", text, "EXPRESSION", scope);
    Parsed meaning = parsed("--let " + name, definition, scope);
    scope.lets.push_back({name, std::move(meaning)});
  }
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty())
      question.accesses.push_back({name, {scope, parsed("--" + name, text, scope)}});
  };
  add("source", options.source);
  add("destination", options.destination);
  add("address", options.address);
  question.permutations = options.address.empty();
  if (!options.permutation.empty()) {
    question.permutation.emplace(scope, parsed("--permutation", options.permutation, scope));
  }
  return question;
}

/// The names of the constants that bounds of ranges use. The ranges have been parsed before.
std::set<std::string> used_in_bounds(const LayoutOptions& options) {
  const Scope constants = constants_of(options.lets);
  std::set<std::string> used;
  for (const std::string& text : options.ranges) {
    const std::string range = text.substr(text.find('=') + 1);
    const std::size_t dots = range.find("..");
    for (const std::string& bound : {range.substr(0, dots), range.substr(dots + 2)}) {
      const Formula formula(constants, parsed("--for", bound, constants));
      for (std::size_t k = 0; k < constants.lets.size(); ++k) {
        if (formula.uses_let(k)) used.insert(constants.lets[k].name);
      }
    }
  }
  return used;
}

/// Reports, on standard error, names that were given but change nothing.
void warn_of_unused(const Question& question, const LayoutOptions& options) {
  const std::set<std::string> in_bounds = used_in_bounds(options);
  const Scope& scope = question.accesses.front().formula.scope();
  const auto any = [&](const auto& uses) {
    return std::ranges::any_of(question.accesses,
                               [&](const auto& access) { return uses(access.formula); }) ||
           (question.permutation && uses(*question.permutation));
  };
  const auto warn = [](const std::string& option, const std::string& name) {
    write_all(STDERR_FILENO, fmt::format("bankproof: note: {} {} is not used\n", option, name));
  };
  for (std::size_t k = 0; k < scope.lets.size(); ++k) {
    const std::string& name = scope.lets[k].name;
    if (in_bounds.contains(name)) continue;
    if (!any([k](const Formula& formula) { return formula.uses_let(k); })) warn("--let", name);
  }
  for (std::size_t k = 0; k < question.variables.size(); ++k) {
    if (any([k](const Formula& formula) { return formula.uses_input(k + 1); })) continue;
    warn("--for", question.variables[k].name);
  }
}

std::vector<Decision> decisions_on(const Question& question) {
  Progress progress;
  try {
    return formulas::decide(question, {}, [&](const formulas::Property& property) {
      progress.begin(property.name(question));
    });
  } catch (const proofs::SolverError& error) {
    throw InputError(error.what());
  }
}

int exit_code_of_layout(formulas::Verdict verdict) {
  switch (verdict) {
    case formulas::Verdict::proved:
      return exit_clean;
    case formulas::Verdict::refuted:
      return exit_finding;
    case formulas::Verdict::unknown:
    case formulas::Verdict::error:
      break;
  }
  return exit_input;
}

}  // namespace

int prove_layout(const LayoutOptions& options) {
  const MemoryChoice memory =
      choose_memory({parse_machine(options.machine), positive_number("--width", options.width),
                     options.memory, positive_number("--word-bytes", options.word_bytes), "prove"});
  const Question question = question_of(options, memory);
  require_writable(options.output);
  warn_of_unused(question, options);
  const std::vector<Decision> decisions = decisions_on(question);
  LayoutReport report{question, memory, decisions, !options.max_stages.empty()};
  if (!options.address.empty()) report.large = formulas::large_value(question, 0);
  write_output(options.output,
               options.format == "json" ? layout_as_json(report) : layout_as_text(report));
  return exit_code_of_layout(report.decisive() == nullptr ? formulas::Verdict::proved
                                                          : report.decisive()->verdict);
}

}  // namespace bankproof::cli
