// Draws random questions, decides them by plain loops, and states the law that the methods of the
// portfolio agree with these decisions.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../../oracles/stages.hpp"
#include "../../../proofs/formulas/portfolio.hpp"
#include "../../../proofs/formulas/question.hpp"
#include "expressions.hpp"
#include "rules.hpp"

namespace bankproof::formulas {

/// The drawn parts from which a question is made.
struct Asked {
  RuleCase rule;
  std::uint64_t size = 1;
  std::vector<Drawn> accesses;  ///< one access: an address; two: a source and a destination
  std::optional<Drawn> permutation;
  std::uint32_t first = 0;  ///< start of the range of j, which addresses use
  std::uint32_t last = 0;
  std::uint64_t max_stages = 1;

  Question question() const {
    Question question;
    question.size = size;
    question.rule = rule.rule();
    question.max_stages = max_stages;
    Scope scope{{"i"}, {}};
    if (accesses.size() == 1) {
      question.variables = {{"j", first, last}};
      scope.inputs.emplace_back("j");
    }
    const auto formula = [&](const Drawn& drawn) {
      return Formula(scope, {Writer({"i", "j"})(drawn.expression), drawn.expression});
    };
    const char* const names[] = {accesses.size() == 1 ? "address" : "source", "destination"};
    for (std::size_t k = 0; k < accesses.size(); ++k) {
      question.accesses.push_back({names[k], formula(accesses[k])});
    }
    question.permutations = accesses.size() == 2;
    if (permutation) question.permutation = formula(*permutation);
    return question;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Asked& asked) {
  out << fmt::format("{} threads, at most {} stages, {}..{}, on ", asked.size, asked.max_stages,
                     asked.first, asked.last)
      << asked.rule;
  for (const Drawn& access : asked.accesses) out << "; " << access;
  if (asked.permutation) out << "; P = " << *asked.permutation;
  return out;
}

/// Decides a question by loops and sets, and by the oracle's stages where the oracle knows the
/// rule.
class PlainAnswer {
 public:
  explicit PlainAnswer(const Asked& asked) : asked_(asked), question_(asked.question()) {}

  bool holds(const Property& property) const {
    for (std::uint32_t j = asked_.first;; ++j) {
      if (!holds(property, j)) return false;
      if (j == asked_.last) return true;
    }
  }

 private:
  Outcome at(const Formula& formula, std::uint64_t i, std::uint32_t j) const {
    std::vector<std::uint32_t> inputs = {static_cast<std::uint32_t>(i)};
    if (!question_.variables.empty()) inputs.push_back(j);
    return formula(inputs);
  }
  std::vector<std::uint64_t> values(std::size_t access, std::uint32_t j) const {
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < asked_.size; ++i) {
      all.push_back(at(question_.accesses[access].formula, i, j).value);
    }
    return all;
  }

  bool holds(const Property& property, std::uint32_t j) const {
    switch (property.kind) {
      case Kind::defined:
        return is_defined(j);
      case Kind::permutation: {
        const auto all = values(property.access, j);
        return std::set(all.begin(), all.end()).size() == all.size() &&
               *std::max_element(all.begin(), all.end()) < asked_.size;
      }
      case Kind::conflict_free:
        return is_conflict_free(values(property.access, j));
      case Kind::composition:
        break;
    }
    const auto source = values(0, j);
    const auto destination = values(1, j);
    for (std::uint64_t i = 0; i < asked_.size; ++i) {
      if (at(*question_.permutation, source[i], j).value != destination[i]) return false;
    }
    return true;
  }

  bool is_defined(std::uint32_t j) const {
    for (std::uint64_t i = 0; i < asked_.size; ++i) {
      for (const Access& access : question_.accesses) {
        if (!at(access.formula, i, j).is_defined()) return false;
      }
      if (!question_.permutation) continue;
      const std::uint32_t source = at(question_.accesses[0].formula, i, j).value;
      if (!at(*question_.permutation, source, j).is_defined()) return false;
    }
    return true;
  }

  bool is_conflict_free(const std::vector<std::uint64_t>& all) const {
    const Width width = question_.width();
    AccessRule rule = question_.rule;
    for (std::size_t first = 0; first < all.size(); first += width) {
      const std::size_t lanes = std::min<std::size_t>(width, all.size() - first);
      const std::vector<Address> warp(all.begin() + static_cast<std::ptrdiff_t>(first),
                                      all.begin() + static_cast<std::ptrdiff_t>(first + lanes));
      const oracle::Addresses addresses(warp.begin(), warp.end());
      const std::uint64_t stages = !asked_.rule.is_plain() ? stages_of(rule, warp)
                                   : asked_.rule.machine == "dmm"
                                       ? oracle::dmm_stages(addresses, width).count
                                       : oracle::umm_stages(addresses, width).count;
      if (stages > asked_.max_stages) return false;
    }
    return true;
  }

