// The report for people: the question, a table of verdicts, and why a property fails.
#include "layout_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <variant>

#include "../../proofs/formulas/parser.hpp"
#include "../../proofs/formulas/portfolio.hpp"
#include "../report/check_report.hpp"
#include "../report/formats.hpp"
#include "../support/shown.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

using formulas::Conflict;
using formulas::Counterexample;
using formulas::Decision;
using formulas::Question;

std::string heading(const LayoutReport& report) {
  const Question& question = report.question;
  std::string text =
      fmt::format("{} in {} of {}, on {}\n", counted(question.size, "thread"),
                  counted(question.warps(), "warp"), question.width(), report.memory.description());
  const auto add = [&](std::string_view name, const std::string& formula) {
    text += fmt::format("  {:<12} {}\n", name, shown(formula));
  };
  for (const formulas::Access& access : question.accesses) add(access.name, access.formula.text());
  if (question.permutation) add("permutation", question.permutation->text());
  for (const formulas::Let& let : question.accesses.front().formula.scope().lets) {
    add("let " + let.name, let.definition.text);
  }
  for (const formulas::Variable& variable : question.variables) {
    add("for " + variable.name, fmt::format("{}..{}", variable.first, variable.last));
  }
  return text;
}

std::string solvers_of(const Decision& decision) {
  if (decision.solvers.empty()) return "";
  if (decision.solvers.size() == 1) return "Z3 only";
  return "Z3, cvc5";
}

/// Whether Z3 has proved a property that cvc5 has not proved.
bool by_first_alone(const LayoutReport& report) {
  return std::ranges::any_of(report.decisions,
                             [](const Decision& decision) { return !decision.second.empty(); });
}

std::string table(const LayoutReport& report) {
  std::string text = fmt::format("  {:<26} {:<9} {:<11} {:<9} {:>7}\n", "property", "verdict",
                                 "method", "solvers", "seconds");
  for (const Decision& decision : report.decisions) {
    text += fmt::format("  {:<26} {:<9} {:<11} {:<9} {:>7.2f}\n",
                        decision.property.name(report.question), name_of(decision.verdict),
                        decision.method ? name_of(*decision.method) : "", solvers_of(decision),
                        decision.seconds);
  }
  if (by_first_alone(report)) text += "\n";
  for (const Decision& decision : report.decisions) {
    if (decision.second.empty()) continue;
    text += fmt::format("cvc5 does not prove {}: {}\n", decision.property.name(report.question),
                        shown(decision.second));
  }
  return text;
}

/// For example ", with row = 3,"; empty without variables.
std::string variables_of(const Counterexample& counterexample, const Question& question) {
  std::string text;
  for (std::size_t k = 0; k < question.variables.size(); ++k) {
    text += fmt::format("{} {} = {}", text.empty() ? ", with" : ",", question.variables[k].name,
                        counterexample.variables[k]);
  }
  return text.empty() ? "" : text + ",";
}

class Explanation {
 public:
  Explanation(const LayoutReport& report, const Decision& decision)
      : report_(report), counterexample_(*decision.counterexample), decision_(decision) {}

  std::string text() const { return std::visit(*this, counterexample_.failure); }

  std::string operator()(const formulas::NoValue& e) const {
    const formulas::Undefined& where = e.where;
    return fmt::format("The {} has no value for i = {}{} because of {}{}{}, column {}.\n{}",
                       e.formula, e.input, variables_of(counterexample_, question()),
                       where.in->text[where.at] == '%' ? "the " : "", what_is_undefined(where),
                       where.name.empty() ? "" : " in let " + where.name, where.at + 1,
                       formulas::pointing_at(where.in->text, where.at));
  }
  std::string operator()(const formulas::OutOfRange& e) const {
    return fmt::format("The {} of thread {} is {}, which is not below the size {}.\n", access(),
                       e.thread, e.value, question().size);
  }
  std::string operator()(const formulas::Repeated& e) const {
    return fmt::format("The {} of threads {} and {} is {}.\n", access(), e.first, e.second,
                       e.value);
  }
  std::string operator()(const formulas::Mismatch& e) const {
    return fmt::format(
        "Thread {0}: source({0}) = {1}, permutation({1}) = {2}, destination({0}) = {3}.\n",
        e.thread, e.source, e.permuted, e.destination);
  }
  std::string operator()(const Conflict& e) const {
    const ConflictView view = view_of(e, report_);
    const MemoryChoice& memory = report_.memory;
    const bool groups = conflicts_in_groups(memory.rule);
    std::string text = fmt::format(
        "Warp {}{} takes {} where {} allowed: {}.\n", e.warp,
        variables_of(counterexample_, question()), counted(e.stages, memory.unit()),
        question().max_stages == 1 ? "1 is" : fmt::format("{} are", question().max_stages),
        reason(memory, view.lanes));
    if (view.pair) {
      const auto& [a, b] = *view.pair;
      const std::string_view place = memory.is_chip() && groups ? "line"
                                     : groups                   ? "group"
                                                                : "bank";
      text += fmt::format("Thread {} touches {}, thread {} touches {}, ", a.index, a.element,
                          b.index, b.element);
      text += view.apart ? "in groups of lanes that are served one after the other.\n"
              : groups   ? fmt::format("in {}s {} and {}.\n", place, a.place.group, b.place.group)
                         : fmt::format("both in bank {}.\n", a.place.bank);
    }
    return text + fmt::format("Numbers are the threads' {}s.\n\n", memory.unit()) +
           picture_of(view.lanes, e.stages, access(), memory);
  }

