// A proof in steps. Each step is a goal: "these facts imply this claim". The solvers decide each
// goal separately. The claim of a goal is a fact for all later steps.
//
// Sums are proved by induction. The closed forms of algorithms/ add up over turns, levels and waves
// with sum_over(), sum_over_powers() and sum_over_chain(). On terms, each call takes an invariant
// that the proof has given (invariants.hpp), and makes two goals: the invariant holds for the empty
// sum, and it still holds when one more term is added (sums.hpp). The call returns a new number.
// Only the invariant is known about this number.
//
// Example: with the invariant s ≤ k·m, a sum over n numbers below m is at most n·m.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "functions.hpp"
#include "goal.hpp"
#include "invariants.hpp"
#include "lemma.hpp"
#include "script.hpp"
#include "terms.hpp"
#include "word_term.hpp"

namespace bankproof::proofs {

/// Values of a theorem's numbers, by name.
using Values = std::map<std::string, std::uint64_t>;

class WordChecks;

class Query {
  // Witnesses. The keys are the ids of the operands, for example of a and b for ⌊a/b⌋.
  using Quotients = std::map<std::pair<unsigned, unsigned>, std::pair<IntTerm, IntTerm>>;
  using Pairs = std::map<std::pair<unsigned, unsigned>, IntTerm>;
  using Divisors = std::map<std::pair<unsigned, unsigned>, CommonDivisor>;
  using Choices = std::map<std::array<unsigned, 3>, IntTerm>;
  using Logarithms = std::map<unsigned, IntTerm>;

  /// The state that a scope saves at its beginning and restores at its end.
  struct Known {
    std::vector<Fact> facts;
    std::vector<Multiplier> multipliers;
    std::map<unsigned, FactNumber> factors;  ///< by the ids of terms known to be ≥ 0
    Quotients quotients;
    Pairs ceilings;
    std::set<unsigned> compared;  ///< ids of quotients and ceilings to compare new ones with
    Divisors divisors;
    Choices choices;
    Logarithms logarithms;
  };

 public:
  /// The numbers named in `values` are constants with these values, so that the steps of the proof
  /// become arithmetic. Counterexamples are checked in this way.
  explicit Query(Values values = {}) : values_(std::move(values)) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  z3::context& context() { return context_; }

  /// A number of the theorem, ≥ `least`. Its value in the example for the premises is `example`.
  /// Each number needs its own name, because `values` are given by name.
  IntTerm number(const std::string& name, std::uint64_t least, std::uint64_t example) {
    require_plain(name);
    if (const auto value = values_.find(name); value != values_.end()) {
      IntTerm stated = constant(value->second);
      assume(stated >= IntTerm(least));
      return stated;
    }
    IntTerm term = fresh(name, least);
    examples_.push_back((term == IntTerm(example)).expression(context_));
    keep_number(name, term.expression(context_));
    return term;
  }
  /// Several numbers of the theorem, each as number() makes it.
  struct Number {
    const char* name;
    std::uint64_t least;
    std::uint64_t example;
  };
  template <std::size_t count>
  std::array<IntTerm, count> numbers(const Number (&rows)[count]) {
    std::array<IntTerm, count> terms;
    for (std::size_t i = 0; i < count; ++i) {
      terms[i] = number(rows[i].name, rows[i].least, rows[i].example);
    }
    return terms;
  }
  /// A machine word of the theorem. Its value in the example for the premises is `example`.
  WordTerm word(const std::string& name, std::uint32_t example) {
    require_plain(name);
    if (const auto value = values_.find(name); value != values_.end()) {
      return {*this, static_cast<std::uint32_t>(value->second)};
    }
    WordTerm term(context_.bv_const(unique(name).c_str(), WordTerm::bits), *this);
    examples_.push_back((term == WordTerm(*this, example)).expression(context_));
    keep_number(name, term.expression(context_));
    return term;
  }
  /// A constant that belongs to this query, so that the solvers compute with it.
  IntTerm constant(std::uint64_t value) { return {*this, context_.int_val(value), Written(value)}; }
  /// A function of `arity` numbers.
  Function function(const std::string& name, unsigned arity = 1);
  /// As function(): all of its values are ≥ 0.
  Function counts(const std::string& name, unsigned arity = 1);
  /// A function of a machine word.
  WordFunction word_function(const std::string& name) {
    const z3::sort word = context_.bv_sort(WordTerm::bits);
    return {*this, context_.function(unique(name).c_str(), word, word)};
  }
  /// A new number ≥ `least`.
  IntTerm fresh(const std::string& name, std::uint64_t least = 0);
  /// A new number about which nothing is known.
  IntTerm unknown(const std::string& name);
  /// As fresh(): the place of a term in a sum.
  IntTerm place(const std::string& name, std::uint64_t least = 0);
  /// As fresh(): a part of a sum before a place.
  IntTerm sum_so_far(const std::string& name);

