// Theorems whose check has to fail, and the verdict that the check has to give.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include "../../proofs/solvers/check.hpp"

namespace bankproof::proofs {

/// A theorem about a width w with this proof. Its false twin is really false.
inline Theorem theorem(std::function<void(Query&)> proof) {
  return Theorem{.id = "canary", .source = "none", .statement = "a canary", .domain = "all w"}
      .proof(std::move(proof))
      .false_twin([](Query& q) { q.claim("more", q.number("w", 1, 4) < IntTerm(4)); });
}

inline void expect_failure(const Checked& checked, Verdict verdict, const std::string& words) {
  EXPECT_FALSE(checked.proved());
  EXPECT_EQ(checked.z3.verdict, verdict) << checked.z3.why;
  EXPECT_EQ(checked.cvc5.verdict, verdict) << checked.cvc5.why;
  EXPECT_THAT(checked.z3.why, ::testing::HasSubstr(words));
  EXPECT_THAT(checked.cvc5.why, ::testing::HasSubstr(words));
}

/// The path of a script that stands in for cvc5.
inline std::string stub(const std::string& name, const std::string& text) {
  std::string path = ::testing::TempDir() + "bankproof-" + name;
  std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

}  // namespace bankproof::proofs
