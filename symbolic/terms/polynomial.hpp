// Sums of products, modulo a power of two.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "term.hpp"

namespace bankproof::symbolic {

/// Sorted factors; the empty product is 1.
using Monomial = std::vector<Term>;

/// The coefficient of each monomial. A coefficient that is 0 modulo 2^width counts as absent.
using Polynomial = std::map<Monomial, std::uint64_t>;

inline void add_to(Polynomial& sum, const Polynomial& other, std::uint64_t factor) {
  for (const auto& [monomial, coefficient] : other) sum[monomial] += factor * coefficient;
}

}  // namespace bankproof::symbolic
