// Z3 for the many questions of one theorem. Most questions share most of their statements. So each
// statement is given to Z3 once, and each question asks which statements cannot be true together.
#pragma once

#include <z3++.h>

#include <map>
#include <vector>

#include "solvers.hpp"

namespace bankproof::proofs {

class Refuter {
 public:
  /// `unsatisfiable` with its core, or `unknown` after so little work that asking ask_z3 is still
  /// worth it. `context` must outlive the refuter.
  Answer refute(z3::context& context, const std::vector<z3::expr>& assertions);

 private:
  /// A solver and the statements that it was given. Each statement is implied by a Boolean unknown,
  /// its name. A question assumes the names of its statements.
  struct Told {
    z3::solver solver;
    std::map<unsigned, z3::expr> names;  // by the ids of statements
    z3::expr_vector kept;  // keeps the statements alive, so that their ids stay unique
  };
  static Told told_nothing(z3::context& context);

  std::map<z3::context*, Told> told_;
};

}  // namespace bankproof::proofs
