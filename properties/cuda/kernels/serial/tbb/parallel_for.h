// Replaces oneTBB's header in programs that must not need oneTBB: one thread runs all parts in
// turn.
#pragma once

#include "blocked_range.h"

namespace tbb {

template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body) {
  for (Index i = first; i < last; ++i) body(i);
}

template <class Value, class Body>
void parallel_for(const blocked_range<Value>& range, const Body& body) {
  body(range);
}

}  // namespace tbb
