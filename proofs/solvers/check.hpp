// The verdicts of both solvers on theorems and lemmas. A theorem is proved if its premises can
// hold, its goals follow, the lemmas that it uses are proved, and its false twin is refuted. Both
// Z3 and cvc5 must confirm this. cvc5 reads the exported text.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "../builder/lemma.hpp"
#include "../builder/theorem.hpp"
#include "solvers.hpp"
#include "verdict.hpp"

namespace bankproof::proofs {

/// An obligation in the form that cvc5 gets, and the answer that fulfills the obligation. If Z3 has
/// proved a goal and has named the facts that it needed, cvc5 gets only these facts.
struct AskedObligation {
  std::string what;
  std::string text;  ///< SMT-LIB 2, for any solver
  Answer::Kind wanted = Answer::unsatisfiable;
};

struct Checked {
  Finding z3;
  Finding cvc5;
  std::vector<AskedObligation> asked;  ///< in order: premises, goals, false twin
  std::size_t goals = 0;
  std::set<const Lemma*> lemmas;  ///< the lemmas that the proof uses; they are checked separately
  double seconds = 0;

  bool proved() const { return z3.verdict == Verdict::proved && cvc5.verdict == Verdict::proved; }
};

/// Checks a theorem or a lemma. It is an error if the proof has no goal, or gives an invariant that
/// no sum uses.
Checked check(const Theorem& theorem, const Solvers& solvers = {});
Checked check(const Lemma& lemma, const Solvers& solvers = {});

}  // namespace bankproof::proofs
