// The gold standard of sums and prefix sums (MOD 4 and 6, HMM V): one element after the other, from
// the first to the last.
//
// It must stay slow and plain: no tree, no blocks, no second array, so that values keep their order
// and any associative + will do.
//
// Example: 1, 2, 3 sum up to 6; their prefix sums are 1, 3, 6.
#pragma once

#include <cstddef>
#include <vector>

namespace bankproof::oracle {

/// values[0] + values[1] + …; T{} of none.
template <class T>
T sum(const std::vector<T>& values) {
  T total{};
  for (const T& value : values) total = static_cast<T>(total + value);
  return total;
}

/// The sums of the first 1, 2, … values.
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
