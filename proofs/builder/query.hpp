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
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "invariants.hpp"
#include "lemma.hpp"
#include "terms.hpp"
#include "word_term.hpp"

namespace bankproof::proofs {

/// Values of a theorem's numbers, by name.
using Values = std::map<std::string, std::uint64_t>;

class WordChecks;

/// A claim and the facts that must imply it.
struct Goal {
  std::string what;
  std::vector<z3::expr> facts;
  z3::expr claim;
  /// Terms ≥ 0 by which facts may be multiplied (linear.hpp).
  std::vector<z3::expr> multipliers;
};

/// A function. The solvers know about its values only what the proof assumes.
class Function {
 public:
  Function(Query& query, z3::func_decl function) : query_(&query), function_(std::move(function)) {}

  template <class... Terms>
  IntTerm operator()(const Terms&... terms) const {
    z3::expr_vector arguments(function_.ctx());
    (arguments.push_back(IntTerm(terms).expression(function_.ctx())), ...);
    return {*query_, function_(arguments)};
  }

 private:
  Query* query_;
  z3::func_decl function_;
};

/// A function on machine words. The solvers know about its values only what the proof assumes.
class WordFunction {
 public:
  WordFunction(Query& query, z3::func_decl function)
      : query_(&query), function_(std::move(function)) {}

  WordTerm operator()(const WordTerm& i) const {
    return {function_(i.expression(function_.ctx())), *query_};
  }

 private:
  Query* query_;
  z3::func_decl function_;
};

/// The greatest common divisor g of positive numbers a and b, with its cofactors: a = g·of_a and b
/// = g·of_b. Bézout: g = a·x + b·y, where x and y may be negative.
struct CommonDivisor {
  IntTerm g;
  IntTerm of_a;
  IntTerm of_b;
  IntTerm x;
  IntTerm y;
};

class Query {
  // Witnesses. The keys are the ids of the operands, for example of a and b for ⌊a/b⌋.
  using Quotients = std::map<std::pair<unsigned, unsigned>, std::pair<IntTerm, IntTerm>>;
  using Pairs = std::map<std::pair<unsigned, unsigned>, IntTerm>;
  using Divisors = std::map<std::pair<unsigned, unsigned>, CommonDivisor>;
  using Choices = std::map<std::array<unsigned, 3>, IntTerm>;
  using Logarithms = std::map<unsigned, IntTerm>;

  /// The state that a scope saves at its beginning and restores at its end.
  struct Known {
    std::vector<z3::expr> facts;
    std::vector<z3::expr> multipliers;
    std::set<unsigned> factors;  ///< ids of terms known to be ≥ 0
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
  IntTerm constant(std::uint64_t value) { return {*this, context_.int_val(value)}; }
  /// A function of `arity` numbers.
  Function function(const std::string& name, unsigned arity = 1) {
    const z3::sort whole = context_.int_sort();
    const z3::sort_vector domain = [&] {
      z3::sort_vector sorts(context_);
      for (unsigned i = 0; i < arity; ++i) sorts.push_back(whole);
      return sorts;
    }();
    return {*this, context_.function(unique(name).c_str(), domain, whole)};
  }
  /// A function of a machine word.
  WordFunction word_function(const std::string& name) {
    const z3::sort word = context_.bv_sort(WordTerm::bits);
    return {*this, context_.function(unique(name).c_str(), word, word)};
  }
  /// A new number ≥ `least`.
  IntTerm fresh(const std::string& name, std::uint64_t least = 0) {
    IntTerm term = unknown(name);
    assume(term >= IntTerm(least));
    know_factor(term);
    return term;
  }
  /// A new number about which nothing is known.
  IntTerm unknown(const std::string& name) {
    return {*this, context_.int_const(unique(name).c_str())};
  }

  void assume(const Truth& fact) { known_.facts.push_back(fact.expression(context_)); }
  /// States a goal. From then on, the claim of the goal is a fact.
  void claim(const std::string& what, const Truth& fact) {
    goals_.push_back({what, known_.facts, fact.expression(context_), known_.multipliers});
    assume(fact);
  }
  /// Sets the factors by which facts may be multiplied in later goals. The query states the goal
  /// that each factor is ≥ 0. It states no goal for numbers with a least value, for terms that
  /// earlier goals found to be ≥ 0, or for products of such numbers and terms.
  void multiply_by(const std::vector<IntTerm>& terms) {
    known_.multipliers.clear();
    for (const IntTerm& term : terms) {
      require_not_negative("a factor is not negative", term);
      know_factor(term);
      known_.multipliers.push_back(term.expression(context_));
    }
  }

  /// States the goal that a term is ≥ 0, unless it is a known factor or a product of known factors.
  /// A product becomes one goal for each of its terms that is not a known factor.
  void require_not_negative(const std::string& what, const IntTerm& term) {
    const z3::expr e = term.expression(context_);
    if (is_product_of_factors(e)) return;
    if (e.decl().decl_kind() != Z3_OP_MUL) return claim(what, term >= 0);
    for (unsigned k = 0; k < e.num_args(); ++k) require_not_negative(what, {*this, e.arg(k)});
  }

