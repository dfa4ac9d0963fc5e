// A formula of the command line: its text, the names that it may use, and the --let definitions
// among these names.
//
// Example: with the names {i, row} and the let `column = i % 32`, the formula `32 * row + column`
// is a function of i and row, in this order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evaluate.hpp"
#include "expression.hpp"

namespace bankproof::formulas {

/// A text and its expression. The text is kept for messages.
struct Parsed {
  std::string text;
  Expression expression;
};

/// `name = formula`. The formula may use the inputs and the lets before this let.
struct Let {
  std::string name;
  Parsed definition;
};

/// The names that a formula may use. Slot k is the k-th input; the lets come after the inputs.
struct Scope {
  std::vector<std::string> inputs;
  std::vector<Let> lets;
  bool long_numbers = false;  ///< numbers fit 64 bits with a sign, and not only 32
};

/// The operator that has no value: its position in the formula's own text or in the text of a let.
struct Undefined {
  const Parsed* in = nullptr;
  std::string name;  ///< the let's name; empty for the formula itself
  std::size_t at = 0;
};

/// A function of the inputs. The lets that the formula uses, directly or through other lets, are
/// evaluated before the formula, like declarations before an expression. The other lets are not
/// evaluated.
class Formula {
 public:
  Formula(Scope scope, Parsed body) : scope_(std::move(scope)), body_(std::move(body)) {
    used_.assign(scope_.inputs.size() + scope_.lets.size(), false);
    mark_used(body_.expression);
    for (std::size_t k = scope_.lets.size(); k-- > 0;) {
      if (uses_let(k)) mark_used(scope_.lets[k].definition.expression);
    }
    size_ = body_.expression.size();
    for (std::size_t k = 0; k < scope_.lets.size(); ++k) {
      if (uses_let(k)) size_ += scope_.lets[k].definition.expression.size();
    }
  }

  const Scope& scope() const { return scope_; }
  const std::string& text() const { return body_.text; }
  /// Whether the formula uses input k, or let k, directly or through lets.
  bool uses_input(std::size_t k) const { return used_[k]; }
  bool uses_let(std::size_t k) const { return used_[scope_.inputs.size() + k]; }
  /// An upper bound on the number of operations of an evaluation.
  std::size_t size() const { return size_; }

  /// Calls with_let(k, expression) for each let that is used, in order, and then returns
  /// with_body(expression).
  template <class WithLet, class WithBody>
  auto in_order(WithLet with_let, WithBody with_body) const {
    for (std::size_t k = 0; k < scope_.lets.size(); ++k) {
      if (uses_let(k)) with_let(k, scope_.lets[k].definition.expression);
    }
    return with_body(body_.expression);
  }

  /// The value for these inputs. There is one input for each name.
  Outcome operator()(std::span<const std::uint32_t> inputs) const {
    return evaluate(inputs, nullptr);
  }

  /// The operator that has no value for these inputs. Requires that the formula has no value for
  /// these inputs.
  Undefined undefined(std::span<const std::uint32_t> inputs) const {
    Undefined found;
    evaluate(inputs, &found);
    return found;
  }

 private:
  Outcome evaluate(std::span<const std::uint32_t> inputs, Undefined* found) const {
    std::vector<std::uint32_t> lets(scope_.lets.size());
    const auto value_of = [&](std::size_t slot) {
      return Outcome{slot < inputs.size() ? inputs[slot] : lets[slot - inputs.size()]};
    };
    const Evaluation evaluation(value_of);
    for (std::size_t k = 0; k < scope_.lets.size(); ++k) {
      if (!uses_let(k)) continue;
      const Let& let = scope_.lets[k];
      Outcome outcome = evaluation(let.definition.expression);
      if (!outcome.is_defined()) {
        if (found != nullptr) *found = {&let.definition, let.name, *outcome.undefined_at};
        return outcome;
      }
      lets[k] = outcome.value;
    }
    Outcome outcome = evaluation(body_.expression);
    if (!outcome.is_defined() && found != nullptr) *found = {&body_, "", *outcome.undefined_at};
    return outcome;
  }

  void mark_used(const Expression& expression) {
    expression.visit([this](const auto& e) { mark(e); });
  }
  void mark(const Number&) {}
  void mark(const Name& name) { used_[name.slot] = true; }
  void mark(const Unary& e) { mark_used(e.operand); }
  void mark(const Binary& e) {
    mark_used(e.left);
    mark_used(e.right);
  }
  void mark(const Conditional& e) {
    mark_used(e.condition);
    mark_used(e.then);
    mark_used(e.otherwise);
  }

  Scope scope_;
  Parsed body_;
  std::vector<bool> used_;  ///< whether each slot is used
  std::size_t size_ = 0;
};

}  // namespace bankproof::formulas
