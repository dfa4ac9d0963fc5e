// Checks theorems in parallel, and then checks once each lemma that they use.
#include "prove_all.hpp"

#include <tbb/parallel_for.h>

#include <cstddef>
#include <optional>

namespace bankproof::proofs {
namespace {

/// If a lemma is not proved, a theorem that uses the lemma gets the lemma's finding instead of
/// `proved`.
void require(Finding& finding, const Finding& of_lemma, const std::string& lemma) {
  if (finding.verdict != Verdict::proved || of_lemma.verdict == Verdict::proved) return;
  finding = {of_lemma.verdict, "its lemma '" + lemma + "': " + of_lemma.why};
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
  for (const Lemma* lemma : lemmas()) {
    std::optional<Checked> of_lemma;
    for (Proof& proof : proofs) {
      if (!proof.checked.lemmas.contains(lemma)) continue;
      if (!of_lemma) of_lemma = check(*lemma, solvers);
      require(proof.checked.z3, of_lemma->z3, lemma->name);
      require(proof.checked.cvc5, of_lemma->cvc5, lemma->name);
    }
  }
  return proofs;
}

}  // namespace bankproof::proofs
