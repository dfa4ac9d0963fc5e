// See proof.hpp.
#include "proof.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "../support/errors.hpp"
#include "../support/words.hpp"
#include "written_report.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string verdict_of(const WrittenReport& report, const Json& object) {
  std::string verdict = report.text(object, "verdict");
  for (const char* known : {"proved", "refuted", "unknown", "unsupported", "nothing"}) {
    if (verdict == known) return verdict;
  }
  report.fail("verdict");
}

}  // namespace

KernelProofs read_proofs(const std::string& file) {
  const WrittenReport report(
      file, "--proof takes what prove --kernel --format json of this version wrote");
  const Json whole = report.whole();
  KernelProofs found{.file = file, .kernel = report.text(whole, "kernel"), .proofs = {}};
  for (const Json& claim : report.list(whole, "claims")) {
    const std::string name = report.text(claim, "claim");
    const std::string verdict = verdict_of(report, claim);
    for (const Json& at : report.list(claim, "lines")) {
      if (verdict == "proved") found.proofs.add(report.line(at), verdict, name);
    }
    for (const Json& finding : report.list(claim, "findings")) {
      for (const Json& at : report.list(finding, "at")) {
        found.proofs.add(report.line(at), verdict_of(report, finding), name);
      }
    }
  }
  for (const Json& one : report.list(whole, "assumptions")) {
    if (!one.is_string()) report.fail("assumptions");
    found.proofs.assumptions.push_back(one.get<std::string>());
  }
  return found;
}

void require_about(const KernelProofs& proofs, const std::string& ran) {
  const auto listed = [](const std::string& names) { return ", " + names + ", "; };
  if (listed(ran).find(listed(proofs.kernel)) != std::string::npos) return;
  throw InputError(fmt::format("{} is about {}, but this run is of {}", proofs.file,
                               in_quotes(proofs.kernel), in_quotes(ran)));
}

}  // namespace bankproof::cli