  /// Multiplies both sides of x ≤ y by b ≥ 0: from then on it is a fact that x ≤ y implies bx ≤ by.
  /// In contrast, multiply_by() multiplies all facts. The query states the goal b ≥ 0, unless b is
  /// a product of factors.
  void scale(const IntTerm& b, const IntTerm& x, const IntTerm& y) {
    const Truth is_factor = b >= 0;
    if (is_product_of_factors(b.expression(context_))) {
      assume(is_factor);
    } else {
      claim("a factor is not negative", is_factor);
    }
    apply(multiples_are_apart(), {b, x, y});
    multiply_equals(b, x, y);
  }

  /// The lemma, applied to these terms, is a fact from then on.
  void apply(const Lemma& lemma, const Lemma::Terms& terms) {
    if (terms.size() != lemma.arity) throw std::logic_error("lemma " + lemma.name + ": its terms");
    assume(implies(lemma.premise(terms), lemma.conclusion(terms)));
    used_.insert(&lemma);
  }
  /// Under the premise, `steps` prove the claim that they return. From then on, it is a fact that
  /// the premise implies this claim.
  template <class Steps>
  void suppose(const Truth& premise, Steps steps) {
    const auto conclusion = [&] {
      const Scope scope(*this);
      assume(premise);
      Truth shown = steps();
      claim("under this premise", shown);
      return shown;
    }();
    assume(implies(premise, conclusion));
  }

  /// `steps` assume nothing, and prove the claim that they return. Afterwards only this claim stays
  /// a fact; the other facts found in `steps` are dropped. This keeps later goals small.
  template <class Steps>
  void conclude(const std::string& what, Steps steps) {
    const auto known = static_cast<std::ptrdiff_t>(known_.facts.size());
    const std::vector<z3::expr> multipliers = known_.multipliers;
    const std::set<unsigned> compared = known_.compared;
    const Truth shown = steps();
    claim(what, shown);
    known_.facts.erase(known_.facts.begin() + known, known_.facts.end());
    known_.multipliers = multipliers;
    known_.compared = compared;
    assume(shown);
  }

  /// Sets the object that records the conditions under which operations on machine words do not
  /// overflow (checked_term.hpp). nullptr removes it.
  void record_in(WordChecks* checks) { word_checks_ = checks; }
  WordChecks& word_checks() const {
    if (word_checks_ == nullptr) throw std::logic_error("nobody records what may overflow");
    return *word_checks_;
  }

  const std::vector<Goal>& goals() const { return goals_; }
  const std::vector<z3::expr>& facts() const { return known_.facts; }
  const std::vector<z3::expr>& examples() const { return examples_; }
  const std::map<std::string, z3::expr>& numbers() const { return numbers_; }
  /// The lemmas that the proof uses.
  const std::set<const Lemma*>& used() const { return used_; }

  /// At the end of a scope, the query forgets all that was assumed, defined or found to be ≥ 0
  /// inside the scope.
  class Scope {
   public:
    explicit Scope(Query& query) : query_(query), before_(query.known_) {}
    ~Scope() { query_.known_ = std::move(before_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Query& query_;
    Known before_;
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
    assume(implies(x == y, b * x == b * y));
  }
  /// 2^k. The law 2^(k + 1) = 2·2^k is known only for exponents at which a proof assumes it.
  IntTerm power_of_two(const IntTerm& k);
  /// ⌈log₂ n⌉ of a positive number: the least k with n ≤ 2^k. The query compares all logarithms
  /// with each other.
  IntTerm logarithm(const IntTerm& n);
  /// Proves holds(last) by induction from `first` on. The base holds(first), and the step from
  /// holds(k) to holds(k + 1), are goals. step(k) adds facts about k.
  template <class Holds>
  void induct(
      const IntTerm& first, const IntTerm& last, Holds holds,
      const std::function<void(const IntTerm&)>& step = [](const IntTerm&) {}) {
    claim("base", holds(first));
    {
      const Scope scope(*this);
      const IntTerm k = unknown("k");
      assume(first <= k && k < last && holds(k));
      step(k);
      claim("step", holds(k + 1));
    }
    assume(implies(first <= last, holds(last)));
  }

  /// Gives the invariant of a sum of the proof or, inside `step` of another invariant, of a sum in
  /// the term.
  template <class Invariant>
  void give(Invariant invariant) {
    invariants_.give(std::move(invariant));
  }
  Invariants& invariants() { return invariants_; }

 private:
  void keep_number(const std::string& name, const z3::expr& term) {
    if (!numbers_.emplace(name, term).second) {
      throw std::logic_error("two numbers are named " + name);
    }
  }
  /// Compares x with the known multiples of b.
  void compare_with_others(const IntTerm& b, const IntTerm& x);
  void know_factor(const IntTerm& term) {
    const z3::expr factor = term.expression(context_);
    known_.factors.insert(factor.id());
    kept_.push_back(factor);
  }
  bool is_product_of_factors(const z3::expr& e) const {
    if (known_.factors.contains(e.id())) return true;
    if (e.decl().decl_kind() != Z3_OP_MUL) return false;
    for (unsigned k = 0; k < e.num_args(); ++k) {
      if (!is_product_of_factors(e.arg(k))) return false;
    }
    return true;
  }
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
  std::vector<z3::expr> kept_;  ///< keeps the expressions alive whose ids are keys
  Invariants invariants_;
  WordChecks* word_checks_ = nullptr;
};

}  // namespace bankproof::proofs
