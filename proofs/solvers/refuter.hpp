// Asks Z3 about the many obligations of one theorem. Most of these obligations share most of their
// statements. So the refuter gives each statement to Z3 only once. For each obligation, it then
// asks whether the statements of the obligation can be true together.
#pragma once

#include <z3++.h>

#include <map>
#include <vector>

#include "solvers.hpp"

namespace bankproof::proofs {

class Refuter {
 public:
  /// Returns `unsatisfiable` with its core, or `unknown`. The refuter gives up after little work,
  /// so the caller should then try ask_z3(). `context` must outlive the refuter.
  Answer refute(z3::context& context, const std::vector<z3::expr>& assertions);

 private:
  /// A solver and the statements that it was given. Each statement has a name, a Boolean unknown
  /// that implies the statement. To ask about some statements, the refuter assumes their names.
  struct Told {
    z3::solver solver;
    std::map<unsigned, z3::expr> names;  // by the ids of statements
    z3::expr_vector kept;  // keeps the statements alive, so that their ids stay unique
  };
  static Told told_nothing(z3::context& context);

  std::map<z3::context*, Told> told_;
};

}  // namespace bankproof::proofs
