// Many theorems at a time, with the lemmas that they use.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check.hpp"

namespace bankproof::proofs {

struct Proof {
  Theorem theorem;
  Checked checked;
};

/// What both solvers say of each theorem, on as many threads as there are, in the order given. A
/// lemma that is not proved takes the theorems that use it with it. `done` is called with the id of
/// each theorem that is through, from any thread.
std::vector<Proof> prove_all(const std::vector<Theorem>& theorems, const Solvers& solvers = {},
                             const std::function<void(const std::string&)>& done = {});

}  // namespace bankproof::proofs
