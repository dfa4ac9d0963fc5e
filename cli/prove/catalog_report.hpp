// Shows the theorems of the catalog and their proofs.
#pragma once

#include <string>
#include <vector>

#include "../../proofs/solvers/prove_all.hpp"
#include "../../proofs/theorems/in_coq.hpp"

namespace bankproof::cli {

/// The statements and their domains.
std::string theorems_as_text(const std::vector<proofs::Theorem>& theorems,
                             const std::vector<proofs::CoqTheorem>& in_coq);
std::string theorems_as_json(const std::vector<proofs::Theorem>& theorems,
                             const std::vector<proofs::CoqTheorem>& in_coq);

/// A table, a line that sums it up, and the reason for each theorem that is not proved. For
/// theorems that Coq has checked, the report gives their files, and says that this run has not
/// checked them; in JUnit they are skipped.
std::string proofs_as_text(const std::vector<proofs::Proof>& proofs,
                           const std::vector<proofs::CoqTheorem>& in_coq);
std::string proofs_as_json(const std::vector<proofs::Proof>& proofs,
                           const std::vector<proofs::CoqTheorem>& in_coq);
std::string proofs_as_junit(const std::vector<proofs::Proof>& proofs,
                            const std::vector<proofs::CoqTheorem>& in_coq);

}  // namespace bankproof::cli
