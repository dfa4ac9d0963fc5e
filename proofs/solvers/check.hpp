// What both solvers say of theorems and lemmas. A theorem is proved if its premises can hold, each
// of its goals follows, the lemmas it uses are proved, and its false twin is refuted: by Z3, and by
// cvc5 from the exported text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../builder/lemma.hpp"
#include "../builder/theorem.hpp"
#include "solvers.hpp"

namespace bankproof::proofs {

/// Only `proved` passes.
enum class Verdict : std::uint8_t { proved, refuted, unknown, error };
std::string_view name_of(Verdict verdict);

/// What came of one solver.
struct Finding {
  Verdict verdict = Verdict::error;
  std::string why = "nothing was checked";  ///< unless it is proved
};

/// One thing that cvc5 was asked, and the answer that the theorem needs. Of a goal that follows it
/// has the facts that Z3 found to be enough.
struct Question {
  std::string what;
  std::string text;  ///< SMT-LIB 2, for any solver
  Answer wanted = Answer::unsatisfiable;
};

struct Checked {
  Finding z3;
  Finding cvc5;
  std::vector<Question> questions;  ///< in order: premises, goals, false twin
  std::size_t goals = 0;
  std::set<const Lemma*> lemmas;  ///< that it uses, which are checked by themselves
  double seconds = 0;

  bool proved() const { return z3.verdict == Verdict::proved && cvc5.verdict == Verdict::proved; }
};

/// A proof that has no goal, or gives an invariant that no sum takes, is an error.
Checked check(const Theorem& theorem, const Solvers& solvers = {});
Checked check(const Lemma& lemma, const Solvers& solvers = {});

}  // namespace bankproof::proofs
