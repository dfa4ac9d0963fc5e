// Chooses theorems, has them proved, and writes the report and the SMT-LIB files.
#include "catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "../../proofs/solvers/prove_all.hpp"
#include "../../proofs/theorems/catalog.hpp"
#include "../../proofs/theorems/in_coq.hpp"
#include "../support/errors.hpp"
#include "../support/output.hpp"
#include "../support/progress.hpp"
#include "../support/words.hpp"
#include "catalog_report.hpp"
#include "coq.hpp"

namespace bankproof::cli {
namespace {

using proofs::CoqTheorem;
using proofs::Proof;
using proofs::Theorem;

/// The theorems that the user asks for: those of the solvers, and those of Coq.
struct Chosen {
  std::vector<Theorem> theorems;
  std::vector<CoqTheorem> in_coq;
};

/// "A12" chooses both A12.rows and A12.columns; "A12.rows" chooses only that theorem.
bool is_chosen(const std::string& id, const std::string& by) {
  return id == by || id.starts_with(by + ".");
}

template <class Any>
std::vector<Any> those_of(std::vector<Any> all, const std::vector<std::string>& ids) {
  if (ids.empty()) return all;
  std::erase_if(all, [&](const Any& theorem) {
    return std::ranges::none_of(ids,
                                [&](const std::string& id) { return is_chosen(theorem.id, id); });
  });
  return all;
}

Chosen chosen(const std::vector<std::string>& ids) {
  const std::vector<Theorem> all = proofs::catalog();
  const std::vector<CoqTheorem> all_in_coq = proofs::theorems_in_coq();
  std::vector<std::string_view> known;
  known.reserve(all.size() + all_in_coq.size());
  for (const Theorem& theorem : all) known.push_back(theorem.id);
  for (const CoqTheorem& theorem : all_in_coq) known.push_back(theorem.id);
  for (const std::string& id : ids) {
    if (std::ranges::any_of(
            known, [&](std::string_view one) { return is_chosen(std::string(one), id); })) {
      continue;
    }
    const auto meant = nearest(id, known);
    throw UsageError(fmt::format("no theorem is called '{}'{}; 'bankproof prove --list' lists all",
                                 id, meant ? fmt::format("; did you mean '{}'?", *meant) : ""));
  }
  return {those_of(all, ids), those_of(all_in_coq, ids)};
}

/// Writes a file for each solver query; its first lines name the query and the expected answer.
void export_questions(const std::filesystem::path& folder, const std::string& name,
                      const proofs::Checked& checked) {
  for (std::size_t k = 0; k < checked.asked.size(); ++k) {
    const auto& [what, text, wanted] = checked.asked[k];
    const bool sat = wanted == proofs::Answer::satisfiable;
    write_output((folder / fmt::format("{}.{:02}.smt2", name, k)).string(),
                 fmt::format("; {}: {}\n; expect {}\n{}", name, what, sat ? "sat" : "unsat", text));
  }
}

void export_all(const std::filesystem::path& folder, const std::vector<Proof>& all) {
  for (const Proof& proof : all) export_questions(folder, proof.theorem.id, proof.checked);
  for (const proofs::Lemma* lemma : proofs::lemmas()) {
    export_questions(folder, "lemma." + lemma->name, proofs::check(*lemma));
  }
}

int exit_code_of(const std::vector<Proof>& all) {
  int code = exit_clean;
  for (const Proof& proof : all) {
    for (const proofs::Finding& finding : {proof.checked.z3, proof.checked.cvc5}) {
      if (finding.verdict == proofs::Verdict::refuted) return exit_finding;
      if (finding.verdict != proofs::Verdict::proved) code = exit_input;
    }
  }
  return code;
}

}  // namespace

int prove_catalog(const CatalogOptions& options) {
  const Chosen picked = chosen(options.ids);
  if (!options.coq_folder.empty()) return write_coq(options, picked.theorems);
  const std::vector<Theorem>& theorems = picked.theorems;
  const std::vector<CoqTheorem>& in_coq = picked.in_coq;
  if (options.only_list) {
    if (options.format == "junit") throw UsageError("--list has text and json, not junit");
    if (!options.export_folder.empty()) throw UsageError("--list proves nothing to --export");
    write_output(options.output, options.format == "json" ? theorems_as_json(theorems, in_coq)
                                                          : theorems_as_text(theorems, in_coq));
    return exit_clean;
  }
  require_writable(options.output);
  if (!options.export_folder.empty()) make_folder(options.export_folder);
  Progress progress;
  progress.begin(counted(theorems.size(), "theorem"));
  std::mutex mutex;
  std::size_t through = 0;
  const std::vector<Proof> all = proofs::prove_all(theorems, {}, [&](const std::string& id) {
    const std::lock_guard lock(mutex);
    progress.begin(fmt::format("{} of {}: {}", ++through, theorems.size(), id));
  });
  progress.end();
  if (!options.export_folder.empty()) export_all(options.export_folder, all);
  write_output(options.output, options.format == "json"    ? proofs_as_json(all, in_coq)
                               : options.format == "junit" ? proofs_as_junit(all, in_coq)
                                                           : proofs_as_text(all, in_coq));
  return exit_code_of(all);
}

}  // namespace bankproof::cli
