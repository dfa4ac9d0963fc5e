// The report on the proofs of the catalog, as text, JSON and JUnit XML.
#include "catalog_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "../../proofs/scripts/checked.hpp"
#include "../report/junit_parts.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

using proofs::CoqTheorem;
using proofs::Finding;
using proofs::Proof;
using proofs::Theorem;

std::string of(const Finding& finding) { return std::string(name_of(finding.verdict)); }

/// The reason why a theorem is not proved; a reason that both solvers share appears once.
std::string reasons(const Proof& proof) {
  const auto& [z3, cvc5] = std::pair{proof.checked.z3, proof.checked.cvc5};
  if (z3.why == cvc5.why) return z3.why;
  std::string text;
  if (z3.verdict != proofs::Verdict::proved) text += "Z3: " + z3.why;
  if (cvc5.verdict != proofs::Verdict::proved)
    text += (text.empty() ? "cvc5: " : "; cvc5: ") + cvc5.why;
  return text;
}

/// Whether the outcome is unknown because the proof or a solver is wrong.
bool is_error(const Proof& proof) {
  return proof.checked.z3.verdict == proofs::Verdict::error ||
         proof.checked.cvc5.verdict == proofs::Verdict::error;
}

/// The number of characters of UTF-8 text, as a terminal counts them.
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
          {"unbounded", theorem.unbounded},
          {"checked_in_coq", is_checked_in_coq(theorem)}};
}
nlohmann::ordered_json stated(const CoqTheorem& theorem) {
  return {{"id", theorem.id},
          {"source", theorem.source},
          {"statement", theorem.statement},
          {"domain", theorem.domain},
          {"unbounded", true},
          {"coq", {{"file", theorem.file}, {"theorem", theorem.name}}}};
}

std::string place_of(const CoqTheorem& theorem) { return theorem.file + ": " + theorem.name; }

/// The width of a column.
template <class Any>
std::size_t widest(const std::vector<Any>& all, std::string Any::*column, std::size_t least) {
  for (const Any& one : all) least = std::max(least, width_of(one.*column));
  return least;
}

/// A table of the theorems; empty if there are none.
std::string table_of(const std::vector<CoqTheorem>& in_coq) {
  if (in_coq.empty()) return "";
  const std::size_t id_width = widest(in_coq, &CoqTheorem::id, 2);
  const std::size_t domain_width = widest(in_coq, &CoqTheorem::domain, 6);
  std::size_t place_width = 0;
  for (const CoqTheorem& theorem : in_coq) {
    place_width = std::max(place_width, width_of(place_of(theorem)));
  }
  std::string text =
      fmt::format("{}  {}  {}  statement\n", padded("id", id_width),
                  padded("checked in Coq", place_width), padded("domain", domain_width));
  for (const CoqTheorem& theorem : in_coq) {
    text += fmt::format("{}  {}  {}  {}\n", padded(theorem.id, id_width),
                        padded(place_of(theorem), place_width),
                        padded(theorem.domain, domain_width), theorem.statement);
  }
  return text;
}

std::string summary(const std::vector<Proof>& all) {
  std::size_t proved = 0;
  std::size_t unbounded = 0;
  std::size_t goals = 0;
  std::size_t in_coq = 0;
  std::set<const proofs::Lemma*> lemmas;
  for (const Proof& proof : all) {
    goals += proof.checked.goals;
    lemmas.insert(proof.checked.lemmas.begin(), proof.checked.lemmas.end());
    if (!proof.checked.proved()) continue;
    ++proved;
    unbounded += proof.theorem.unbounded ? 1U : 0U;
    in_coq += is_checked_in_coq(proof.theorem) ? 1U : 0U;
  }
  std::string text =
      fmt::format("{} of {} proved by both solvers, {} of them without a bound; {} and {}\n",
                  proved, counted(all.size(), "theorem"), unbounded, counted(goals, "goal"),
                  counted(lemmas.size(), "lemma"));
  if (in_coq > 0) {
    text += fmt::format("{} of them checked in Coq, too, by ci/coq; not by this run\n", in_coq);
  }
  return text;
}

}  // namespace

std::string theorems_as_text(const std::vector<Theorem>& all,
                             const std::vector<CoqTheorem>& in_coq) {
  if (all.empty()) return table_of(in_coq);
  const std::size_t id_width = widest(all, &Theorem::id, 2);
  const std::size_t domain_width = widest(all, &Theorem::domain, 6);
  std::string text =
      fmt::format("{}  {}  statement\n", padded("id", id_width), padded("domain", domain_width));
  for (const Theorem& theorem : all) {
    text += fmt::format("{}  {}  {}\n", padded(theorem.id, id_width),
                        padded(theorem.domain, domain_width), theorem.statement);
  }
  return in_coq.empty() ? text : text + "\n" + table_of(in_coq);
}

std::string theorems_as_json(const std::vector<Theorem>& all,
                             const std::vector<CoqTheorem>& in_coq) {
  auto theorems = nlohmann::ordered_json::array();
  for (const Theorem& theorem : all) theorems.push_back(stated(theorem));
  for (const CoqTheorem& theorem : in_coq) theorems.push_back(stated(theorem));
  return nlohmann::ordered_json{{"theorems", theorems}}.dump(2) + "\n";
}

std::string proofs_as_text(const std::vector<Proof>& all, const std::vector<CoqTheorem>& in_coq) {
  std::string coq = table_of(in_coq);
  if (!coq.empty()) {
    coq += fmt::format(
        "\n{} checked in Coq by ci/coq, for all that is in the domain and with no axiom; this run "
        "did "
        "not check {} again\n",
        counted(in_coq.size(), "theorem"), in_coq.size() == 1 ? "it" : "them");
  }
  if (all.empty()) return coq;
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
  return coq.empty() ? text : text + "\n" + coq;
}

std::string proofs_as_json(const std::vector<Proof>& all, const std::vector<CoqTheorem>& in_coq) {
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
  for (const CoqTheorem& theorem : in_coq) theorems.push_back(stated(theorem));
  return nlohmann::ordered_json{{"theorems", theorems}}.dump(2) + "\n";
}

std::string proofs_as_junit(const std::vector<Proof>& all, const std::vector<CoqTheorem>& in_coq) {
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
  for (const CoqTheorem& theorem : in_coq) {
    JunitCase one;
    one.name = theorem.id;
    one.skipped = "checked in Coq by ci/coq: " + place_of(theorem);
    one.output = fmt::format("{}; {}", theorem.statement, theorem.domain);
    suite.cases.push_back(std::move(one));
  }
  suite.seconds = fmt::format("{:.3f}", seconds);
  return junit_text(suite);
}

}  // namespace bankproof::cli
