// Claims that accesses do not race; see races.hpp.
#include "races.hpp"

#include <string>

#include "intervals.hpp"
#include "simple.hpp"

namespace bankproof::proofs {
namespace {

/// Two accesses, each by any thread in any turns.
class Pair {
 public:
  Pair(const Instances& instances, const WrittenAccess& first, const WrittenAccess& second)
      : instances_(instances), first_(first), second_(second) {}

  /// Chooses the instances; the first `equal` loops are in the same turn. Returns whether there are
  /// any.
  bool choose(std::size_t equal) {
    auto a = instances_.any(first_);
    if (!a) return false;
    FormulaTerms::Places same;
    for (std::size_t k = 0; k < equal; ++k) {
      const WrittenNumber place = first_.loops.at(k).place.node()->value;
      same.insert_or_assign(place, a->places.at(place));
    }
    auto b = instances_.any(second_, std::move(same));
    if (!b) return false;
    a_ = *std::move(a);
    b_ = *std::move(b);
    return true;
  }

  void suppose(const Unseparated::Condition& one) {
    suppose(instances_.terms(one.of_second ? b_ : a_).truth(*one.truth.node()));
  }

  /// The turn of the first access comes before that of the second one.
  void suppose_order(const WrittenLoop& loop, bool adjacent) {
    const WrittenNumber place = loop.place.node()->value;
    const IntTerm& a = (loop.falls ? b_ : a_).places.at(place);
    const IntTerm& b = (loop.falls ? a_ : b_).places.at(place);
    const bool is_power = loop.form == Form::over_powers;
    const IntTerm next = is_power ? 2 * a : a + 1;
    if (loop.limit.node()->form == Form::ceiling) {
      const Written by(loop.limit.node()->parts[1]);
      instances_.q.compare_multiples(term(a_, by), a, b);
    }
    // The next power of two is twice as great.
    suppose(adjacent ? b == next : b >= next);
  }

  void suppose_other_block(const WrittenBlocks& blocks) {
    suppose(term(a_, blocks.block) != term(b_, blocks.block));
    compare(blocks.block, blocks.block);
  }
  /// Threads of different warps are different threads, and one of them is not in warp 0.
  void suppose_other_warp(const Written& width) {
    const IntTerm a = term(a_, a_.thread);
    const IntTerm b = term(b_, b_.thread);
    const IntTerm w = term(a_, width);
    suppose(a != b && (a >= w || b >= w));
    compare(a_.thread, b_.thread);
  }

  void claim_words_differ(const std::string& what) {
    const auto part = [](const WrittenAccess& access) { return access.array.part; };
    if (!is_number(part(first_), 0)) {
      suppose(term(a_, part(first_)) == term(b_, part(second_)));
    }
    for (std::size_t k = 0; k < a_.digits.size() && k < b_.digits.size(); ++k) {
      compare(a_.digits[k], b_.digits[k]);
    }
    suppose(term(a_, a_.word) == term(b_, b_.word));
    instances_.q.claim(what, !*supposed_);
  }

 private:
  void suppose(const Truth& fact) { supposed_ = supposed_ ? *supposed_ && fact : fact; }

  IntTerm term(const Instance& of, const Written& formula) const {
    return instances_.terms(of)(formula.node());
  }

  /// Products by the same factor are apart, or equal. So are those in their other factors.
  void compare(const Written& of_a, const Written& of_b) const {
    std::vector<Written> factors = factors_in(of_a);
    for (const Written& factor : factors_in(of_b)) {
      if (!times_of(of_a, factor)) factors.push_back(factor);
    }
    const auto times_in = [](const Written& sum, const Written& factor) {
      return times_of(sum, factor).value_or(Written(0));
    };
    for (const Written& factor : factors) {
      const Written times_a = times_in(of_a, factor);
      const Written times_b = times_in(of_b, factor);
      compare_products(term(a_, factor), term(a_, times_a), term(b_, times_b));
      compare(times_a, times_b);
      // Another factor may be the same number.
      for (const Written& other : factors) {
        if (times_of(of_b, factor) || times_of(of_a, other)) continue;
        const IntTerm a = term(a_, times_a);
        instances_.q.multiply_equals(a, term(a_, factor), term(b_, other));
        compare_products(term(b_, other), a, term(b_, times_in(of_b, other)));
      }
    }
  }
  void compare_products(const IntTerm& factor, const IntTerm& a, const IntTerm& b) const {
    if (factor.constant()) return;
    instances_.q.compare_multiples(factor, a, b);
    instances_.q.compare_multiples(factor, 0, a);
    instances_.q.compare_multiples(factor, 0, b);
  }

  const Instances& instances_;
  const WrittenAccess& first_;
  const WrittenAccess& second_;
  Instance a_{};
  Instance b_{};
  std::optional<Truth> supposed_{};  ///< of a race
};

bool may_race(const WrittenAccess& a, const WrittenAccess& b) {
  return a.array.number == b.array.number && (a.writes || b.writes);
}

std::string in_words(const WrittenAccess& access) {
  return (access.writes ? "write " : "read ") + std::to_string(access.number);
}

void claim_in_block(const Instances& instances, const WrittenRun& run, const WrittenAccess& first,
                    const WrittenAccess& second) {
  for (const TurnsOfPair& turns : turns_of_pair(run, first, second)) {
    const auto together = unseparated(run, first, second, turns);
    if (!together) continue;
    if (!first.knows_thread || !second.knows_thread) {
      refuse("may race for words of threads that are not known");
    }
    const Query::Scope scope(instances.q);
    Pair pair(instances, first, second);
    if (!pair.choose(turns.equal)) continue;
    if (turns.apart) pair.suppose_order(first.loops.at(turns.equal), together->adjacent);
    for (const Unseparated::Condition& one : together->conditions) {
      pair.suppose(one);
    }
    pair.suppose_other_warp(run.width);
    pair.claim_words_differ(
        in_words(first) + (turns.apart ? " in an earlier turn than " : " and ") + in_words(second));
  }
}

void claim_between_blocks(const Instances& instances, const WrittenRun& run,
                          const WrittenAccess& first, const WrittenAccess& second) {
  if (!first.knows_thread || !second.knows_thread) refuse("may race for words of unknown blocks");
  const Query::Scope scope(instances.q);
  Pair pair(instances, first, second);
  if (!pair.choose(0)) return;
  pair.suppose_other_block(run.blocks);
  pair.claim_words_differ(in_words(first) + " and " + in_words(second) + " of another block");
}

}  // namespace

void claim_no_races(const Instances& instances, const WrittenRun& run) {
  for (const WrittenAccess& first : run.accesses) {
    for (const WrittenAccess& second : run.accesses) {
      if (!may_race(first, second)) continue;
      claim_in_block(instances, run, first, second);
      const bool between_blocks = run.blocks.loops > 0 && !first.array.shared;
      if (between_blocks && first.number <= second.number) {
        claim_between_blocks(instances, run, first, second);
      }
    }
  }
}

}  // namespace bankproof::proofs
