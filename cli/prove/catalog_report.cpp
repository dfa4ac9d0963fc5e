// The report on the catalog's proofs as text, JSON and JUnit XML.
#include "catalog_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "../report/junit_parts.hpp"
#include "../words.hpp"

namespace bankproof::cli {
namespace {

using proofs::Finding;
using proofs::Proof;
using proofs::Theorem;

std::string of(const Finding& finding) { return std::string(name_of(finding.verdict)); }

/// Why it is not proved: once, if both solvers say the same.
std::string reasons(const Proof& proof) {
  const auto& [z3, cvc5] = std::pair{proof.checked.z3, proof.checked.cvc5};
  if (z3.why == cvc5.why) return z3.why;
  std::string text;
  if (z3.verdict != proofs::Verdict::proved) text += "Z3: " + z3.why;
  if (cvc5.verdict != proofs::Verdict::proved)
    text += (text.empty() ? "cvc5: " : "; cvc5: ") + cvc5.why;
  return text;
}

/// Whether nothing is known of it, since a solver or the proof is at fault.
bool is_error(const Proof& proof) {
  return proof.checked.z3.verdict == proofs::Verdict::error ||
         proof.checked.cvc5.verdict == proofs::Verdict::error;
}

/// Characters as a terminal counts them, of UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}
std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

nlohmann::ordered_json stated(const Theorem& theorem) {
  return {{"id", theorem.id},
          {"source", theorem.source},
          {"statement", theorem.statement},
          {"domain", theorem.domain},
          {"unbounded", theorem.unbounded}};
}

std::string summary(const std::vector<Proof>& all) {
  std::size_t proved = 0;
  std::size_t unbounded = 0;
  std::size_t goals = 0;
  std::set<const proofs::Lemma*> lemmas;
  for (const Proof& proof : all) {
    goals += proof.checked.goals;
    lemmas.insert(proof.checked.lemmas.begin(), proof.checked.lemmas.end());
    if (!proof.checked.proved()) continue;
    ++proved;
    unbounded += proof.theorem.unbounded ? 1U : 0U;
  }
  return fmt::format("{} of {} proved by both solvers, {} of them without a bound; {} and {}\n",
                     proved, counted(all.size(), "theorem"), unbounded, counted(goals, "goal"),
                     counted(lemmas.size(), "lemma"));
}

}  // namespace

std::string theorems_as_text(const std::vector<Theorem>& all) {
  std::size_t id_width = 2;
  std::size_t domain_width = 6;
  for (const Theorem& theorem : all) {
    id_width = std::max(id_width, width_of(theorem.id));
    domain_width = std::max(domain_width, width_of(theorem.domain));
  }
  std::string text =
      fmt::format("{}  {}  statement\n", padded("id", id_width), padded("domain", domain_width));
  for (const Theorem& theorem : all) {
    text += fmt::format("{}  {}  {}\n", padded(theorem.id, id_width),
                        padded(theorem.domain, domain_width), theorem.statement);
  }
  return text;
}

std::string theorems_as_json(const std::vector<Theorem>& all) {
  auto theorems = nlohmann::ordered_json::array();
  for (const Theorem& theorem : all) theorems.push_back(stated(theorem));
  return nlohmann::ordered_json{{"theorems", theorems}}.dump(2) + "\n";
}

std::string proofs_as_text(const std::vector<Proof>& all) {
  std::size_t id_width = 2;
  std::size_t domain_width = 6;
  for (const Proof& proof : all) {
    id_width = std::max(id_width, width_of(proof.theorem.id));
    domain_width = std::max(domain_width, width_of(proof.theorem.domain));
  }
  std::string text = fmt::format("{}  {:<7}  {:<7}  {:>5}  {}  statement\n", padded("id", id_width),
                                 "Z3", "cvc5", "s", padded("domain", domain_width));
  for (const Proof& proof : all) {
    text += fmt::format("{}  {:<7}  {:<7}  {:>5.1f}  {}  {}\n", padded(proof.theorem.id, id_width),
                        of(proof.checked.z3), of(proof.checked.cvc5), proof.checked.seconds,
                        padded(proof.theorem.domain, domain_width), proof.theorem.statement);
  }
  text += "\n" + summary(all);
  for (const Proof& proof : all) {
    if (!proof.checked.proved()) {
      text += fmt::format("{}: {}\n", proof.theorem.id, reasons(proof));
    }
  }
  return text;
}

std::string proofs_as_json(const std::vector<Proof>& all) {
  auto theorems = nlohmann::ordered_json::array();
  for (const Proof& proof : all) {
    nlohmann::ordered_json one = stated(proof.theorem);
    one["z3"] = of(proof.checked.z3);
    one["cvc5"] = of(proof.checked.cvc5);
    one["seconds"] = proof.checked.seconds;
    one["goals"] = proof.checked.goals;
    if (!proof.checked.proved()) one["why"] = reasons(proof);
    theorems.push_back(one);
  }
  return nlohmann::ordered_json{{"theorems", theorems}}.dump(2) + "\n";
}

std::string proofs_as_junit(const std::vector<Proof>& all) {
  JunitSuite suite;
  suite.name = "bankproof prove";
  suite.class_name = "bankproof.prove";
  double seconds = 0;
  for (const Proof& proof : all) {
    JunitCase one;
    one.name = proof.theorem.id;
    one.seconds = fmt::format("{:.3f}", proof.checked.seconds);
    one.output = fmt::format("{}; {}", proof.theorem.statement, proof.theorem.domain);
    if (!proof.checked.proved()) {
      const bool z3_proves = proof.checked.z3.verdict == proofs::Verdict::proved;
      one.failure = JunitFailure{.error = is_error(proof),
                                 .message = reasons(proof),
                                 .type = of(z3_proves ? proof.checked.cvc5 : proof.checked.z3),
                                 .text = proof.theorem.statement};
    }
    suite.cases.push_back(std::move(one));
    seconds += proof.checked.seconds;
  }
  suite.seconds = fmt::format("{:.3f}", seconds);
  return junit_text(suite);
}

}  // namespace bankproof::cli
