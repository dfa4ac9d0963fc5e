// Asks whether accesses lie in their objects; see question.hpp.
#include <map>

#include "../execution/objects.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

Asked ask_bounds(Subject& subject) {
  Pool& pool = subject.pool;
  Threads threads(subject, Which::of_one_block, 1);
  Asked asked{.claim = Claim::bounds};
  const auto bytes_of = [&](Term object) -> std::optional<Term> {
    const auto stated = subject.bytes.find(object);
    if (stated != subject.bytes.end()) return stated->second;
    const auto known = subject.inputs().object(object)->bytes;
    return known ? std::optional(pool.constant(*known, 64)) : std::nullopt;
  };
  for (const Access& access : subject.trace().accesses) {
    if (access.is_echo) continue;
    asked.about(*access.instruction);
    Participant one = threads.participant(0, *access.instruction);
    const auto places = places_of(pool, subject.inputs(), access.address);
    if (!places && pool.is_constant(access.address) && access.space != ptx::Space::shared) {
      // No array begins at a number: a null pointer, mostly.
      asked.questions.push_back(Question::can(threads.with_facts(access.guard.parts()), {one}));
      continue;
    }
    if (!places) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::address, {one}));
      continue;
    }
    for (const Place& place : *places) {
      one.object = place.object;
      one.offset = place.offset;
      std::vector<Term> reached{place.condition};
      for (const Term part : access.guard.parts()) reached.push_back(part);
      // Kernels only read constant memory.
      const bool is_constant = subject.inputs().object(place.object)->space == ptx::Space::constant;
      if (is_constant && access.kind != AccessKind::read) {
        asked.questions.push_back(Question::can(threads.with_facts(reached), {one}));
        continue;
      }
      const auto bytes = bytes_of(place.object);
      if (!bytes) {
        asked.questions.push_back(Question::cannot_be_asked(Unasked::size, {one}));
        continue;
      }
      // The first byte that does not fit is behind the end, or the object is too small for any.
      const Term needed = pool.constant(access.bytes, 64);
      const Term fits = pool.both(pool.at_most(needed, *bytes, false),
                                  pool.at_most(place.offset, pool.subtract(*bytes, needed), false));
      std::vector<Term> statements = reached;
      statements.push_back(pool.negation(fits));
      if (pool.is_constant(fits, 1) || pool.is_constant(place.condition, 0)) continue;
      asked.questions.push_back(Question::can(threads.with_facts(statements), {one}));
    }
  }
  return asked;
}

}  // namespace bankproof::symbolic
