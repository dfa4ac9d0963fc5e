// Properties as GoogleTest cases: RapidCheck tries a statement about all inputs on random inputs.
//
//     BANKPROOF_PROPERTY(Stages, never_exceed_the_width, (const WarpAccess& access)) {
//       RC_ASSERT(…);  // not GoogleTest's assertions: RapidCheck must see the failure to shrink it
//       BANKPROOF_ASSERT_THAT(value, matcher);  // for EXPECT_THAT
//     }
//
// A failure shows the smallest counterexample found and the command that repeats it.
#pragma once

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>
#include <string>
#include <utility>

namespace bankproof::testing {

namespace detail {

/// Silences RapidCheck's own reports: some would be printed twice, and others concern expected
/// failures.
class SilentListener : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

inline rc::detail::TestMetadata current_test() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string id = std::string(test->test_suite_name()) + "." + test->name();
  return {id, test->name()};
}

/// The shell command that tries only this counterexample again.
inline std::string reproduction(const std::string& id, const std::string& test,
                                const rc::detail::Reproduce& reproduce) {
  rc::detail::Configuration configuration;
  configuration.reproduce.emplace(id, reproduce);
  return "RC_PARAMS='" + rc::detail::configToMinimalString(configuration) + "' " +
         program_invocation_name + " --gtest_filter=" + test;
}

}  // namespace detail

/// Tries the property, and fails the current test if the property does not hold. A test of several
/// properties names each property, and may try each in a fraction of the usual number of cases.
template <class Testable>
void check_property(Testable&& property, const std::string& part = {}, int fraction = 1) {
  const auto test = detail::current_test();
  const std::string id = part.empty() ? test.id : test.id + ", " + part;
  const auto& configuration = rc::detail::configuration();
  rc::detail::TestParams params = configuration.testParams;
  params.maxSuccess = (params.maxSuccess + fraction - 1) / fraction;
  detail::SilentListener listener;
  const auto result =
      rc::detail::checkProperty(rc::detail::toProperty(std::forward<Testable>(property)),
                                {id, test.description}, params, listener, configuration.reproduce);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  if (!part.empty()) message << part << ": ";
  rc::detail::printResultMessage(result, message);
  if (result.template is<rc::detail::FailureResult>()) {
    const auto& failure = result.template get<rc::detail::FailureResult>();
    message << "\nReproduce: " << detail::reproduction(id, test.id, failure.reproduce);
  }
  FAIL() << message.str();
}

}  // namespace bankproof::testing

/// Fails the case of a property if the GoogleMock matcher does not accept the value, and says why.
#define BANKPROOF_ASSERT_THAT(value, matcher)                                      \
  do {                                                                             \
    ::testing::StringMatchResultListener bankproof_listener;                       \
    if (!::testing::ExplainMatchResult((matcher), (value), &bankproof_listener)) { \
      RC_FAIL(std::string(#value " does not satisfy " #matcher ": ") +             \
              ::testing::PrintToString(value) + ", " + bankproof_listener.str());  \
    }                                                                              \
  } while (false)

/// A GoogleTest case `suite.name` that holds for all parameters; they need an rc::Arbitrary.
#define BANKPROOF_PROPERTY(suite, name, parameters)                             \
  static void bankproof_property_##suite##_##name parameters;                   \
  TEST(suite, name) {                                                           \
    ::bankproof::testing::check_property(&bankproof_property_##suite##_##name); \
  }                                                                             \
  static void bankproof_property_##suite##_##name parameters
