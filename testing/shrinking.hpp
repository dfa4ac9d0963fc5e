// Shrinking by hand. RapidCheck shrinks what a generator was built from. A value whose parts depend
// on each other, like an access and its width, shrinks better if it says itself which values are
// simpler.
#pragma once

#include <rapidcheck.h>

#include <vector>

namespace bankproof::testing {

/// The same values as `gen`. They shrink to the first of simpler(value) that still fails, as long
/// as there is one. Every simpler value must be simpler by a measure that cannot fall endlessly.
template <class T>
rc::Gen<T> shrinking_to(const rc::Gen<T>& gen, std::vector<T> (*simpler)(const T&)) {
  return [=](const rc::Random& random, int size) {
    return rc::shrinkable::shrinkRecur(gen(random, size).value(), [=](const T& value) {
      return rc::seq::fromContainer(simpler(value));
    });
  };
}

}  // namespace bankproof::testing
