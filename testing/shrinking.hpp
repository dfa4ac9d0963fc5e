// Shrinking by hand. RapidCheck shrinks the parts that a generator draws. If the parts of a value
// depend on each other, like an access and its width, the value shrinks better by a function
// simpler() that lists simpler values.
#pragma once

#include <rapidcheck.h>

#include <vector>

namespace bankproof::testing {

/// The same values as `gen`. A failing value shrinks to the first of simpler(value) that still
/// fails, as long as there is one. Every simpler value must be simpler by a measure that cannot
/// fall endlessly.
template <class T>
rc::Gen<T> shrinking_to(const rc::Gen<T>& gen, std::vector<T> (*simpler)(const T&)) {
  return [=](const rc::Random& random, int size) {
    return rc::shrinkable::shrinkRecur(gen(random, size).value(), [=](const T& value) {
      return rc::seq::fromContainer(simpler(value));
    });
  };
}

}  // namespace bankproof::testing
