// Oracle for sums and prefix sums (MOD 4 and 6, HMM V): adds one value after the other, from the
// first to the last.
//
// It must stay slow and plain: no tree, no blocks, no second array. Values keep their order, so any
// associative + will do.
//
// Example: 1, 2, 3 sum up to 6; their prefix sums are 1, 3, 6.
#pragma once

#include <cstddef>
#include <vector>

namespace bankproof::oracle {

/// values[0] + values[1] + …; T{} if there are no values.
template <class T>
T sum(const std::vector<T>& values) {
  T total{};
  for (const T& value : values) total = static_cast<T>(total + value);
  return total;
}

/// Entry k is the sum of the first k + 1 values.
template <class T>
std::vector<T> prefix_sums(const std::vector<T>& values) {
  std::vector<T> sums;
  T total{};
  for (const T& value : values) {
    total = static_cast<T>(total + value);
    sums.push_back(total);
  }
  return sums;
}

}  // namespace bankproof::oracle
