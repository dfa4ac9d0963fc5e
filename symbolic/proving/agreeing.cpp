// Looks for loads; see agreeing.hpp.
#include "agreeing.hpp"

#include <unordered_map>
#include <vector>

#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

std::map<Term, Load> agreeing_in_loops(const Trace& trace) {
  std::map<Term, Load> all;
  for (const Load& load : trace.loads) {
    if (load.in_any) all.emplace(load.value, load);
  }
  return all;
}

bool has_agreeing_loads(const Subject& subject) {
  const Trace& trace = subject.trace();
  std::vector<Term> terms;
  const auto add = [&](const Guard& guard) {
    terms.insert(terms.end(), guard.parts().begin(), guard.parts().end());
  };
  for (const Access& access : trace.accesses) {
    terms.push_back(access.address);
    add(access.guard);
  }
  for (const auto* const all : {&trace.barriers, &trace.warp_barriers}) {
    for (const Barrier& barrier : *all) add(barrier.guard);
  }
  for (const LoopInstance& loop : trace.loops) {
    terms.insert(terms.end(), loop.went_on.begin(), loop.went_on.end());
  }
  bool has = false;
  std::unordered_map<Term, bool> met;
  for (const Term term : terms) {
    each_unknown(subject.pool, term, met,
                 [&](Term unknown) {
                   has = has || subject.inputs().agrees(unknown) ||
                         subject.agreeing_in_loops.count(unknown) != 0;
                 });
  }
  return has;
}

}  // namespace bankproof::symbolic
