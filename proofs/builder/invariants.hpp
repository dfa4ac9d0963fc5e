// Invariants of sums. A closed form adds up over turns, levels and waves (algorithms/number.hpp).
// On terms, each of these sums becomes an induction on the number of terms (sums.hpp): the proof
// states an invariant of the sum, and shows that one more term keeps the invariant true.
//
// The order decides which sum gets which invariant. Each sum of a proof takes the next invariant
// that the proof has given. A sum inside a term takes the next invariant that `step` has given, so
// `step` may use the number of the term. Before a term ends, its sums must have taken all
// invariants that `step` has given. Errors and goals name the invariant.
//
// Example: a loop over n items by p threads takes ⌈n/p⌉ rounds:
//
//   q.give(OverNumbers<Rounds<IntTerm>>("turns").holds(
//       [](auto& k, auto& sum) { return sum.rounds <= k; }));
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "terms.hpp"

namespace bankproof::proofs {

/// What all invariants share. `Place` is the list of numbers that say which term of the sum comes
/// next.
template <class Self, class Sum, class Term, class... Place>
class Invariant {
 public:
  explicit Invariant(std::string name) : name_(std::move(name)) {}

  /// Sets the statement about the sum of all terms before `place`.
  Self& holds(std::function<Truth(const Place&..., const Sum& sum)> statement) {
    holds_ = std::move(statement);
    return self();
  }
  /// `prove` proves facts for the base of the induction.
  Self& base(std::function<void()> prove) {
    base_ = std::move(prove);
    return self();
  }
  /// `prove` proves facts about a term, and gives the invariants of the sums in this term.
  Self& step(std::function<void(const Term& term)> prove) {
    step_ = std::move(prove);
    return self();
  }
  /// `prove` proves facts about a term once the sums in the term are known. The term adds `added`
  /// to the sum.
  Self& after(std::function<void(const Term& term, const Sum& added)> prove) {
    after_ = std::move(prove);
    return self();
  }

  const std::string& name() const { return name_; }
  Truth statement(const Place&... place, const Sum& sum) const { return holds_(place..., sum); }
  void prove_base() const {
    if (base_) base_();
  }
  void prove_step(const Term& term) const {
    if (step_) step_(term);
  }
  void prove_after(const Term& term, const Sum& added) const {
    if (after_) after_(term, added);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  std::string name_;
  std::function<Truth(const Place&..., const Sum&)> holds_;
  std::function<void()> base_;
  std::function<void(const Term&)> step_;
  std::function<void(const Term&, const Sum&)> after_;
};

/// The invariant of a sum over 0, 1, …, count − 1: holds(k, sum) is about the terms 0 … k − 1; term
/// k comes next.
template <class Sum>
struct OverNumbers : Invariant<OverNumbers<Sum>, Sum, IntTerm, IntTerm> {
  static constexpr std::string_view over = "numbers";
  using OverNumbers::Invariant::Invariant;
};

/// The invariant of a sum over the powers of two below a number: holds(k, power, sum) is about the
/// first k terms; the next term is that of `power`, which is 2^k.
template <class Sum>
struct OverPowers : Invariant<OverPowers<Sum>, Sum, IntTerm, IntTerm, IntTerm> {
  static constexpr std::string_view over = "powers of two";
  using OverPowers::Invariant::Invariant;
};

/// The invariant of a sum over a chain: a number, its successor, and so on, as long as these
/// numbers exceed 1. holds(number, sum) is about the terms before `number`.
template <class Sum>
struct OverChain : Invariant<OverChain<Sum>, Sum, IntTerm, IntTerm> {
  static constexpr std::string_view over = "a chain of numbers";
  using OverChain::Invariant::Invariant;

  /// Receives the sum of all terms, once the invariant is a fact about this sum.
  OverChain& whole(std::function<void(const Sum& all)> use) {
    whole_ = std::move(use);
    return *this;
  }
  void use_whole(const Sum& all) const {
    if (whole_) whole_(all);
  }

 private:
  std::function<void(const Sum&)> whole_;
};

/// Holds the invariants that no sum has taken yet: those given by the proof, and those given inside
/// each term that the proof has entered and not left.
class Invariants {
 public:
  template <class Over>
  void give(Over invariant) {
    places_.back().given.push_back(std::make_unique<Kept<Over>>(std::move(invariant)));
  }
  /// Returns the next invariant, for the sum that the proof has reached. Throws std::logic_error if
  /// no invariant is left, or if the next invariant is for another kind of sum.
  template <class Over>
  Over take() {
    Place& place = places_.back();
    const std::string in = place.name.empty() ? "" : ", in a term of '" + place.name + "'";
    if (place.given.empty()) {
      throw std::logic_error("a sum over " + std::string(Over::over) +
                             " for which no invariant is given" + in);
    }
    auto* const kept = dynamic_cast<Kept<Over>*>(place.given.front().get());
    if (kept == nullptr) {
      throw std::logic_error("the invariant '" + place.given.front()->name() +
                             "' is of another kind of sum than the sum over " +
                             std::string(Over::over) + " that takes it" + in);
    }
    Over taken = std::move(kept->invariant);
    place.given.pop_front();
    return taken;
  }

  /// The proof calls enter() at the beginning of a term of the sum `name`, and leave() at its end.
  void enter(std::string name) { places_.push_back({std::move(name)}); }
  void leave() {
    require_all_taken();
    places_.pop_back();
  }
  /// Throws std::logic_error if an invariant is left that no sum has taken. Inside a term, only the
  /// invariants given in this term count; outside all terms, those given by the proof itself.
  void require_all_taken() const {
    const Place& place = places_.back();
    if (place.given.empty()) return;
    throw std::logic_error("an invariant that no sum uses: '" + place.given.front()->name() + "'" +
                           (place.name.empty() ? "" : ", in a term of '" + place.name + "'"));
  }

 private:
  struct Given {
    virtual ~Given() = default;
    virtual const std::string& name() const = 0;
  };
  template <class Over>
  struct Kept : Given {
    explicit Kept(Over given) : invariant(std::move(given)) {}
    const std::string& name() const override { return invariant.name(); }

    Over invariant;
  };
  struct Place {
    std::string name;  ///< the sum's name; empty for the proof itself
    std::deque<std::unique_ptr<Given>> given = {};
  };

  std::deque<Place> places_ = std::deque<Place>(1);
};

}  // namespace bankproof::proofs
