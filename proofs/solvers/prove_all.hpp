// Proves many theorems in parallel, with the lemmas that they use.
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

/// The findings of both solvers on each theorem, in the order given, computed on all cores. If a
/// lemma is not proved, the theorems that use it are not proved either. `done` is called with the
/// id of each finished theorem, from any thread.
std::vector<Proof> prove_all(const std::vector<Theorem>& theorems, const Solvers& solvers = {},
                             const std::function<void(const std::string&)>& done = {});

}  // namespace bankproof::proofs
