// The plug-in, which these tests need. Where the packages of ci/packages.txt are installed, it has
// to be there; elsewhere its tests are skipped.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "../../../ptx/compiled/find.hpp"

namespace bankproof::ptx {

class WithCompiler : public ::testing::Test {
 protected:
  void SetUp() override {
    const compiled::Found& found = compiled::find_compiler();
    compiler_ = found.compiler;
    if (compiler_ != nullptr) return;
    const char* const packages = std::getenv("BANKPROOF_PACKAGES");
    if (packages != nullptr && std::string_view(packages) == "installed") FAIL() << found.why;
    GTEST_SKIP() << found.why;
  }
  const compiled::Compiler* compiler_ = nullptr;
};

}  // namespace bankproof::ptx
