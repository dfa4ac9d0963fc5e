// One run on abstract values decides for all inputs of the same sizes whether the result is right,
// whether an access races (if no access races, no schedule changes the result), and whether an
// access reads a word that nobody wrote. abstract/ has the types of abstract values, and says why
// one run is enough.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <vector>

#include "abstract/word.hpp"
#include "algorithms.hpp"

namespace bankproof::testing {

/// Runs a variant of A on a machine with the rules R, on values of an abstract type T.
template <class A, class R = Rules, class T>
::testing::AssertionResult decided(const Task& task, const Inputs<T>& inputs,
                                   const std::vector<T>& expected) {
  Races races;
  Initialization initialization;
  std::ostringstream what;
  what << task << ": ";
  std::vector<T> values;
  try {
    values =
        run_task<A, T, R>(task, in(Mode::overlapped), inputs, {&races, &initialization}).values;
  } catch (const Fault& fault) {
    return ::testing::AssertionFailure() << what.str() << fault.what();
  }
  if (values.size() != expected.size()) {
    return ::testing::AssertionFailure() << what.str() << values.size() << " values";
  }
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (is_same(values[k], expected[k])) continue;
    what << "element " << k << " is " << values[k] << ", not " << expected[k];
    return ::testing::AssertionFailure() << what.str();
  }
  return ::testing::AssertionSuccess();
}

/// Runs the variant on indeterminates and compares the result with the oracle's formal sums of
/// products. The run decides for the values of all rings and, if the algorithm only adds, for the
/// values of all commutative monoids.
template <class A, class R = Rules>
::testing::AssertionResult decided_on_indeterminates(const Task& task) {
  const auto inputs = indeterminates(A::inputs(task));
  return decided<A, R>(task, inputs, A::template expected<Polynomial>(task, inputs));
}

}  // namespace bankproof::testing