  /// A name for a term, which the solvers know as a new number.
  IntTerm define(const std::string& name, const IntTerm& term);

  /// A premise of the theorem. In a scope, it is a premise for all numbers of the scope.
  FactNumber assume(const Truth& fact) { return learn(fact, {.kind = Step::Kind::premise}); }
  /// A law of arithmetic: the solvers do not know it, but it is true of all numbers.
  struct Law {
    std::string name;
    std::vector<IntTerm> terms;
  };
  FactNumber know(const Truth& fact, const Law& law);
  /// States a goal. From then on, the claim of the goal is a fact. Outside of all scopes, it is
  /// part of what the theorem says.
  FactNumber claim(const std::string& what, const Truth& fact) {
    return pose(what, fact, Step::Kind::claim);
  }
  /// Uses a claim of a scope for other numbers, of which the proof has claimed the scope's
  /// premises.
  FactNumber assume_shown(const Truth& fact) { return learn(fact, {.kind = Step::Kind::instance}); }
  /// As claim(): a step on the way.
  FactNumber claim_step(const std::string& what, const Truth& fact) {
    return pose(what, fact, Step::Kind::goal);
  }
  /// In a scope: what is supposed of its numbers.
  FactNumber guard(const Truth& fact) { return learn(fact, {.kind = Step::Kind::guard}); }
  /// In an induction: its hypothesis.
  FactNumber suppose_so_far(const Truth& fact) {
    return learn(fact, {.kind = Step::Kind::inductive});
  }
  /// Sets the factors by which facts may be multiplied in later goals. The query states the goal
  /// that each factor is ≥ 0. It states no goal for numbers with a least value, for terms that
  /// earlier goals found to be ≥ 0, or for products of such numbers and terms.
  void multiply_by(const std::vector<IntTerm>& terms);

  /// States the goal that a term is ≥ 0, unless it is a known factor or a product of known factors.
  /// A product becomes one goal for each of its terms that is not a known factor. Returns the fact
  /// that the term is ≥ 0.
  FactNumber require_not_negative(const std::string& what, const IntTerm& term);

  /// Multiplies both sides of x ≤ y by b ≥ 0: from then on it is a fact that x ≤ y implies bx ≤ by.
  /// In contrast, multiply_by() multiplies all facts. The query states the goal b ≥ 0, unless b is
  /// a product of factors.
  void scale(const IntTerm& b, const IntTerm& x, const IntTerm& y);

  /// The lemma, applied to these terms, is a fact from then on.
  void apply(const Lemma& lemma, const Lemma::Terms& terms);

  /// Under the premise, `steps` prove the claim that they return. From then on, it is a fact that
  /// the premise implies this claim.
  template <class Steps>
  void suppose(const Truth& premise, Steps steps) {
    Step step{.kind = Step::Kind::suppose};
    const auto conclusion = [&] {
      const Scope scope(*this, step);
      learn(premise, {.kind = Step::Kind::guard});
      Truth shown = steps();
      step.shown = pose("under this premise", shown, Step::Kind::goal);
      return shown;
    }();
    learn(implies(premise, conclusion), std::move(step));
  }

  /// `steps` assume nothing, and prove the claim that they return. Afterwards only this claim stays
  /// a fact; the other facts found in `steps` are dropped. This keeps later goals small.
  template <class Steps>
  void conclude(const std::string& what, Steps steps) {
    const auto known = static_cast<std::ptrdiff_t>(known_.facts.size());
    const std::vector<Multiplier> multipliers = known_.multipliers;
    const std::set<unsigned> compared = known_.compared;
    const Truth shown = steps();
    const FactNumber fact = pose(what, shown, Step::Kind::claim);
    known_.facts.erase(known_.facts.begin() + known, known_.facts.end());
    known_.multipliers = multipliers;
    known_.compared = compared;
    known_.facts.push_back({shown.expression(context_), fact});
  }

