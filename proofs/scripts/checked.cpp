// The list as it is in the tree; see checked.hpp.
#include "checked.hpp"

#include <algorithm>

#include "../written/in_coq.hpp"

namespace bankproof::proofs {

const std::vector<CheckedInCoq>& all_checked_in_coq() {
  static const std::vector<CheckedInCoq> all = {
#include "checked.inc"
  };
  return all;
}

bool is_checked_in_coq(const Theorem& theorem) {
  const auto& all = all_checked_in_coq();
  const std::string name = coq_name(theorem.id);
  return std::any_of(all.begin(), all.end(),
                     [&](const CheckedInCoq& one) { return one.name == name; });
}

}  // namespace bankproof::proofs
