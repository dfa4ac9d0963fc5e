// The inputs of benchmarks; see benchmark.hpp.
#include <bit>
#include <cmath>

#include "../../algorithms/permutation/named.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

std::size_t side_of(std::size_t n) {
  auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (side * side > n) --side;
  return side;
}

const std::vector<std::string> permutation_kinds = {"identity", "shuffle", "random", "bit-reversal",
                                                    "transpose"};

std::vector<std::uint32_t> permutation_of(const std::string& kind, std::size_t n) {
  std::string size = std::to_string(n);
  if (kind == "shuffle") size = std::to_string(n / 2 * 2);
  if (kind == "bit-reversal") size = std::to_string(std::bit_floor(n));
  if (kind == "transpose") size = std::to_string(side_of(n)) + "x" + std::to_string(side_of(n));
  return parse_named(kind + ":" + size).generate<std::uint32_t>();
}

}  // namespace bankproof::cuda::bench
