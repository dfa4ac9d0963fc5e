// Which launches of a program are checked: $BANKPROOF_KERNELS and $BANKPROOF_LAUNCHES. The others
// run unchecked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bankproof::cuda {

struct Selection {
  std::vector<std::string> kernels;  // parts of names; empty: all kernels
  std::uint64_t first = 0;           // the numbers of launches, from 0
  std::uint64_t last = ~std::uint64_t{0};

  /// From the variables of the environment, which `bankproof exec` has checked.
  static Selection of_environment();
  bool has(const std::string& kernel, std::uint64_t launch) const;
};

}  // namespace bankproof::cuda
