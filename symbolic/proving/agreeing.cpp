// Looks for loads; see agreeing.hpp.
#include "agreeing.hpp"

#include <unordered_map>
#include <vector>

#include "../claims/uniform.hpp"
#include "../execution/objects.hpp"
#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

bool is_agreeing(const Subject& subject, Term value) {
  const auto agreed = subject.agreed.find(value);
  return subject.inputs().agrees(value) ||
         (agreed != subject.agreed.end() && agreed->second.is_loaded);
}

}  // namespace

std::map<Term, Agreed> all_agreed(const Subject& subject) {
  std::map<Term, Agreed> all;
  for (const Agreed& one : subject.trace().agreed) all[one.value] = one;
  for (const Agreed& one : uniform_values(subject)) all.try_emplace(one.value, one);
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
                 [&](Term unknown) { has = has || is_agreeing(subject, unknown); });
  }
  return has;
}

std::set<Term> objects_of_agreeing_loads(const Subject& subject) {
  std::set<Term> objects;
  for (const Load& load : subject.trace().loads) {
    if (!is_agreeing(subject, load.value)) continue;
    const auto places = places_of(subject.pool, subject.inputs(), load.address);
    for (const Place& place : *places) objects.insert(place.object);
  }
  return objects;
}

}  // namespace bankproof::symbolic
