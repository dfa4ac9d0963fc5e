// Oracle that applies, inverts and recognizes permutations (THS 4 writes b[P(i)] = a[i]).
//
// It must stay slow and plain: each function is its definition, one element after the other. To
// recognize a permutation, the oracle sorts a copy of the values and compares the copy with 0, 1,
// 2, …. The fast code marks the values that it has seen, so the two have no idea in common.
//
// Example: P = 2, 0, 1 takes a, b, c to b, c, a; its inverse is 1, 2, 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace bankproof::oracle {

/// Whether the values are 0 … n−1, each once. The empty sequence is a permutation.
inline bool is_permutation(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

inline void require_permutation(const std::vector<std::int64_t>& permutation) {
  if (!is_permutation(permutation)) throw std::runtime_error("oracle: not a permutation");
}

/// b with b[P(i)] = a[i].
template <typename T>
std::vector<T> permuted(const std::vector<T>& a, const std::vector<std::int64_t>& permutation) {
  require_permutation(permutation);
  if (a.size() != permutation.size()) throw std::runtime_error("oracle: sizes differ");
  std::vector<T> b(a);
  for (std::size_t i = 0; i < a.size(); ++i) b[static_cast<std::size_t>(permutation[i])] = a[i];
  return b;
}

/// Q with Q(P(i)) = i.
inline std::vector<std::int64_t> inverse(const std::vector<std::int64_t>& permutation) {
  require_permutation(permutation);
  std::vector<std::int64_t> result(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    result[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
  }
  return result;
}

}  // namespace bankproof::oracle
