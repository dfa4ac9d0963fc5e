// How the proofs of the catalog are shown.
#pragma once

#include <string>
#include <vector>

#include "../../proofs/prove_all.hpp"

namespace bankproof::cli {

/// What is stated, and how far.
std::string theorems_as_text(const std::vector<proofs::Theorem>& theorems);
std::string theorems_as_json(const std::vector<proofs::Theorem>& theorems);

/// A table, and a line of what it comes to; why, where one is not proved.
std::string proofs_as_text(const std::vector<proofs::Proof>& proofs);
std::string proofs_as_json(const std::vector<proofs::Proof>& proofs);
std::string proofs_as_junit(const std::vector<proofs::Proof>& proofs);

}  // namespace bankproof::cli
