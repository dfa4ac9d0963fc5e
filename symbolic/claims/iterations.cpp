// Says who comes to an iteration; see iterations.hpp.
#include "iterations.hpp"

#include <algorithm>
#include <unordered_map>

#include "../execution/substitute.hpp"
#include "warps.hpp"

namespace bankproof::symbolic {

bool do_all_go_on(const Subject& subject, const LoopInstance& loop) {
  const std::vector<Term> counters = counters_of(subject.trace());
  std::unordered_map<Term, bool> met;
  bool all = true;
  for (const Term part : loop.went_on) {
    each_unknown(subject.pool, part, met, [&](Term unknown) {
      all = all && (subject.inputs().scope(unknown) != Scope::thread ||
                    std::find(counters.begin(), counters.end(), unknown) != counters.end());
    });
  }
  return all;
}

Term leaves_before(Subject& subject, const LoopInstance& loop) {
  Pool& pool = subject.pool;
  Inputs& inputs = subject.inputs();
  const Term j = inputs.unknown(earlier_iteration, pool.width(loop.counter), Scope::thread);
  Substitution at_j(pool);
  at_j.put(loop.counter, j);
  Term goes_on = pool.truth(true);
  for (const Term part : loop.went_on) {
    std::unordered_map<Term, bool> met;
    each_unknown(pool, part, met, [&](Term unknown) {
      if (unknown <= loop.counter || inputs.scope(unknown) != Scope::thread) return;
      at_j.put(unknown, inputs.unknown(pool.name(unknown), pool.width(unknown), Scope::thread));
    });
    goes_on = pool.both(goes_on, at_j(part));
  }
  return pool.both(pool.below(j, loop.counter, false), pool.negation(goes_on));
}

}  // namespace bankproof::symbolic
