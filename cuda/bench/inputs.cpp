// What benchmarks work on; see benchmark.hpp.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "benchmark.hpp"

namespace bankproof::cuda::bench {

std::size_t side_of(std::size_t n) {
  auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (side * side > n) --side;
  return side;
}

std::vector<std::uint32_t> random_permutation(std::size_t n) {
  std::vector<std::uint32_t> p(n);
  std::iota(p.begin(), p.end(), 0U);
  std::shuffle(p.begin(), p.end(), std::mt19937_64(1));
  return p;
}

std::vector<std::uint32_t> bit_reversal(std::size_t n) {
  std::size_t bits = 0;
  while (std::size_t{2} << bits <= n) ++bits;
  std::vector<std::uint32_t> p(std::size_t{1} << bits);
  for (std::size_t i = 1; i < p.size(); ++i) {
    p[i] = p[i / 2] / 2 + static_cast<std::uint32_t>(i % 2 * (p.size() / 2));
  }
  return p;
}

}  // namespace bankproof::cuda::bench
