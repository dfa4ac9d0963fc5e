// The SARIF report of proofs of a kernel: a result for each finding.
#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "../report/sarif_parts.hpp"
#include "../support/shown.hpp"
#include "reports.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string rule_of_claim(symbolic::Claim claim) { return fmt::format("claim-{}", name_of(claim)); }

Json rules_of_claims() {
  Json all = Json::array();
  for (const symbolic::Claim claim : symbolic::all_claims) {
    const std::string id = rule_of_claim(claim);
    std::string name = fmt::format("{}NotProved", name_of(claim));
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    all.push_back(sarif_rule(id, name, "Not proved: " + what_is_claimed(claim) + ".",
                             "The claim is refuted if the reference machine shows the fault for a "
                             "launch that a solver has found; else it is unknown."));
  }
  return all;
}

Json place_json(const ptx::SourceLine& at) {
  Json physical = {{"artifactLocation", {{"uri", sarif_uri(shown(at.file))}}}};
  if (at.line > 0) physical["region"] = {{"startLine", at.line}};
  return {{"physicalLocation", physical}};
}

Json result_of_finding(symbolic::Claim claim, const symbolic::Finding& finding) {
  Json result = {
      {"ruleId", rule_of_claim(claim)},
      {"ruleIndex", static_cast<std::size_t>(claim)},
      {"level", finding.verdict == symbolic::Verdict::refuted ? "error" : "warning"},
      {"message",
       {{"text", fmt::format("{}: {}", name_of(finding.verdict), shown_finding(finding))}}},
      {"locations", Json::array()}};
  std::string fingerprint = rule_of_claim(claim);
  for (const ptx::SourceLine& line : finding.lines) {
    // The first line is where the result is shown; others are related to it.
    (line == finding.lines.front() ? result["locations"] : result["relatedLocations"])
        .push_back(place_json(line));
    fingerprint += fmt::format("/{}:{}", shown(line.file), line.line);
  }
  result["partialFingerprints"] = {{"bankproofClaim/v1", fingerprint}};
  return result;
}

}  // namespace

std::string kernel_proof_as_sarif(const symbolic::KernelProof& proof) {
  Json results = Json::array();
  Json notes = Json::array();
  for (const symbolic::Decision& decision : proof.decisions) {
    for (const symbolic::Finding& finding : decision.findings) {
      results.push_back(result_of_finding(decision.claim, finding));
    }
    if (decision.findings.empty() && !decision.why.empty()) {
      notes.push_back(
          {{"level", "warning"},
           {"message",
            {{"text", fmt::format("{}: {}", name_of(decision.claim), shown(decision.why))}}}});
    }
  }
  for (const std::string& one : proof.assumptions) {
    notes.push_back({{"level", "note"}, {"message", {{"text", "assumed: " + one}}}});
  }
  Json run = sarif_run(rules_of_claims(), {{"executionSuccessful", true},
                                           {"toolExecutionNotifications", std::move(notes)}});
  run["results"] = std::move(results);
  return sarif_text(run);
}

}  // namespace bankproof::cli
