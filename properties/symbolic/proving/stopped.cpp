// Proofs that are stopped: what is decided stays, and nothing else is said.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Stopped when the solvers have begun this claim.
KernelProof stopped_at(const std::string& claim) {
  Request request = request_for(strided_copy);
  request.where = {"arg2 <= 1 << 30", "gridDim.x <= 1 << 19"};
  request.claims = {Claim::race, Claim::blocks, Claim::overflow};
  bool is_stopped = false;
  request.progress = [&](const std::string& step) {
    is_stopped = is_stopped || step.rfind(claim, 0) == 0;
  };
  request.is_stopped = [&] { return is_stopped; };
  return prove(request);
}

TEST(StoppedProofs, keep_what_is_decided) {
  const KernelProof proof = stopped_at("blocks");
  ASSERT_EQ(proof.decisions.size(), 3U);
  EXPECT_EQ(proof.decisions[0].verdict, Verdict::proved);
  for (const std::size_t open : {1U, 2U}) {
    EXPECT_EQ(proof.decisions[open].verdict, Verdict::unknown);
    EXPECT_EQ(proof.decisions[open].why, "the run was stopped before the claim was decided");
  }
}

TEST(StoppedProofs, prove_nothing_if_they_are_stopped_at_once) {
  for (const Decision& one : stopped_at("").decisions) EXPECT_EQ(one.verdict, Verdict::unknown);
}

}  // namespace
}  // namespace bankproof::symbolic
