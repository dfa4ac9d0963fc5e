// Theorems as sources of Coq.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

struct TheoremInCoq {
  std::string id;
  std::string name;     ///< in Coq
  std::string text;     ///< a source with the theorem and its proof; empty if there is no script
  std::string why_not;  ///< in that case
};

/// A source with the lemmas that theorems apply. Throws NoScript if one has no script.
std::string lemmas_in_coq();

/// Returns the statement of a theorem in Coq, and asks no solver. Throws NoScript and NoText
/// (in_coq.hpp).
std::string statement_in_coq(const Theorem& theorem);

/// Each theorem, in parallel; it needs the inductions (inductions.hpp) and the lemmas. Calls
/// done(id) behind each one.
std::vector<TheoremInCoq> theorems_in_coq(const std::vector<Theorem>& theorems,
                                          const std::function<void(const std::string&)>& done = {});

}  // namespace bankproof::proofs
