// From options to a question (proofs/formulas/question.hpp), and from answers to the exit code.
#include "layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "../../algorithms/typed.hpp"
#include "../../proofs/formulas/parser.hpp"
#include "../../proofs/formulas/portfolio.hpp"
#include "../errors.hpp"
#include "../machine_argument.hpp"
#include "../numbers.hpp"
#include "../output.hpp"
#include "../progress.hpp"
#include "../report/memory_choice.hpp"
#include "layout_report.hpp"

namespace bankproof::cli {
namespace {

using formulas::Answer;
using formulas::Formula;
using formulas::Parsed;
using formulas::Question;
using formulas::Scope;
using formulas::Variable;
using formulas::Verdict;

Parsed parsed(const std::string& option, const std::string& text, const Scope& scope) {
  try {
    return {text, formulas::parse(text, scope)};
  } catch (const formulas::ParseError& error) {
    throw UsageError(fmt::format("{}, column {}: {}", option, error.at() + 1, error.what()),
                     formulas::pointing_at(error.text(), error.at()));
  }
}

/// NAME=REST; the name is a new one.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text,
                                          const std::string& rest, const Scope& scope) {
  const auto fail = [&](const std::string& why) -> UsageError {
    return {fmt::format("{} {}: {}", option, in_quotes(text), why), ""};
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw fail("expected NAME=" + rest);
  const std::string name = text.substr(0, equals);
  if (!formulas::is_name(name)) {
    throw fail(in_quotes(name, 32) + " is no name; names have letters, digits and _");
  }
  if (name == "i") throw fail("i is the thread; take another name");
  const auto is_it = [&](const auto& known) { return known == name; };
  if (std::ranges::any_of(scope.inputs, is_it) ||
      std::ranges::any_of(scope.lets, is_it, &formulas::Let::name)) {
    throw fail("the name is taken already");
  }
  return {name, text.substr(equals + 1)};
}

/// A value of a range: an expression without names.
std::uint32_t constant(const std::string& option, const std::string& text) {
  const Formula formula(Scope{}, parsed(option, text, Scope{}));
  const formulas::Outcome outcome = formula({});
  if (outcome.is_defined()) return outcome.value;
  throw UsageError(fmt::format("{}, column {}: has no value", option, *outcome.undefined_at + 1),
                   formulas::pointing_at(text, *outcome.undefined_at));
}

/// NAME=FIRST..LAST
Variable variable(const std::string& text, const Scope& scope) {
  const auto [name, range] = named("--for", text, "FIRST..LAST", scope);
  const std::size_t dots = range.find("..");
  if (dots == std::string::npos) {
    throw UsageError(fmt::format("--for {}: expected {}=FIRST..LAST", in_quotes(text), name));
  }
  const std::string option = "--for " + name;
  Variable result{name, constant(option, range.substr(0, dots)),
                  constant(option, range.substr(dots + 2))};
  if (result.first > result.last) {
    throw UsageError(fmt::format("--for {}: the range is empty, {} is above {}", in_quotes(text),
                                 result.first, result.last));
  }
  return result;
}

/// Which formulas go together.
void require_sense(const LayoutOptions& options) {
  const bool has_access = !options.source.empty() || !options.destination.empty();
  if (options.address.empty() && !has_access) {
    throw UsageError("there is nothing to prove: --source, --destination or --address is missing");
  }
  if (!options.address.empty() && has_access) {
    throw UsageError(
        "--address is an access by itself; it goes with neither --source nor --destination");
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
  for (const std::string& range : options.ranges) {
    question.variables.push_back(variable(range, scope));
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

int exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return exit_clean;
    case Verdict::refuted:
      return exit_finding;
    case Verdict::unknown:
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
  Progress progress;
  const std::vector<Answer> answers = formulas::decide(
      question, {},
      [&](const formulas::Property& property) { progress.begin(property.name(question)); });
  progress.end();
  const LayoutReport report{question, memory, answers};
  write_output(options.output,
               options.format == "json" ? layout_as_json(report) : layout_as_text(report));
  return exit_code_of(report.decisive() == nullptr ? Verdict::proved : report.decisive()->verdict);
}

}  // namespace bankproof::cli
