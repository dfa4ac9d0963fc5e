// The launches of 2R1W and of its recursion, on terms. The cost of a further level is a hypothesis.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "tables.hpp"

namespace bankproof::proofs {

/// The assumption about the cost of a further level of recursion. The proof gives this assumption,
/// and the launches of the further level take it, as a sum takes its invariant.
struct Hypothesis : Invariant<Hypothesis, Cost<IntTerm>, IntTerm> {
  static constexpr std::string_view over = "the launches of a further level";
  using Hypothesis::Invariant::Invariant;
};

/// The launches of one level. The launches of a further level are new numbers, and only the
/// hypothesis is known about them.
class OneLevel : public AddedUp<OneLevel, IntTerm, Cost<IntTerm>> {
 public:
  using Number = IntTerm;
  using AddedUp::AddedUp;

  template <class Of>
  void launch(Of of) {
    GlobalCost<IntTerm> one(machine_);
    one.launch(of);
    total_ += one.total();
  }
  template <class Of>
  void again(const Truth& condition, Of) {
    Query& q = machine_.w.query();
    const auto further = q.invariants().take<Hypothesis>();
    const auto beyond = fresh_sum<Cost<IntTerm>>(q);
    q.assume(implies(condition, further.statement(beyond)));
    q.assume(implies(!condition, beyond.global.stages == 0 && beyond.launches == 0));
    total_ += beyond;
  }
};

/// The depth of recursion: K(n) = 1 + K(⌈(n − 1)/w⌉) for n > w + 1, else 0.
class Depth {
 public:
  Depth(Query& q, IntTerm w) : query_(&q), w_(std::move(w)), depth_(q.function("depth")) {}

  IntTerm operator()(const IntTerm& n) const { return depth_(n); }
  void define(const IntTerm& n) const {
    const IntTerm sums = ceil_div(n - 1, w_);
    query_->assume(implies(n > w_ + 1, depth_(n) == 1 + depth_(sums)));
    query_->assume(implies(n <= w_ + 1, depth_(n) == 0));
  }
  /// Gives the invariant of the sum with which the bound counts the depth, starting from any
  /// number.
  void give() const {
    query_->give(
        OverChain<IntTerm>("levels of recursion")
            .holds([of = *this, start = std::optional<IntTerm>()](auto& n, auto& sum) mutable {
              Query& q = n.query();
              if (!start) start = n;
              of.define(n);
              q.apply(multiples_are_apart(), {of.w_, n - 1, ceil_div(n - 1, of.w_)});
              q.apply(multiples_are_apart(), {n - 1, 1, of.w_});
              return sum + of(n) == of(*start);
            }));
  }

 private:
  Query* query_;
  IntTerm w_;
  Function depth_;
};

/// Proves that the stages of step 1 of tables of sums are ≥ 0.
void prove_edges(Query& q, const TableSums& inner);

/// Gives the invariants of the launches of steps 2 and 3 of a part, whose sums are `inner`.
/// give_sums() gives the invariants of the sums down and along, and give_tables() gives the
/// invariants of step 3.
void give_finish(Query& q, const TableSums& inner, const PartOf<IntTerm>& part,
                 const Hypothesis& hypothesis, const std::function<void()>& give_sums,
                 const std::function<void()>& give_tables);

/// Gives trivial invariants for step 2.
void give_any_sums(Query& q, const TableSums& sums);

/// Whether, for a table of side × side sums with D tiles on a side, steps 2 and 3, and step 1 in
/// the launch before them, take at most 20side²/w + 4side stages, in 2 + 2K(D) launches.
Truth level_is_bounded(const TableSums& sums, const Depth& depth, const Cost<IntTerm>& cost);

/// The bound of level_is_bounded(), as a hypothesis about a further level whose table of sums is
/// `inner`.
Hypothesis hypothesis_of(const TableSums& inner, const Depth& depth);

/// Proves the step of the induction for any table that recurs: if the bound holds for the smaller
/// table of its sums, it holds for the table itself.
void prove_level(Query& q, const TableSums& of, const Depth& depth);

/// Proves a claim both with recursion and without.
template <class Claim>
void prove_with_and_without(Query& q, const PartOf<IntTerm>& part, Claim claim) {
  q.suppose(part.recursive(), claim);
  q.suppose(!part.recursive(), claim);
}

}  // namespace bankproof::proofs
