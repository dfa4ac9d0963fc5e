// The theorems that Coq has checked: proofs/scripts/checked.inc, which ci/coq writes and compares.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

struct CheckedInCoq {
  std::string_view name;    ///< in Coq
  std::uint64_t statement;  ///< hash_of_statement() of what Coq has checked
};

const std::vector<CheckedInCoq>& all_checked_in_coq();

/// Whether ci/coq has had Coq check the theorem's script.
bool is_checked_in_coq(const Theorem& theorem);

/// FNV-1a of 64 bits, which ci/coq_theorems.py computes, too. It notices changes; it is no
/// protection against somebody who looks for two statements with the same hash.
constexpr std::uint64_t hash_of_statement(std::string_view statement) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char one : statement) {
    hash = (hash ^ static_cast<unsigned char>(one)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace bankproof::proofs
