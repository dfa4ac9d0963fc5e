// Concatenates lists of theorems.
#pragma once

#include <initializer_list>
#include <vector>

#include "theorem.hpp"

namespace bankproof::proofs {

inline std::vector<Theorem> joined(std::initializer_list<std::vector<Theorem>> lists) {
  std::vector<Theorem> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace bankproof::proofs
