// Asks whether accesses lie in their objects; see question.hpp.
#include <bit>
#include <utility>

#include "../execution/objects.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {
namespace {

/// An access begins at a multiple of its width. Arrays that pointers point to begin at multiples of
/// all widths, and variables at multiples of what they are declared with.
void ask_whether_aligned(Subject& subject, Threads& threads, const Access& access,
                         const Place& place, std::vector<Term> reached, const Participant& one,
                         Asked& asked) {
  if (!std::has_single_bit(access.bytes) || access.bytes == 1) return;
  const Object& object = *subject.inputs().object(place.object);
  if (object.space && object.align < access.bytes) {
    asked.questions.push_back(Question::cannot_be_asked(Unasked::alignment, {one}));
  }
  Pool& pool = subject.pool;
  const auto bits = static_cast<unsigned>(std::countr_zero(access.bytes));
  const Term is_aligned = pool.equal(pool.part(place.offset, 0, bits), pool.constant(0, bits));
  if (pool.is_constant(is_aligned, 1)) return;
  reached.push_back(pool.negation(is_aligned));
  asked.questions.push_back(Question::can(threads.with_facts(reached), {one}));
}

}  // namespace

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
      // Kernels only read constant memory and their parameters.
      const auto space = subject.inputs().object(place.object)->space;
      const bool is_constant = space == ptx::Space::constant || space == ptx::Space::param;
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
      ask_whether_aligned(subject, threads, access, place, reached, one, asked);
      std::vector<Term> statements = reached;
      statements.push_back(pool.negation(fits));
      if (pool.is_constant(fits, 1) || pool.is_constant(place.condition, 0)) continue;
      asked.questions.push_back(Question::can(threads.with_facts(statements), {one}));
    }
  }
  return asked;
}

}  // namespace bankproof::symbolic
