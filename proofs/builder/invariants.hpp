// Invariants of sums. A closed form adds up over turns, levels and waves (algorithms/number.hpp);
// on terms, each of these sums is an induction on the number of its terms (sums.hpp). The proof
// states an invariant of the sum, and shows that one more term keeps the invariant true.
//
// The order decides which sum gets which invariant. Each sum of a proof takes the next invariant
// that the proof has given. A sum inside a term takes the next invariant that `step` has given, so
// `step` may use the number of the term. At the end of a term, no invariant may be left over.
// Errors and goals name the invariant.
//
// Example: a loop over n items by p threads takes ⌈n/p⌉ rounds:
//
//   q.give(OverNumbers<Rounds<IntTerm>>{
//       .name = "turns", .holds = [](const IntTerm& k, const auto& sum) { return sum.rounds <= k;
//       }});
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

/// The invariant of a sum over 0, 1, …, count − 1.
template <class Sum>
struct OverNumbers {
  static constexpr std::string_view over = "numbers";

  std::string name;
  /// The statement about the sum of the terms 0 … k − 1.
  std::function<Truth(const IntTerm& k, const Sum& sum)> holds;
  /// Proves facts before the induction, for its base.
  std::function<void()> base = nullptr;
  /// Proves facts about term k, and gives the invariants of the sums in it.
  std::function<void(const IntTerm& k)> step = nullptr;
  /// Proves facts about term k, once the sums in it are known.
  std::function<void(const IntTerm& k, const Sum& term)> after = nullptr;
};

/// The invariant of a sum over the powers of two below a number.
template <class Sum>
struct OverPowers {
  static constexpr std::string_view over = "powers of two";

  std::string name;
  /// The statement about the sum of the first k terms. The next term is the term of `power`, 2^k.
  std::function<Truth(const IntTerm& k, const IntTerm& power, const Sum& sum)> holds;
  std::function<void()> base = nullptr;                                        ///< as above
  std::function<void(const IntTerm& power)> step = nullptr;                    ///< as above
  std::function<void(const IntTerm& power, const Sum& term)> after = nullptr;  ///< as above
};

/// The invariant of a sum over a chain: a number, its successor, and so on, as long as these
/// numbers exceed 1.
template <class Sum>
struct OverChain {
  static constexpr std::string_view over = "a chain of numbers";

  std::string name;
  /// The statement about the sum of the terms before `number`.
  std::function<Truth(const IntTerm& number, const Sum& sum)> holds;
  std::function<void()> base = nullptr;                                         ///< as above
  std::function<void(const IntTerm& number)> step = nullptr;                    ///< as above
  std::function<void(const IntTerm& number, const Sum& term)> after = nullptr;  ///< as above
  /// Receives the sum of all terms, once the invariant is a fact about this sum.
  std::function<void(const Sum& all)> whole = nullptr;
};

/// Holds the invariants that no sum has taken yet: those given by the proof, and those given inside
/// each term that the proof has entered and not left.
class Invariants {
 public:
  template <class Invariant>
  void give(Invariant invariant) {
    places_.back().given.push_back(std::make_unique<Kept<Invariant>>(std::move(invariant)));
  }
  /// Returns the next invariant, for the sum that the proof has reached. Throws std::logic_error if
  /// no invariant is left, or if the next invariant is for another kind of sum.
  template <class Invariant>
  Invariant take() {
    Place& place = places_.back();
    const std::string in = place.name.empty() ? "" : ", in a term of '" + place.name + "'";
    if (place.given.empty()) {
      throw std::logic_error("a sum over " + std::string(Invariant::over) +
                             " for which no invariant is given" + in);
    }
    auto* const kept = dynamic_cast<Kept<Invariant>*>(place.given.front().get());
    if (kept == nullptr) {
      throw std::logic_error("the invariant '" + place.given.front()->name() +
                             "' is of another kind of sum than the sum over " +
                             std::string(Invariant::over) + " that takes it" + in);
    }
    Invariant taken = std::move(kept->invariant);
    place.given.pop_front();
    return taken;
  }

  /// The proof enters a term of the sum `name`, and later leaves this term.
  void enter(std::string name) { places_.push_back({std::move(name)}); }
  void leave() {
    require_all_taken();
    places_.pop_back();
  }
  /// Throws std::logic_error if an invariant is left that no sum has taken: in a term, one that was
  /// given in this term; outside all terms, one that the proof gave.
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
  template <class Invariant>
  struct Kept : Given {
    explicit Kept(Invariant given) : invariant(std::move(given)) {}
    const std::string& name() const override { return invariant.name; }

    Invariant invariant;
  };
  struct Place {
    std::string name;  ///< the sum's name; empty for the proof itself
    std::deque<std::unique_ptr<Given>> given = {};
  };

  std::deque<Place> places_ = std::deque<Place>(1);
};

}  // namespace bankproof::proofs
