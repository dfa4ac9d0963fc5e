// Canaries: planted bugs that a property must catch in every run. A check that cannot fail is worth
// nothing; a canary shows that the check can fail.
//
//     TEST(Canary, a_cost_that_forgets_merging_is_caught) {
//       EXPECT_TRUE(caught([](const WarpAccess& access) { stages_agree(forgetful, access); }));
//     }
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

#include "property.hpp"

namespace bankproof::testing {

/// RapidCheck's result for a property in a thousand cases, whatever the number of cases of other
/// properties. A refuted property does not fail the test. Different tries draw different cases.
template <class Testable>
rc::detail::TestResult try_property(Testable&& property, std::uint64_t which_try = 0) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.seed += which_try;
  params.maxSuccess = 1000;
  detail::SilentListener listener;
  return rc::detail::checkProperty(rc::detail::toProperty(std::forward<Testable>(property)),
                                   {"canary", "canary"}, params, listener);
}

/// Success if a counterexample refutes the property; giving up is not a refutation.
template <class Testable>
::testing::AssertionResult caught(Testable&& property) {
  const auto result = try_property(std::forward<Testable>(property));
  if (result.template is<rc::detail::FailureResult>()) return ::testing::AssertionSuccess();
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  return ::testing::AssertionFailure()
         << "the planted bug was not caught, so the check proves nothing: " << message.str();
}

/// The shrunk counterexample of a property that must fail, as RapidCheck prints it; empty if there
/// is none.
template <class Testable>
std::string counterexample(Testable&& property, std::uint64_t which_try = 0) {
  const auto result = try_property(std::forward<Testable>(property), which_try);
  if (!result.template is<rc::detail::FailureResult>()) return {};
  std::string text;
  for (const auto& [type, value] :
       result.template get<rc::detail::FailureResult>().counterExample) {
    text += (text.empty() ? "" : "\n") + value;
  }
  return text;
}

}  // namespace bankproof::testing
