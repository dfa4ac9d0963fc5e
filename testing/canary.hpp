// Canaries: planted bugs that a property must catch in every run. A check that cannot fail is worth
// nothing; a canary shows that this one can.
//
//     TEST(Canary, a_cost_that_forgets_merging_is_caught) {
//       EXPECT_TRUE(caught([](const WarpAccess& access) { stages_agree(forgetful, access); }));
//     }
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>
#include <string>
#include <utility>

namespace bankproof::testing {

/// What RapidCheck makes of a property, without failing a test.
template <class Testable>
rc::detail::TestResult try_property(Testable&& property) {
  return rc::detail::checkTestable(std::forward<Testable>(property),
                                   rc::detail::TestMetadata{"canary", "canary"});
}

/// Success if the property is refuted by a counterexample; giving up is no refutation.
template <class Testable>
::testing::AssertionResult caught(Testable&& property) {
  const auto result = try_property(std::forward<Testable>(property));
  if (result.template is<rc::detail::FailureResult>()) return ::testing::AssertionSuccess();
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  return ::testing::AssertionFailure()
         << "the planted bug was not caught, so the check proves nothing: " << message.str();
}

/// The shrunk counterexample of a property that must fail, as RapidCheck prints it; empty if none.
template <class Testable>
std::string counterexample(Testable&& property) {
  const auto result = try_property(std::forward<Testable>(property));
  if (!result.template is<rc::detail::FailureResult>()) return {};
  std::string text;
  for (const auto& [type, value] :
       result.template get<rc::detail::FailureResult>().counterExample) {
    text += (text.empty() ? "" : "\n") + value;
  }
  return text;
}

}  // namespace bankproof::testing
