// Finds invariants by induction; see invariants.hpp.
#include "invariants.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "../claims/threads.hpp"
#include "../solving/decide.hpp"

namespace bankproof::symbolic {

namespace {

/// Loops make no more iterations, if this can be shown: a counter of 32 bits, and one of 64.
constexpr std::uint64_t many_iterations = std::uint64_t{1} << 33;
constexpr std::uint64_t most_iterations = std::uint64_t{1} << 40;

/// An induction asks about few numbers, and either follows at once or does not.
constexpr Effort little{.integers_ms = 60, .bits_ms = 0, .tries_bits = false};

class Induction {
 public:
  /// `given` holds, too.
  Induction(Subject& subject, const LoopInstance& loop, std::vector<Term> given)
      : subject_(subject),
        pool_(subject.pool),
        loop_(loop),
        given_(std::move(given)),
        next_(pool_),
        before_(pool_),
        first_(pool_) {
    const Term one = pool_.constant(1, 64);
    next_.put(loop.counter, pool_.add(loop.counter, one));
    before_.put(loop.counter, pool_.subtract(loop.counter, one));
    first_.put(loop.counter, pool_.constant(0, 64));
  }

  struct Proved {
    std::vector<Term> invariants{};
    std::vector<Excluded> excluded{};
    bool all_hold = false;  // all candidates
  };

  /// From now on, invariants are looked for of this register, which follows no rule.
  void add(const LoopInstance::Open& open) {
    next_.put(open.value, open.next);
    first_.put(open.value, open.start);
    open_.push_back(open);
  }

  /// The candidates that hold, and what was excluded to show it.
  Proved proved() {
    std::vector<Term> candidates = all_candidates();
    for (const LoopInstance::Open& one : open_) add_open(one, candidates);
    Proved plain = proved_of(candidates);
    const Term bound = is_at_most(most_iterations);
    const bool has_bound = std::find(plain.invariants.begin(), plain.invariants.end(), bound) !=
                           plain.invariants.end();
    if (has_bound) return plain;
    std::vector<Term> with_ends = candidates;
    add_ends(with_ends);
    return with_ends.size() == candidates.size() ? plain : proved_of(std::move(with_ends));
  }

 private:
  Proved proved_of(std::vector<Term> candidates) {
    std::vector<Excluded> excluded;
    const std::size_t count = candidates.size();
    for (bool all_follow = false; !all_follow;) {
      all_follow = true;
      excluded.clear();
      std::vector<Term> kept;
      std::vector<std::vector<Term>> steps;
      steps.reserve(candidates.size());
      for (const Term candidate : candidates) steps.push_back(step(candidates, candidate));
      std::vector<Decided> decided = decide_all(pool_, steps, little);
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        if (decided[k].kind == Decided::Kind::never) {
          kept.push_back(candidates[k]);
          excluded.push_back(std::move(decided[k].excluded));
        } else {
          all_follow = false;
        }
      }
      candidates = std::move(kept);
    }
    for (const auto& [candidate, shown] : begun_) {
      if (std::find(candidates.begin(), candidates.end(), candidate) != candidates.end()) {
        excluded.push_back(shown);
      }
    }
    const bool all_hold = candidates.size() == count;
    return {std::move(candidates), std::move(excluded), all_hold};
  }

  Term is_at_most(std::uint64_t iterations) {
    return pool_.at_most(loop_.counter, pool_.constant(iterations, 64), false);
  }