  const Asked& asked_;
  Question question_;
};

/// An effort that uses this method alone, with cvc5 beside Z3 if `cvc5` names its program.
inline Effort only(Method method, const std::string& cvc5 = "") {
  Effort effort;
  effort.search = false;
  effort.words = method == Method::words;
  effort.integers = method == Method::integers;
  effort.exhaustive = method == Method::exhaustive;
  effort.solvers.cvc5 = cvc5;
  effort.solvers.z3_steps = method == Method::integers ? 200'000 : 2'000'000;
  return effort;
}

/// Asks the portfolio for one property.
struct Straight {
  static Decision decide(const Question& question, const Property& property, Method method) {
    return formulas::decide(question, property, only(method));
  }
};

/// Checks that all decisions of a method are right.
template <class Asks = Straight>
void decides_what_is_so(const Asked& asked, Method method) {
  const Question question = asked.question();
  const PlainAnswer plain(asked);
  for (const Property& property : properties_of(question)) {
    const Decision decision = Asks::decide(question, property, method);
    const bool holds = plain.holds(property);
    if (decision.verdict != Verdict::unknown) {
      RC_LOG() << property.name(question) << " by " << name_of(method) << ": "
               << name_of(decision.verdict) << '\n';
      RC_ASSERT((decision.verdict == Verdict::proved) == holds);
    }
    RC_ASSERT(method != Method::exhaustive || decision.verdict != Verdict::unknown);
    if (property.kind == Kind::defined && !holds) return;
  }
}

/// Questions with simpler formulas or fewer threads.
inline std::vector<Asked> simpler_asked(const Asked& asked) {
  std::vector<Asked> simpler;
  const auto add = [&](auto change) {
    simpler.push_back(asked);
    change(simpler.back());
  };
  if (asked.permutation) add([](Asked& a) { a.permutation.reset(); });
  if (asked.size > 1) add([](Asked& a) { a.size /= 2; });
  if (asked.size > 1) add([](Asked& a) { --a.size; });
  if (asked.last > asked.first) add([](Asked& a) { --a.last; });
  if (asked.max_stages > 1) add([](Asked& a) { --a.max_stages; });
  for (std::size_t k = 0; k < asked.accesses.size(); ++k) {
    for (const Drawn& other : simpler_drawn(asked.accesses[k])) {
      add([&](Asked& a) { a.accesses[k] = other; });
    }
  }
  if (asked.permutation) {
    for (const Drawn& other : simpler_drawn(*asked.permutation)) {
      add([&](Asked& a) { a.permutation = other; });
    }
  }
  return simpler;
}

/// Draws a question; often some of its properties hold and others do not.
inline Asked draw_asked(const RuleCase& rule, std::uint64_t seed) {
  Asked asked;
  asked.rule = rule;
  Drawing drawing(seed, 1);
  const auto bits = static_cast<unsigned>(1 + drawing.below(6));
  asked.size = drawing.below(3) > 0 ? std::uint64_t{1} << bits : 1 + drawing.below(70);
  asked.max_stages = 1 + (drawing.below(3) == 0 ? drawing.below(4) : 0);
  const auto drawn = [&](std::size_t slots) {
    Drawing parts(drawing.below(~std::uint64_t{0}), slots);
    return drawing.below(4) == 0 ? Drawn{parts.tree(1 + drawing.below(3))}
                                 : Drawn{parts.layout(bits, rule.width)};
  };
  if (drawing.below(3) == 0) {
    asked.accesses = {drawn(2)};
    asked.first = static_cast<std::uint32_t>(drawing.below(5));
    asked.last = asked.first + static_cast<std::uint32_t>(drawing.below(4));
    if (drawing.below(2) == 0) {  // the rows of a tile
      const Expression row(Binary{BinaryOperator::multiply, Expression(Name{1}),
                                  Expression(Number{drawing.number()})});
      asked.accesses = {
          Drawn{Expression(Binary{BinaryOperator::add, asked.accesses[0].expression, row})}};
    }
    return asked;
  }
  asked.accesses = {drawn(1), drawn(1)};
  if (drawing.below(2) == 0) {
    asked.permutation = drawn(1);
    if (drawing.below(2) == 0) asked.accesses[0] = Drawn{Expression(Name{0})};
    if (drawing.below(2) == 0) asked.accesses[1] = *asked.permutation;
  }
  return asked;
}

}  // namespace bankproof::formulas

namespace rc {

template <>
struct Arbitrary<bankproof::formulas::Asked> {
  static Gen<bankproof::formulas::Asked> arbitrary() {
    using bankproof::formulas::RuleCase;
    return bankproof::testing::shrinking_to(gen::exec([] {
                                              const auto rule = *gen::arbitrary<RuleCase>();
                                              return bankproof::formulas::draw_asked(
                                                  rule, *gen::arbitrary<std::uint64_t>());
                                            }),
                                            &bankproof::formulas::simpler_asked);
  }
};

}  // namespace rc