  /// Sets the object that records the conditions under which operations on machine words do not
  /// overflow (checked_term.hpp). nullptr removes it.
  void record_in(WordChecks* checks) { word_checks_ = checks; }
  WordChecks& word_checks() const {
    if (word_checks_ == nullptr) throw std::logic_error("nobody records what may overflow");
    return *word_checks_;
  }

  const std::vector<Goal>& goals() const { return goals_; }
  const std::vector<Fact>& facts() const { return known_.facts; }
  /// All steps so far. Requires that no scope is open.
  const Script& script() const { return script_; }
  const std::vector<z3::expr>& examples() const { return examples_; }
  const std::map<std::string, z3::expr>& numbers() const { return numbers_; }
  /// The lemmas that the proof uses.
  const std::set<const Lemma*>& used() const { return used_; }

  /// At the end of a scope, the query forgets all that was assumed, defined or found to be ≥ 0
  /// inside the scope.
  class Scope {
   public:
    /// The steps inside become steps of `step`, which the caller keeps.
    Scope(Query& query, Step& step)
        : query_(query),
          before_(query.known_),
          outer_(std::exchange(query.open_, &step.inside)),
          has_own_numbers_(std::exchange(query.has_own_numbers_, step.kind == Step::Kind::scope)),
          numbers_(query.scope_numbers_) {}
    explicit Scope(Query& query) : Scope(query, query.open_->emplace_back(scope_step())) {}
    ~Scope() {
      query_.known_ = std::move(before_);
      query_.open_ = outer_;
      query_.has_own_numbers_ = has_own_numbers_;
      query_.scope_numbers_ = std::move(numbers_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    static Step scope_step() { return {.kind = Step::Kind::scope}; }

    Query& query_;
    Known before_;
    Script* outer_;
    bool has_own_numbers_;
    std::vector<Written> numbers_;
  };

  /// ⌊a/b⌋ and a mod b, as witnesses. Nothing is known about them if b is 0.
  std::pair<IntTerm, IntTerm> quotient(const IntTerm& a, const IntTerm& b);
  /// The greatest common divisor of positive numbers, as witnesses.
  CommonDivisor divisor(const IntTerm& a, const IntTerm& b);
  /// ⌈a/b⌉, as a witness. Nothing is known about it if b is 0.
  IntTerm ceiling(const IntTerm& a, const IntTerm& b);
  /// a if the condition holds, else b; as a witness.
  IntTerm choice(const Truth& condition, const IntTerm& a, const IntTerm& b);
  /// Adds the fact that b·x and b·y are at least b apart if x ≠ y. The query itself does this for
  /// quotients by the same number.
  void compare_multiples(const IntTerm& b, const IntTerm& x, const IntTerm& y);
  /// Multiplies both sides of an equation by the same number, which may be negative.
  void multiply_equals(const IntTerm& b, const IntTerm& x, const IntTerm& y) {
    know(implies(x == y, b * x == b * y), {"equals_times", {b, x, y}});
  }
  /// 2^k. The law 2^(k + 1) = 2·2^k is known only for exponents at which a proof doubles the power.
  IntTerm power_of_two(const IntTerm& k);
  /// States this law. Requires k ≥ 0.
  void double_power(const IntTerm& k) {
    know(implies(k >= 0, power_of_two(k + 1) == 2 * power_of_two(k)), {"powers_double", {k}});
  }
  /// ⌈log₂ n⌉ of a positive number: the least k with n ≤ 2^k. The query compares all logarithms
  /// with each other.
  IntTerm logarithm(const IntTerm& n);
  /// Proves holds(last) by induction from `first` on. The base holds(first), and the step from
  /// holds(k) to holds(k + 1), are goals. step(k) adds facts about k.
  template <class Holds>
  void induct(
      const IntTerm& first, const IntTerm& last, Holds holds,
      const std::function<void(const IntTerm&)>& step = [](const IntTerm&) {}) {
    Step induction{.kind = Step::Kind::induct};
    induction.facts = {pose("base", holds(first), Step::Kind::goal)};
    {
      const Scope scope(*this, induction);
      const IntTerm k = number_of_scope("k");
      learn(first <= k, {.kind = Step::Kind::guard});
      learn(k < last, {.kind = Step::Kind::guard});
      learn(holds(k), {.kind = Step::Kind::inductive});
      step(k);
      induction.shown = pose("step", holds(k + 1), Step::Kind::goal);
    }
    induction.terms = {first.written().node(), last.written().node()};
    learn(implies(first <= last, holds(last)), std::move(induction));
  }

  /// Gives the invariant of a sum of the proof or, inside `step` of another invariant, of a sum in
  /// the term.
  template <class Invariant>
  void give(Invariant invariant) {
    invariants_.give(std::move(invariant));
  }
  Invariants& invariants() { return invariants_; }

  // For sums.hpp: a part of a whole sum; what an induction shows; that a term is a count, and so a
  // part of the whole sum; and the number at which a chain ends.
  IntTerm new_sum(const std::string& name, const Written& formula) {
    return labelled(unknown_of(name), formula);
  }
  FactNumber learn_sum(const Truth& fact, Step step) { return learn(fact, std::move(step)); }
  FactNumber count_term(const std::string& what, const IntTerm& term);
  FactNumber know_sum(const IntTerm& sum) {
    const FactNumber is_count = know(sum >= 0, {"sum_is_count", {sum}});
    know_factor(sum, is_count);
    return is_count;
  }
  IntTerm end_of_chain(const std::string& name) { return unknown_of(name); }

 private:
  friend class Function;
  void keep_number(const std::string& name, const z3::expr& term) {
    if (!numbers_.emplace(name, term).second) {
      throw std::logic_error("two numbers are named " + name);
    }
  }
  /// Compares x with the known multiples of b.
  void compare_with_others(const IntTerm& b, const IntTerm& x);
  void know_factor(const IntTerm& term, FactNumber is_count);
  /// The facts that make a term a product of factors, or none if it is no such product.
  std::optional<std::vector<FactNumber>> factors_of(const z3::expr& e) const;
  bool is_product_of_factors(const IntTerm& term) {
    return factors_of(term.expression(context_)).has_value();
  }
  /// Numbers a fact, and records the step that found it. The solvers know the facts of learn().
  FactNumber record(const Truth& fact, Step step);
  FactNumber learn(const Truth& fact, Step step);
  FactNumber pose(const std::string& what, const Truth& fact, Step::Kind kind);
  /// States that the quotient q of a and b is ≥ 0 if a is.
  void know_quotient_is_count(const IntTerm& a, const IntTerm& b, const IntTerm& q,
                              const std::string& law);
  /// A term of this query.
  IntTerm in_query(const IntTerm& term) {
    return {*this, term.expression(context_), term.written()};
  }
  /// The term that the solvers know as the number `witness`, with its formula.
  IntTerm labelled(const IntTerm& witness, const Written& formula);
  IntTerm unknown_of(const std::string& name);
  IntTerm number_of_scope(const std::string& name);
  /// A part of a term, as it is written.
  Written written_of(const z3::expr& part) const;
  /// Names of products contain `*` (linear.hpp). If a name is used again, the query appends a dot
  /// and a count.
  static void require_plain(const std::string& name) {
    if (name.find_first_of("*. ") != std::string::npos) {
      throw std::logic_error("'" + name + "' is no name of a number");
    }
  }
  std::string unique(const std::string& name) {
    const int count = names_[name]++;
    return count == 0 ? name : name + "." + std::to_string(count);
  }

  Values values_;
  z3::context context_;
  std::map<std::string, z3::expr> numbers_;
  std::set<const Lemma*> used_;
  std::map<std::string, int> names_;
  std::vector<z3::expr> examples_;
  std::vector<Goal> goals_;
  Known known_;
  std::vector<z3::expr> kept_;           ///< keeps the expressions alive whose ids are keys
  std::map<unsigned, Written> written_;  ///< by the ids of unknowns and values of functions
  Script script_;
  Script* open_ = &script_;  ///< the steps of the innermost open scope
  FactNumber facts_ = 0;
  /// The numbers of the open scopes. Another number in these scopes may depend on them, so it is
  /// written as the value of a function; but a scope that claims something of all its numbers may
  /// have new ones.
  std::vector<Written> scope_numbers_;
  bool has_own_numbers_ = true;
  Invariants invariants_;
  WordChecks* word_checks_ = nullptr;
};

}  // namespace bankproof::proofs
