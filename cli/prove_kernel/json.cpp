// Writes proofs of kernels for programs; see reports.hpp.
#include <nlohmann/json.hpp>
#include <string>

#include "reports.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

Json line_json(const ptx::SourceLine& line) { return {{"file", line.file}, {"line", line.line}}; }

Json lines_json(const std::vector<ptx::SourceLine>& lines) {
  Json all = Json::array();
  for (const ptx::SourceLine& line : lines) all.push_back(line_json(line));
  return all;
}

Json example_json(const symbolic::Example& example) {
  Json json = {
      {"grid", example.launch.grid},     {"block", example.launch.block},
      {"shared", example.launch.shared}, {"parameters", Json::object()},
      {"threads", Json::array()},        {"replayed", example.replayed && example.replayed->shows}};
  for (const auto& [name, value] : example.values) json["parameters"][name] = value;
  for (const symbolic::ExampleThread& thread : example.threads) {
    Json one = {{"block", thread.block}, {"thread", thread.thread}};
    if (thread.offset) {
      one["array"] = thread.object;
      one["offset"] = *thread.offset;
    }
    json["threads"].push_back(std::move(one));
  }
  if (example.replayed && example.replayed->shows) {
    json["fault"] = example.replayed->message;
    json["run"] = example.replayed->words;
  }
  return json;
}

Json finding_json(const symbolic::Finding& finding) {
  Json json = {{"verdict", name_of(finding.verdict)},
               {"at", lines_json(finding.lines)},
               {"instructions", finding.opcodes},
               {"why", finding.why}};
  if (finding.example) json["example"] = example_json(*finding.example);
  return json;
}

}  // namespace

std::string kernel_proof_as_json(const symbolic::KernelProof& proof) {
  Json json = {{"kernel", proof.kernel}, {"claims", Json::array()}};
  for (const symbolic::Decision& one : proof.decisions) {
    Json findings = Json::array();
    for (const symbolic::Finding& finding : one.findings) findings.push_back(finding_json(finding));
    Json within = Json::object();
    Json from_zero = Json::array();
    Json from_one = Json::array();
    for (const auto& [name, bound] : one.within) {
      within[name] = std::uint64_t{1} << bound.exponent;
      if (bound.least) (*bound.least == 0 ? from_zero : from_one).push_back(name);
    }
    json["claims"].push_back({{"claim", name_of(one.claim)},
                              {"verdict", name_of(one.verdict)},
                              {"subjects", one.subjects},
                              {"questions", one.questions},
                              {"lines", lines_json(one.lines)},
                              {"why", one.why},
                              {"at_most", std::move(within)},
                              {"not_negative", std::move(from_zero)},
                              {"positive", std::move(from_one)},
                              {"findings", std::move(findings)},
                              {"seconds", one.seconds}});
  }
  json["reached"] = proof.reached;
  json["unreachable"] = lines_json(proof.unreachable);
  json["maybe_unreachable"] = lines_json(proof.maybe_unreachable);
  json["assumptions"] = proof.assumptions;
  json["seconds"] = proof.seconds;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bankproof::cli