  /// Each holds for k = 0: as it is written, or because that is shown.
  std::vector<Term> all_candidates() {
    const Term k = loop_.counter;
    std::vector<Term> all;
    for (const std::uint64_t most : {many_iterations, most_iterations}) {
      all.push_back(is_at_most(most));
    }
    for (const LoopInstance::Counted& one : loop_.counted) {
      const Term step = pool_.subtract(next_(one.form), one.form);
      if (one.form == one.start || has_counter(step)) continue;
      const unsigned width = pool_.width(one.form);
      if (width == 32) {
        const Term grown = pool_.multiply(k, pool_.sign_extended(step, 64));
        for (const bool is_signed : {true, false}) {
          all.push_back(pool_.equal(pool_.resized(one.form, 64, is_signed),
                                    pool_.add(pool_.resized(one.start, 64, is_signed), grown)));
        }
      } else if (width == 64) {
        all.push_back(pool_.at_most(one.start, one.form, false));
        all.push_back(pool_.at_most(one.start, one.form, true));
        all.push_back(pool_.at_most(one.form, one.start, true));
        all.push_back(pool_.equal(pool_.high_product(k, step, false), pool_.constant(0, 64)));
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::erase_if(all, [&](Term one) { return pool_.is_constant(one); });
    return all;
  }

  /// It stays on one side of where it starts, or does not become negative.
  void add_open(const LoopInstance::Open& open, std::vector<Term>& all) {
    const Term zero = pool_.constant(0, pool_.width(open.value));
    for (const Term one :
         {pool_.at_most(zero, open.value, true), pool_.at_most(open.value, open.start, true),
          pool_.at_most(open.start, open.value, true),
          pool_.at_most(open.value, open.start, false)}) {
      const bool is_known = std::find(all.begin(), all.end(), one) != all.end();
      if (is_known || pool_.is_constant(one)) continue;
      if (pool_.is_constant(first_(one), 1) || begins(one)) all.push_back(one);
    }
  }

  /// Of a loop that goes on while a counter is not at its end, as compilers write them: the counter
  /// comes from below the end, or from above.
  void add_ends(std::vector<Term>& all) {
    for (const Term part : loop_.went_on) {
      const Node negated = pool_.node(part);
      if (negated.op != Operator::negation) continue;
      const Node equal = pool_.node(negated.operands[0]);
      if (equal.op != Operator::equal) continue;
      for (const bool is_swapped : {false, true}) {
        const Term counter = equal.operands[is_swapped ? 1 : 0];
        const Term end = equal.operands[is_swapped ? 0 : 1];
        if (!is_counted(counter) || has_counter(end)) continue;
        const Term now = before_(counter);
        for (const bool is_signed : {false, true}) {
          for (const Term one :
               {pool_.below(now, end, is_signed), pool_.below(end, now, is_signed)}) {
            if (begins(one)) all.push_back(one);
          }
        }
      }
    }
  }

  /// Whether a candidate holds in the first iteration.
  bool begins(Term candidate) {
    std::vector<Term> statements = loop_.entered;
    statements.push_back(pool_.negation(first_(candidate)));
    const Decided decided = decide(pool_, of_any_thread(statements), little);
    if (decided.kind != Decided::Kind::never) return false;
    begun_.emplace(candidate, decided.excluded);
    return true;
  }

  bool has_counter(Term term) const {
    bool has = false;
    std::unordered_map<Term, bool> met;
    each_unknown(pool_, term, met, [&](Term unknown) { has = has || unknown >= loop_.counter; });
    return has;
  }

  /// Whether the counter is all in it that belongs to an iteration.
  bool is_counted(Term term) const {
    bool has = false;
    bool has_others = false;
    std::unordered_map<Term, bool> met;
    each_unknown(pool_, term, met, [&](Term unknown) {
      has = has || unknown == loop_.counter;
      has_others = has_others || unknown > loop_.counter;
    });
    return has && !has_others;
  }

  /// The loop goes on after iteration k, and then the candidate does not hold.
  std::vector<Term> step(const std::vector<Term>& known, Term candidate) {
    std::vector<Term> statements = known;
    statements.insert(statements.end(), loop_.went_on.begin(), loop_.went_on.end());
    statements.insert(statements.end(), loop_.entered.begin(), loop_.entered.end());
    statements.push_back(pool_.negation(next_(candidate)));
    return of_any_thread(statements);
  }
  std::vector<Term> of_any_thread(std::vector<Term> statements) {
    statements.insert(statements.end(), given_.begin(), given_.end());
    Statements known = Threads(subject_, Which::of_one_block, 1).with_facts(statements);
    if (!given_.empty()) {
      known.asked.insert(known.asked.end(), known.within_bounds.begin(), known.within_bounds.end());
    }
    return std::move(known.asked);
  }

  Subject& subject_;
  Pool& pool_;
  const LoopInstance& loop_;
  std::vector<Term> given_;
  Substitution next_;    // iteration k + 1
  Substitution before_;  // iteration k − 1
  Substitution first_;
  std::vector<LoopInstance::Open> open_;
  std::map<Term, Excluded>
      begun_;  // what was excluded to show that it holds in the first iteration
};

/// The loops on which an address, or whether a thread comes to an access or a barrier, depends.
class Relevant {
 public:
  explicit Relevant(const Subject& subject) : pool_(subject.pool), trace_(subject.trace()) {
    loops_.resize(trace_.loops.size());
    for (const Access& one : trace_.accesses) {
      see({one.address});
      see(one.guard.parts());
      see_loop(one.loop);
    }
    for (const std::vector<Barrier>* const all :
         {&trace_.barriers, &trace_.warp_barriers, &trace_.meetings}) {
      for (const Barrier& one : *all) {
        see(one.guard.parts());
        see_loop(one.loop);
      }
    }
    for (const Trap& one : trace_.traps) see(one.guard.parts());
    for (bool has_more = true; has_more;) {
      has_more = false;
      for (std::size_t l = 0; l < loops_.size(); ++l) {
        if (loops_[l] || !is_seen(trace_.loops[l])) continue;
        see_loop(l);
        has_more = true;
      }
    }
  }

  bool operator()(std::size_t loop) const { return loops_[loop]; }
  /// The registers without a rule on which they depend, of so many bits as an index has.
  std::vector<LoopInstance::Open> open_of(std::size_t loop) const {
    std::vector<LoopInstance::Open> all = trace_.loops[loop].open;
    std::erase_if(all, [&](const LoopInstance::Open& one) {
      const unsigned width = pool_.width(one.value);
      return met_.count(one.value) == 0 || (width != 32 && width != 64);
    });
    return all;
  }

 private:
  void see(const std::vector<Term>& terms) {
    for (const Term one : terms) each_unknown(pool_, one, met_, [](Term) {});
  }
  void see_loop(std::optional<std::size_t> loop) {
    for (; loop && !loops_[*loop]; loop = trace_.loops[*loop].parent) {
      const LoopInstance& one = trace_.loops[*loop];
      loops_[*loop] = true;
      see(one.entered);
      see(one.went_on);
      for (const LoopInstance::Counted& counted : one.counted) see({counted.form, counted.start});
    }
  }
  bool is_seen(const LoopInstance& loop) const {
    const auto has = [&](Term term) { return met_.count(term) != 0; };
    return has(loop.counter) || (loop.last && has(*loop.last)) ||
           std::any_of(loop.renamed.begin(), loop.renamed.end(),
                       [&](const auto& one) { return has(one.first) || has(one.second); });
  }

  const Pool& pool_;
  const Trace& trace_;
  std::unordered_map<Term, bool> met_;
  std::vector<bool> loops_;
};

std::vector<Term> statements_of(const LoopInstance& loop) {
  std::vector<Term> all = loop.entered;
  all.insert(all.end(), loop.went_on.begin(), loop.went_on.end());
  for (const LoopInstance::Counted& one : loop.counted) all.push_back(one.form);
  return all;
}

/// The same holds under the names that things have behind this loop, and behind those around it.
void add_facts(Subject& subject, const std::vector<LoopInstance>& loops, std::size_t loop,
               const std::vector<Term>& invariants, Fact::Kind kind) {
  std::vector<Fact> facts;
  facts.reserve(invariants.size());
  for (const Term invariant : invariants) {
    facts.push_back({kind, loops[loop].counter, invariant, {}, loops[loop].entered});
  }
  for (std::optional<std::size_t> around = loop; around; around = loops[*around].parent) {
    Substitution behind(subject.pool);
    for (const auto& [inside, outside] : loops[*around].renamed) behind.put(inside, outside);
    for (std::size_t f = 0, count = facts.size(); f < count; ++f) {
      Fact fact{
          facts[f].kind, behind(facts[f].counter), behind(facts[f].term), {}, facts[f].entered};
      for (Term& part : fact.entered) part = behind(part);
      if (fact.term != facts[f].term) facts.push_back(fact);
    }
  }
  for (const Fact& fact : facts) subject.execution.add(fact);
}

}  // namespace

std::vector<Excluded> add_invariants(Subject& subject, const BoundsOf& bounds_of) {
  std::vector<Excluded> excluded;
  const std::vector<LoopInstance> loops = subject.trace().loops;
  const Relevant is_relevant(subject);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    if (!is_relevant(l)) continue;
    const auto induction = [&](const std::vector<Term>& bounds) {
      Induction made(subject, loops[l], bounds);
      for (const LoopInstance::Open& one : is_relevant.open_of(l)) made.add(one);
      return made.proved();
    };
    Induction::Proved plain = induction({});
    std::move(plain.excluded.begin(), plain.excluded.end(), std::back_inserter(excluded));
    add_facts(subject, loops, l, plain.invariants, Fact::Kind::invariant);
    if (plain.all_hold || !bounds_of) continue;
    std::set<Term> known(plain.invariants.begin(), plain.invariants.end());
    for (const std::vector<Term>& bounds : bounds_of(statements_of(loops[l]))) {
      Induction::Proved more = induction(bounds);
      std::erase_if(more.invariants, [&](Term one) { return !known.insert(one).second; });
      if (more.invariants.empty()) continue;
      std::move(more.excluded.begin(), more.excluded.end(), std::back_inserter(excluded));
      Term beyond = subject.pool.truth(false);
      for (const Term one : bounds) {
        beyond = subject.pool.either(beyond, subject.pool.negation(one));
      }
      for (Term& one : more.invariants) one = subject.pool.either(beyond, one);
      add_facts(subject, loops, l, more.invariants, Fact::Kind::bounded);
      if (more.all_hold) break;
    }
  }
  return excluded;
}

}  // namespace bankproof::symbolic
