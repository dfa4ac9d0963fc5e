// Looks for loads; see agreeing.hpp.
#include "agreeing.hpp"

#include <unordered_map>
#include <vector>

#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

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
    each_unknown(subject.pool, term, met, [&](Term unknown) {
      const auto agreed = subject.agreed.find(unknown);
      has = has || subject.inputs().agrees(unknown) ||
            (agreed != subject.agreed.end() && agreed->second.is_loaded);
    });
  }
  return has;
}

}  // namespace bankproof::symbolic
