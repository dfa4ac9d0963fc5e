// Checks theorems in parallel, and lemmas that are used once each.
#include "prove_all.hpp"

#include <tbb/parallel_for.h>

#include <cstddef>
#include <map>

namespace bankproof::proofs {
namespace {

/// A finding of a theorem, given that of a lemma it uses.
void require(Finding& finding, const Finding& of_lemma, const std::string& lemma) {
  if (finding.verdict != Verdict::proved || of_lemma.verdict == Verdict::proved) return;
  finding = {of_lemma.verdict == Verdict::refuted ? Verdict::error : of_lemma.verdict,
             "its lemma '" + lemma + "': " + of_lemma.why};
}

}  // namespace

std::vector<Proof> prove_all(const std::vector<Theorem>& theorems, const Solvers& solvers,
                             const std::function<void(const std::string&)>& done) {
  std::vector<Proof> proofs(theorems.size());
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, theorems.size(), 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t k = range.begin(); k < range.end(); ++k) {
          proofs[k] = {theorems[k], check(theorems[k], solvers)};
          if (done) done(theorems[k].id);
        }
      },
      tbb::simple_partitioner());
  std::map<std::string, Checked> checked_lemmas;
  for (const Lemma& lemma : lemmas()) {
    for (Proof& proof : proofs) {
      if (!proof.checked.lemmas.contains(lemma.name)) continue;
      const auto [entry, is_new] = checked_lemmas.try_emplace(lemma.name);
      if (is_new) entry->second = check(lemma, solvers);
      require(proof.checked.z3, entry->second.z3, lemma.name);
      require(proof.checked.cvc5, entry->second.cvc5, lemma.name);
    }
  }
  for (Proof& proof : proofs) {
    for (const std::string& name : proof.checked.lemmas) {
      if (checked_lemmas.contains(name)) continue;
      const Finding missing{Verdict::error, "its lemma '" + name + "' is none of the catalog"};
      proof.checked.z3 = proof.checked.cvc5 = missing;
    }
  }
  return proofs;
}

}  // namespace bankproof::proofs
