// The JUnit report of proofs of a kernel: a case for each claim.
#include <fmt/format.h>

#include "../report/junit_parts.hpp"
#include "../support/shown.hpp"
#include "reports.hpp"

namespace bankproof::cli {
namespace {

JunitCase case_of_claim(const symbolic::Decision& decision) {
  JunitCase one;
  one.name = name_of(decision.claim);
  one.seconds = fmt::format("{:.3f}", decision.seconds);
  if (decision.verdict == symbolic::Verdict::proved) return one;
  if (decision.verdict == symbolic::Verdict::nothing) {
    one.skipped = decision.why;
    return one;
  }
  std::string text = shown(decision.why);
  for (const symbolic::Finding& finding : decision.findings) {
    if (!text.empty()) text += "\n";
    text += shown_finding(finding);
  }
  one.failure = JunitFailure{.error = decision.verdict != symbolic::Verdict::refuted,
                             .message = text.substr(0, text.find('\n')),
                             .type = std::string(name_of(decision.verdict)),
                             .text = text + "\n"};
  return one;
}

}  // namespace

std::string kernel_proof_as_junit(const symbolic::KernelProof& proof) {
  JunitSuite suite;
  suite.name = "bankproof prove --kernel " + shown(proof.kernel);
  suite.class_name = suite.name;
  for (const std::string& one : proof.assumptions) suite.properties.emplace_back("assumed", one);
  for (const symbolic::Decision& one : proof.decisions) suite.cases.push_back(case_of_claim(one));
  suite.seconds = fmt::format("{:.3f}", proof.seconds);
  return junit_text(suite);
}

}  // namespace bankproof::cli
