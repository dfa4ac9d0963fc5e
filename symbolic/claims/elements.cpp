// Looks for writes to arrays, and states what is known of others; see elements.hpp.
#include "elements.hpp"

#include <algorithm>
#include <optional>

#include "../execution/objects.hpp"
#include "elements_in_statements.hpp"
#include "subject.hpp"

namespace bankproof::symbolic {

namespace {

/// Beyond so many elements, those whose places may be the same or not are not compared.
constexpr std::size_t most_compared = 24;

}  // namespace

bool may_write(const Subject& subject, const Access& access, Term object) {
  const bool may_be_global = !access.space || access.space == ptx::Space::global;
  if (access.kind == AccessKind::read || !may_be_global) return false;
  const auto places = places_of(subject.pool, subject.inputs(), access.address);
  return !places || std::any_of(places->begin(), places->end(),
                                [&](const Place& place) { return place.object == object; });
}

bool is_written(const Subject& subject, Term object) {
  const Object* const array = subject.inputs().object(object);
  if (array != nullptr && array->space == ptx::Space::constant) return false;
  const std::vector<Access>& all = subject.trace().accesses;
  return std::any_of(all.begin(), all.end(),
                     [&](const Access& access) { return may_write(subject, access, object); });
}

std::map<Term, Element> elements_of(const Subject& subject) {
  std::map<Term, Element> all;
  std::map<Term, bool> written;  // by array
  for (const Load& load : subject.trace().loads) {
    const auto places = places_of(subject.pool, subject.inputs(), load.address);
    if (!places || places->size() != 1) continue;
    const Place& place = places->front();
    const auto space = subject.inputs().object(place.object)->space;
    const bool is_there = !space || *space == ptx::Space::global || *space == ptx::Space::constant;
    if (!is_there) continue;
    const auto [known, is_new] = written.try_emplace(place.object);
    if (is_new) known->second = is_written(subject, place.object);
    if (!known->second) all[load.value] = {load.value, place.object, place.offset, load.guard};
  }
  return all;
}

std::vector<Term> facts_about(Subject& subject, const std::vector<Element>& elements,
                              std::size_t most_instances) {
  Pool& pool = subject.pool;
  std::vector<Term> facts;
  std::vector<Element> all = elements;
  for (const ElementStatement& statement : subject.elements.stated) {
    for (const Term fact : instances_of(subject, statement, elements, all, most_instances)) {
      facts.push_back(fact);
    }
  }
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      const Element& one = all[a];
      const Element& other = all[b];
      if (one.object != other.object || pool.width(one.value) != pool.width(other.value)) continue;
      const Term is_elsewhere = pool.negation(pool.equal(one.offset, other.offset));
      if (pool.is_constant(is_elsewhere, 1)) continue;
      if (!pool.is_constant(is_elsewhere) && all.size() > most_compared) continue;
      facts.push_back(pool.either(is_elsewhere, pool.equal(one.value, other.value)));
    }
  }
  if (!facts.empty()) subject.elements.are_used = true;
  return facts;
}

}  // namespace bankproof::symbolic
