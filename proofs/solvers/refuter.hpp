// Z3, for the many questions of one theorem, most of whose statements are the same: it is told each
// statement once, and asked which of them cannot be true together.
#pragma once

#include <z3++.h>

#include <map>
#include <vector>

#include "solvers.hpp"

namespace bankproof::proofs {

class Refuter {
 public:
  /// Unsatisfiable, with its core; or unknown, after so little work that ask_z3 is worth its time.
  /// `context` outlives the refuter.
  Reply refute(z3::context& context, const std::vector<z3::expr>& assertions);

 private:
  /// Z3 with what it was told: each statement follows from its name, an unknown that is assumed
  /// where the statement is asked about.
  struct Told {
    z3::solver solver;
    std::map<unsigned, z3::expr> names;  // by the numbers of statements
    z3::expr_vector kept;                // the statements, whose numbers are no others' so long
  };
  static Told told_nothing(z3::context& context);

  std::map<z3::context*, Told> told_;
};

}  // namespace bankproof::proofs
