// How the proofs of the catalog are shown.
#pragma once

#include <string>
#include <vector>

#include "../../proofs/solvers/prove_all.hpp"
#include "../../proofs/theorems/in_coq.hpp"

namespace bankproof::cli {

/// What is stated, and how far.
std::string theorems_as_text(const std::vector<proofs::Theorem>& theorems,
                             const std::vector<proofs::CoqTheorem>& in_coq);
std::string theorems_as_json(const std::vector<proofs::Theorem>& theorems,
                             const std::vector<proofs::CoqTheorem>& in_coq);

/// A table, and a line of what it comes to; why, where one is not proved. Of those that Coq has
/// checked their files, and that this run has not checked them; in JUnit they are skipped.
std::string proofs_as_text(const std::vector<proofs::Proof>& proofs,
                           const std::vector<proofs::CoqTheorem>& in_coq);
std::string proofs_as_json(const std::vector<proofs::Proof>& proofs,
                           const std::vector<proofs::CoqTheorem>& in_coq);
std::string proofs_as_junit(const std::vector<proofs::Proof>& proofs,
                            const std::vector<proofs::CoqTheorem>& in_coq);

}  // namespace bankproof::cli