 private:
  const Question& question() const { return report_.question; }
  const std::string& access() const { return question().accesses[decision_.property.access].name; }

  const LayoutReport& report_;
  const Counterexample& counterexample_;
  const Decision& decision_;
};

std::string help_for(const Decision& decision, const Question& question) {
  const bool has_powers =
      std::has_single_bit(question.width()) && std::has_single_bit(question.size);
  return fmt::format(
      "{}.\nTo help the solvers, {}use &, ^, << and >> with\npowers of two, or use +, *, / and % "
      "by constants without overflow. Or stay within\n{} combinations of thread and variables, "
      "which are then all evaluated.\n",
      shown(decision.why),
      has_powers ? "" : "choose a width and a size that are powers of two and ",
      formulas::most_evaluated);
}

std::string proved(const LayoutReport& report) {
  const Question& question = report.question;
  std::string text = fmt::format(
      "Proved{} for {}{}: ", by_first_alone(report) ? " by Z3 alone" : "",
      question.size == 1 ? "the one thread" : fmt::format("all {} threads", question.size),
      question.variables.empty() ? "" : " and all values of variables");
  if (question.permutations) {
    text += fmt::format("{} of 0 … {}, ",
                        question.accesses.size() == 1 ? "it is a permutation" : "permutations",
                        question.size - 1);
  }
  if (question.permutation) text += "permutation(source) is destination, ";
  return text + fmt::format("no warp takes more than {}.\n",
                            counted(question.max_stages, report.memory.unit()));
}

std::string conclusion(const LayoutReport& report) {
  const Decision* const decisive = report.decisive();
  if (decisive == nullptr) {
    return proved(report);
  }
  const std::string name = decisive->property.name(report.question);
  if (decisive->verdict == formulas::Verdict::unknown)
    return "Unknown: " + name + ".\n" + help_for(*decisive, report.question);
  return "Refuted: " + name + ".\n" + Explanation(report, *decisive).text();
}

}  // namespace

const Decision* LayoutReport::decisive() const {
  for (const formulas::Verdict verdict : {formulas::Verdict::refuted, formulas::Verdict::unknown}) {
    const auto found = std::ranges::find(decisions, verdict, &Decision::verdict);
    if (found != decisions.end()) return &*found;
  }
  return nullptr;
}

ConflictView view_of(const Conflict& conflict, const LayoutReport& report) {
  const AccessRule& rule = report.memory.rule;
  const auto places = places_of(rule, conflict.elements);
  ConflictView view;
  for (std::size_t lane = 0; lane < conflict.elements.size(); ++lane) {
    view.lanes.push_back({static_cast<Width>(lane), conflict.warp * width_of(rule) + lane,
                          conflict.elements[lane], *places[lane]});
  }
  const std::vector<LaneReport> slowest = slowest_group(report.memory, view.lanes);
  view.bank = most_crowded_bank(slowest).bank;
  const auto wait = [&](const LaneReport& a, const LaneReport& b) {
    return a.place.group != b.place.group &&
           (conflicts_in_groups(rule) ||
            (a.place.bank == b.place.bank && a.place.bank == view.bank));
  };
  for (const LaneReport& a : slowest) {
    const auto b = std::ranges::find_if(slowest, [&](const auto& lane) { return wait(a, lane); });
    if (b == slowest.end()) continue;
    view.pair = {a, *b};
    return view;
  }
  const Width together = lanes_together(report.memory, view.lanes);
  view.apart = view.lanes.size() > together;
  if (view.apart) view.pair = {view.lanes.front(), view.lanes[together]};
  return view;
}

std::string what_is_undefined(const formulas::Undefined& where) {
  switch (where.in->text[where.at]) {
    case '/':
      return "division by 0";
    case '%':
      return "remainder of a division by 0";
    default:
      return "a shift by 32 or more";
  }
}

std::vector<std::string> notes_of(const LayoutReport& report) {
  const MemoryChoice& memory = report.memory;
  std::vector<std::string> notes = memory.notes;
  const std::uint64_t most = report.question.max_stages;
  if (!report.limit_is_given && most > 1) {
    notes.push_back(
        fmt::format("conflict-free means at most {}, the best case of a full warp with distinct "
                    "{}-byte elements; --max-stages sets another limit",
                    counted(most, memory.unit()), memory.element_bytes));
  }
  if (report.large) {
    notes.push_back(
        fmt::format("addresses reach {}; a result below 0 wraps around, to 2^32 plus that result",
                    *report.large));
  }
  return notes;
}

std::string layout_as_text(const LayoutReport& report) {
  std::string text = heading(report) + "\n" + table(report) + "\n";
  for (const std::string& note : notes_of(report)) text += fmt::format("Note: {}.\n", note);
  return text + conclusion(report);
}

}  // namespace bankproof::cli
